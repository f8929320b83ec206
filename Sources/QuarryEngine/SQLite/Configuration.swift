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
  /// To read a file in WAL mode SQLite may still make its `-wal` and `-shm`, unless the file is opened as immutable. The corresponding C
  /// flag is `SQLITE_OPEN_READONLY`.
  public var isReadonly = false

  /// Whether the file is taken for one that nobody changes while it is open, so that SQLite neither locks it nor looks for a journal.
  ///
  /// An immutable database is read-only. If somebody does change the file, what is read may be wrong. It corresponds to `immutable=1` in
  /// SQLite's file names.
  public var isImmutable = false

  /// How long to wait for a lock that another connection holds before `SQLITE_BUSY` is thrown.
  public var busyTimeout = Duration.seconds(5)

  /// A name for the connection, which its queue and its thread show.
  public var label: String?

  /// Whether the queue's own thread, which runs `async` accesses, lets others go first where there are more threads than processors.
  package var runsAtLowPriority = false

  /// Whether foreign keys are enforced.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_ENABLE_FKEY`.
  public var foreignKeysEnabled = true

  /// Whether views, triggers, CHECKs, indexes and generated columns may call functions and read virtual tables that SQLite does not mark as
  /// innocuous; on, as in the library itself.
  ///
  /// SQLite's own JSON functions and FTS5 are not marked, so many a sound file cannot be read or written without it. What a schema could do
  /// harm with is refused all the same: functions that are for direct use only, and those that reach outside of the database. The
  /// corresponding C switch is `SQLITE_DBCONFIG_TRUSTED_SCHEMA`.
  public var trustsSchema = true

  /// Whether SQL that can corrupt the file on purpose is refused, such as writing to shadow tables or to the schema's own.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_DEFENSIVE`.
  public var isDefensive = true

  /// Whether triggers fire.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_ENABLE_TRIGGER`.
  public var triggersEnabled = true

  /// Whether an error keeps the arguments of its statement, which ``DatabaseError/expandedDescription`` shows; off where they are too
  /// private even for that.
  public var errorsKeepArguments = true

  /// Creates the configuration that a queue has where none is given: to read and write, with a busy timeout of 5 seconds.
  public init() {}

  /// Whether the connection locks the file for itself when it first reads it, until it is closed.
  ///
  ///     PRAGMA locking_mode = EXCLUSIVE
  package var locksExclusively = false

  /// Whether nothing can be written.
  var refusesWriting: Bool { isReadonly || isImmutable }
}
