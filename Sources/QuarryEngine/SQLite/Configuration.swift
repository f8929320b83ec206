/// The options with which a ``DatabaseQueue`` opens its database.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.isReadonly = true
/// let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
/// ```
public struct Configuration: Hashable, Sendable {
  /// Whether the file is opened read-only: it must exist, and is neither created nor changed.
  ///
  /// To read a file in WAL mode, SQLite may still create its `-wal` and `-shm` files, unless the file is opened as immutable. The
  /// corresponding C flag is `SQLITE_OPEN_READONLY`.
  public var isReadonly = false

  /// Whether the file is assumed not to change while it is open, so that SQLite neither locks it nor checks for a journal.
  ///
  /// An immutable database is read-only. If the file changes nevertheless, results may be wrong. This option corresponds to `immutable=1`
  /// in SQLite's file names.
  public var isImmutable = false

  /// The maximum time to wait for a lock of another connection before `SQLITE_BUSY` is thrown.
  public var busyTimeout = Duration.seconds(5)

  /// A name of the connection, shown by its queue and its thread.
  public var label: String?

  /// Whether the queue's own thread, which runs `async` accesses, has low priority if there are more threads than processors.
  package var runsAtLowPriority = false

  /// Whether foreign keys are enforced.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_ENABLE_FKEY`.
  public var foreignKeysEnabled = true

  /// Whether views, triggers, CHECKs, indexes and generated columns may call functions and read virtual tables that SQLite does not mark as
  /// innocuous; true by default, as in SQLite.
  ///
  /// SQLite's own JSON functions and FTS5 are not marked, so many valid files cannot be used without this option. Dangerous functions are
  /// rejected in any case: functions for direct use only, and functions with effects outside the database. The corresponding C switch is
  /// `SQLITE_DBCONFIG_TRUSTED_SCHEMA`.
  public var trustsSchema = true

  /// Whether SQL that can deliberately corrupt the file is rejected, such as writing to shadow tables or to the schema tables.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_DEFENSIVE`.
  public var isDefensive = true

  /// Whether triggers fire.
  ///
  /// The corresponding C switch is `SQLITE_DBCONFIG_ENABLE_TRIGGER`.
  public var triggersEnabled = true

  /// Whether an error contains the arguments of its statement, which ``DatabaseError/expandedDescription`` shows; set it to false for
  /// confidential arguments.
  public var errorsKeepArguments = true

  /// Creates the default configuration: reading and writing, with a busy timeout of 5 seconds.
  public init() {}

  /// Whether the connection acquires an exclusive lock on the file when it first reads it, until it is closed.
  ///
  ///     PRAGMA locking_mode = EXCLUSIVE
  package var locksExclusively = false

  /// Whether writing is not possible.
  var refusesWriting: Bool { isReadonly || isImmutable }
}
