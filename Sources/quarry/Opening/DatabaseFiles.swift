internal import Libc
internal import QuarryEngine
internal import Terminal

/// The files of a command line as one database.
///
/// The first is `main`, and the others are attached under names derived from their file names.
struct DatabaseFiles {
  var paths: [String]
  var isReadOnly = true
  var isImmutable = false
  /// The handling of a file with an unfinished transaction of another program.
  var recovery = JournalRecovery.refused

  /// SQLite's limit of attached databases per connection.
  static let attachedLimit = 10

  /// Checks that SQLite can open a number of databases at once.
  static func checkCount(_ count: Int) throws {
    if count > attachedLimit + 1 {
      throw Failure.usage("SQLite opens \(attachedLimit + 1) databases at once, and you named \(count)")
    }
  }

  /// The maximum time that verbs wait for another program's lock.
  static let patience = Duration.seconds(60)

  /// The delay before a message about a wait.
  private static let silence = Duration.seconds(1)

  /// Opens a connection to all files for a verb.
  ///
  /// Waits for a lock for up to `patience`, and reports the wait.
  func open(label: String = "quarry") throws -> DatabaseQueue {
    let queue = try openTellingWaits(label: label, limit: Self.patience)
    try Self.tellWaits(of: queue, for: paths.first ?? "")
    return queue
  }

  /// Lets a verb's connection wait for a lock for up to `patience`, and reports the wait.
  static func tellWaits(of queue: DatabaseQueue, for path: String) throws {
    try queue.withoutTransaction { db in
      db.busyTimeout = patience
      db.reportLockWaits(after: silence) { isWaiting in
        if isWaiting { tellWait(for: path, limit: patience) }
      }
    }
  }

  /// Reports on standard error each file that is read without its write-ahead log, because it is assumed not to change.
  func reportIgnoredLogs() {
    for path in paths where isImmutable && Self.hasLog(path) {
      StandardError.write(
        "quarry: --immutable reads “\(PathText.shown(path))” as it is without its write-ahead log, so rows may be stale\n")
    }
  }

  /// Returns whether there is a write-ahead log with contents beside a file, or beside the file to which a link leads.
  private static func hasLog(_ path: String) -> Bool {
    PathText.withPath(path) { name in
      guard let file = realpath(name, nil) else { return false }
      defer { free(file) }
      let log = Array(UnsafeBufferPointer(start: file, count: strlen(file))) + "-wal".utf8CString
      var status = stat()
      return stat(log, &status) == 0 && status.st_size > 0
    }
  }

  /// Opens a connection to all files for the full screen, which reports waits itself once it is visible.
  ///
  /// - Parameters:
  ///   - runsAtLowPriority: Whether the connection's thread yields to threads of other connections.
  ///   - isLater: Whether the screen is already visible. Opening the connection then does not wait for a lock.
  func open(label: String, runsAtLowPriority: Bool = false, isLater: Bool, watchedBy waits: LockWaits) throws -> DatabaseQueue {
    let queue =
      isLater
      ? try open(label: label, busyTimeout: .zero, runsAtLowPriority: runsAtLowPriority)
      : try openTellingWaits(label: label, limit: .untilStopped, runsAtLowPriority: runsAtLowPriority)
    try queue.withoutTransaction { $0.busyTimeout = .untilStopped }
    try waits.watch(queue, as: label)
    return queue
  }

  /// Opens a connection.
  ///
  /// If a file is locked, reports the wait and continues to wait.
  private func openTellingWaits(label: String, limit: Duration, runsAtLowPriority: Bool = false) throws -> DatabaseQueue {
    do {
      return try open(label: label, busyTimeout: Self.silence, runsAtLowPriority: runsAtLowPriority)
    } catch let error as DatabaseOpenError where error.kind == .isLocked {
      Self.tellWait(for: error.path, limit: limit)
      return try open(label: label, busyTimeout: limit, runsAtLowPriority: runsAtLowPriority)
    }
  }

  private static func tellWait(for path: String, limit: Duration) {
    let time = limit == .untilStopped ? "until it is free" : "up to a minute"
    StandardError.write("quarry: “\(path)” is locked by another program; waiting \(time) (^C stops that)\n")
  }

  /// Opens a connection to all files.
  ///
  /// Throws if one stays locked for longer than `busyTimeout`.
  func open(label: String, busyTimeout: Duration, runsAtLowPriority: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isReadonly = isReadOnly
    configuration.isImmutable = isImmutable
    configuration.busyTimeout = busyTimeout
    configuration.label = label
    configuration.runsAtLowPriority = runsAtLowPriority
    let queue = try recovery.recovering { try DatabaseQueue(path: paths.first ?? ":memory:", configuration: configuration) }
    try queue.withoutTransaction { db in
      for (name, path) in zip(AttachedNames.names(for: Array(paths.dropFirst())), paths.dropFirst()) {
        try recovery.recovering { try db.attach(path: path, as: name) }
      }
    }
    return queue
  }
}

/// The names of attached files.
enum AttachedNames {
  /// Returns the base name of each path, with a number if it would not be unique: `sales`, `sales2`.
  static func names(for paths: [String]) -> [String] {
    var taken: Set<String> = ["main", "temp"]
    return paths.map { path in
      let stem = stem(of: path)
      let candidates = [stem] + (2...paths.count + 2).map { "\(stem)\($0)" }
      let name = candidates.first { !taken.contains($0.lowercased()) } ?? stem
      taken.insert(name.lowercased())
      return name
    }
  }

  private static func stem(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return stem.isEmpty ? file : stem
  }
}

/// The handling of a database with an unfinished transaction of a program that crashed.
///
/// SQLite rolls it back with the journal beside the file, but only on a connection that may write.
enum JournalRecovery {
  /// The error is thrown, because the command line forbids writes.
  case refused
  /// The transaction is rolled back and this is reported.
  case reported
  /// The user is asked first, on the terminal.
  case asked

  /// Runs `open`, and again after a rollback of an unfinished transaction.
  func recovering<Value>(_ open: () throws -> Value) throws -> Value {
    do {
      return try open()
    } catch let error as DatabaseOpenError where error.kind == .needsRecovery {
      guard try isWanted(error) else { throw error }
      let path = PathText.shown(error.path)
      // Opening the file and reading its schema is enough.
      try DatabaseQueue(path: error.path).close()
      StandardError.write("quarry: “\(path)” had an unfinished transaction from a crash. SQLite rolled it back using “\(path)-journal”.\n")
      return try open()
    }
  }

  private func isWanted(_ error: DatabaseOpenError) throws -> Bool {
    switch self {
    case .refused: return false
    case .reported: return true
    case .asked:
      let path = PathText.shown(error.path).pictured
      guard StandardOutput.isTerminal, StandardInput.isTerminal else { return false }
      try StandardOutput.write(
        """
        “\(path)” has an unfinished transaction of a program that stopped.
        Roll it back using “\(path)-journal”, as every program does that opens the file for writing? [y/n]\u{20}
        """)
      return readLine()?.lowercased().hasPrefix("y") == true
    }
  }
}

extension DatabaseFiles {
  /// Whether an error means that a file is damaged or cannot be read, rather than that a statement is wrong.
  static func isUnreadable(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case DatabaseError.SQLITE_CORRUPT, DatabaseError.SQLITE_NOTADB: true
    // These are errors of a file that is written.
    case DatabaseError.SQLITE_IOERR: ![ENOSPC, EFBIG, EDQUOT].contains(error.systemError)
    default: false
    }
  }

  /// Runs `body`, and reports damaged files with the exit status of files that cannot be opened.
  static func findingDamage<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where isUnreadable(error) {
      throw Failure(status: .cannotOpen, message: Failure(error)?.message)
    }
  }
}
