internal import Libc
internal import QuarryEngine
internal import Terminal

/// The files of a command line as one database: the first is `main`, the others are attached under their stems.
struct DatabaseFiles {
  var paths: [String]
  var isReadOnly = true
  var isImmutable = false
  /// What is done about a file that another program left in the middle of a change.
  var recovery = JournalRecovery.refused

  /// The number of databases that SQLite attaches to one connection.
  static let attachedLimit = 10

  /// Checks that SQLite can open so many databases at once.
  static func checkCount(_ count: Int) throws {
    if count > attachedLimit + 1 {
      throw Failure.usage("SQLite opens \(attachedLimit + 1) databases at once, and these are \(count)")
    }
  }

  /// How long the verbs wait for another program's lock.
  static let patience = Duration.seconds(60)

  /// The delay after which a message says what is being waited for.
  private static let silence = Duration.seconds(1)

  /// Opens a connection to all of them for a verb, which waits for a lock as long as `patience` allows, and says so.
  func open(label: String = "quarry") throws -> DatabaseQueue {
    let queue = try openTellingWaits(label: label, limit: Self.patience)
    let path = paths.first ?? ""
    try queue.withoutTransaction { db in
      db.busyTimeout = Self.patience
      db.reportLockWaits(after: Self.silence) { isWaiting in
        if isWaiting { Self.tellWait(for: path, limit: Self.patience) }
      }
    }
    return queue
  }

  /// Opens a connection to all of them for the full screen, which tells of its waits by itself once it is there.
  ///
  /// - Parameters:
  ///   - runsAtLowPriority: whether what runs on it lets what others wait for go first.
  ///   - isLater: whether the screen is there already: then a lock is not waited for while the connection is being opened.
  func open(label: String, runsAtLowPriority: Bool = false, isLater: Bool, watchedBy waits: LockWaits) throws -> DatabaseQueue {
    let queue =
      isLater
      ? try open(label: label, busyTimeout: .zero, runsAtLowPriority: runsAtLowPriority)
      : try openTellingWaits(label: label, limit: .untilStopped, runsAtLowPriority: runsAtLowPriority)
    try queue.withoutTransaction { $0.busyTimeout = .untilStopped }
    try waits.watch(queue, as: label)
    return queue
  }

  /// Opens a connection; where a file is locked, says so and waits.
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

  /// Opens a connection to all of them; where one stays locked for longer than `busyTimeout`, throws.
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

/// The names under which files are attached.
enum AttachedNames {
  /// Returns the stem of each path, with a number after those that would not be unique: `sales`, `sales2`.
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

/// What is done about a database that a program left in the midst of a change when it stopped: SQLite undoes the change from the journal
/// beside the file, but only on a connection that may write.
enum JournalRecovery {
  /// The error is thrown as it is: the command line forbids to write.
  case refused
  /// The change is undone, and that is told.
  case reported
  /// The person is asked first, on the terminal.
  case asked

  /// Runs `open`, and once more where a change had to be undone first.
  func recovering<Value>(_ open: () throws -> Value) throws -> Value {
    do {
      return try open()
    } catch let error as DatabaseOpenError where error.kind == .needsRecovery {
      guard try isWanted(error) else { throw error }
      let path = PathText.shown(error.path)
      // Opening the file and reading its schema is enough.
      try DatabaseQueue(path: error.path).close()
      StandardError.write("quarry: “\(path)” was left in the midst of a change, which “\(path)-journal” has undone\n")
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
        “\(path)” was left in the midst of a change by a program that stopped.
        Undo that change from “\(path)-journal”, as every program does that opens the file to write? [y/n]\u{20}
        """)
      return readLine()?.lowercased().hasPrefix("y") == true
    }
  }
}
