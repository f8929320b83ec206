/// How a ``DatabaseQueue`` opens its database.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.isReadonly = true
/// let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
/// ```
public struct Configuration: Hashable, Sendable {
  /// Whether the file is opened to be read only: nothing creates or changes it, and it must be there.
  ///
  /// To read a file in WAL mode SQLite may still make its `-wal` and `-shm`, unless the file is opened as immutable.
  public var isReadonly = false

  /// Whether the file is taken for one that nobody changes while it is open, so that SQLite neither locks it nor looks for a journal.
  ///
  /// An immutable database is read-only. If somebody does change the file, what is read may be wrong.
  public var isImmutable = false

  /// How long to wait for a lock that another connection holds before `SQLITE_BUSY` is thrown.
  public var busyTimeout = Duration.seconds(5)

  /// A name for the connection, which its queue and its thread show.
  public var label: String?

  /// Whether foreign keys are enforced.
  public var foreignKeysEnabled = true

  /// Whether the schema may call functions that can do harm, and virtual tables that can; of a file from elsewhere it better may not.
  public var trustsSchema = false

  /// Whether SQL that can corrupt the file on purpose is refused, such as writing to shadow tables.
  public var isDefensive = true

  public init() {}

  /// Whether nothing can be written.
  var refusesWriting: Bool { isReadonly || isImmutable }
}
