internal import QuarryEngine
internal import QuarryRows

/// An external change to the data of a source.
public enum DataChange: Hashable, Sendable {
  /// The data was written.
  case written
  /// Files were moved, replaced or restored: ``DataSource/movedFiles`` has changed.
  case filesMoved
  /// The files cannot be read any more, with the reason as a sentence.
  ///
  /// Nil when they can be read again.
  case unreadable(String?)
  /// The machines that serve the source have changed, or cannot be reached.
  case connection(SourceConnection)
  /// The open transaction was lost and none of its changes were stored.
  ///
  /// Contains the reason as a sentence.
  case transactionLost(String)
}

/// The state of the machines that serve a source.
public struct SourceConnection: Hashable, Sendable {
  /// Short descriptions, the longest first: `leader 10.0.0.1:9001, 3 voters`, `10.0.0.1:9001`.
  ///
  /// An empty string if the longer descriptions contain nothing important.
  public var badges: [String]
  /// A warning for the user, as a sentence, or nil for no warning.
  public var warning: String?
  /// Whether no machine answers at present, so that the displayed data cannot be updated.
  public var isLost: Bool

  /// Creates the description of a connection.
  public init(badges: [String], warning: String? = nil, isLost: Bool = false) {
    (self.badges, self.warning, self.isLost) = (badges, warning, isLost)
  }
}

/// Polls the files of a connection for external changes and moved files.
///
///     PRAGMA main.data_version; PRAGMA main.schema_version
///
/// SQLite does not notify other processes of a write, so this is the only state that needs polling.
actor FileWatch {
  private let queue: DatabaseQueue
  private let interval: Duration
  /// The state at the last poll, or nil before the first poll.
  private var seen: Sight?
  /// The time at which a write was last reported, or nil if another change was reported since.
  private var tellingTime: ContinuousClock.Instant?

  /// The maximum pause after a change, unless the interval is longer.
  private static let longestPause = Duration.seconds(1)

  private struct Sight {
    /// The versions of the files, or nil if one of them was locked.
    var states: FileStates?
    var movedFiles: [MovedFile] = []
    /// The reason why the files could not be read, or nil if they could be.
    var fault: String?
  }

  /// Creates a watch of the files of a connection.
  ///
  /// - Parameter interval: The time between two polls.
  init(_ queue: DatabaseQueue, interval: Duration) {
    self.queue = queue
    self.interval = interval
  }

  /// Waits for an external change and returns it.
  ///
  /// Returns nil if its task is cancelled.
  func next() async -> DataChange? {
    if seen == nil { seen = Sight(states: await states) }
    var pause = interval
    // If other programs write continuously, leave them most of the time, but never pause longer than `longestPause`.
    if let tellingTime { pause = max(pause, min(Self.longestPause, (ContinuousClock.now - tellingTime) * 4)) }
    tellingTime = nil
    while true {
      do { try await Task.pause(for: pause) } catch { return nil }
      pause = interval
      if let change = await look() { return change }
    }
  }

  private func look() async -> DataChange? {
    let movedFiles = queue.movedFiles
    if let before = seen?.movedFiles, movedFiles != before {
      seen?.movedFiles = movedFiles
      return .filesMoved
    }
    // A locked file is checked at the next poll.
    guard let sight = await readStates() else { return nil }
    if sight.fault != seen?.fault {
      seen?.fault = sight.fault
      // Reads for the screen may have failed meanwhile. When the file can be read again, report a write.
      if sight.fault == nil { seen?.states = nil }
      return .unreadable(sight.fault)
    }
    guard let states = sight.states, states != seen?.states, sight.fault == nil else { return nil }
    seen?.states = states
    tellingTime = .now
    return .written
  }

  /// Reads the versions of the files, or the reason why they cannot be read, for example an overwritten file.
  ///
  /// Returns nil if they are locked.
  private func readStates() async -> (states: FileStates?, fault: String?)? {
    do {
      let states = try await queue.fileStates(droppingCache: seen?.fault != nil)
      let isCut = seen?.states.map { states.lostSchemas(since: $0) } ?? false
      return (states, isCut ? "“\(queue.path)” was truncated or overwritten: it is an empty database now." : nil)
    } catch let error as DatabaseError where error.meansUnreadableFile && seen?.movedFiles.isEmpty == true {
      return (nil, error.sentence)
    } catch {
      return nil
    }
  }

  /// The versions of the files, or nil if they cannot be read at present.
  private var states: FileStates? {
    get async { try? await queue.fileStates() }
  }
}

extension DatabaseError {
  /// Whether the file itself causes the error, rather than a lock or the statement.
  fileprivate var meansUnreadableFile: Bool {
    [Self.SQLITE_CORRUPT, Self.SQLITE_NOTADB, Self.SQLITE_IOERR, Self.SQLITE_CANTOPEN].contains(resultCode)
  }
}
