internal import QuarryEngine
internal import QuarryRows

/// What others have done to the data of a source.
public enum DataChange: Hashable, Sendable {
  /// They have written.
  case written
  /// They have moved, replaced or put back its files: ``DataSource/movedFiles`` are others than before.
  case filesMoved
  /// Its files cannot be read any more, as a sentence; nil when they can be read again.
  case unreadable(String?)
  /// The machines that serve it are others than before, or none may be asked.
  case connection(SourceConnection)
  /// The open transaction is gone, with nothing of it stored: a sentence that says why.
  case transactionLost(String)
}

/// What is known of the machines that serve a source.
public struct SourceConnection: Hashable, Sendable {
  /// In a few words, the longest form first: `leader 10.0.0.1:9001, 3 voters`, `10.0.0.1:9001`; empty where the others say nothing that
  /// has to be known.
  public var badges: [String]
  /// What a person should know at once, as a sentence; nil where all is well.
  public var warning: String?
  /// Whether none of the machines answers now, so that what is shown stays as it is.
  public var isLost: Bool

  /// Makes the description of a connection.
  public init(badges: [String], warning: String? = nil, isLost: Bool = false) {
    (self.badges, self.warning, self.isLost) = (badges, warning, isLost)
  }
}

/// Looks from time to time whether somebody else has written to the files of a connection, or has moved them.
///
///     PRAGMA main.data_version; PRAGMA main.schema_version
///
/// SQLite tells no other process of a write: this is the one thing that is asked for again and again.
actor FileWatch {
  private let queue: DatabaseQueue
  private let interval: Duration
  /// What was there when it was looked last; nil before that.
  private var seen: Sight?
  /// When it was told last that somebody has written; nil where something else was told.
  private var tellingTime: ContinuousClock.Instant?

  /// The longest pause after a change, unless the interval is longer.
  private static let longestPause = Duration.seconds(1)

  private struct Sight {
    /// The versions of the files; nil where one of them was locked.
    var states: FileStates?
    var movedFiles: [MovedFile] = []
    /// Why the files could not be read; nil where they could.
    var fault: String?
  }

  /// Makes a watch of the files of a connection.
  ///
  /// - Parameter interval: How long it waits between two looks.
  init(_ queue: DatabaseQueue, interval: Duration) {
    self.queue = queue
    self.interval = interval
  }

  /// Waits until others have done something, and tells what; nil when its task is cancelled.
  func next() async -> DataChange? {
    if seen == nil { seen = Sight(states: await states) }
    var pause = interval
    // Where others write all the time, most of the time is still left to them; nobody waits long for what they write, all the same.
    if let tellingTime { pause = max(pause, min(Self.longestPause, (ContinuousClock.now - tellingTime) * 4)) }
    tellingTime = nil
    while true {
      do { try await Task.sleep(for: pause) } catch { return nil }
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
    // A file that is locked just now is looked at the next time.
    guard let sight = await readStates() else { return nil }
    if sight.fault != seen?.fault {
      seen?.fault = sight.fault
      // What was on the screen may have failed to be read meanwhile: once the file can be read again, it counts as written.
      if sight.fault == nil { seen?.states = nil }
      return .unreadable(sight.fault)
    }
    guard let states = sight.states, states != seen?.states, sight.fault == nil else { return nil }
    seen?.states = states
    tellingTime = .now
    return .written
  }

  /// Reads the versions of the files, or why they cannot be read, such as a file that was overwritten; nil where they are locked.
  private func readStates() async -> (states: FileStates?, fault: String?)? {
    do {
      let states = try await queue.fileStates(droppingCache: seen?.fault != nil)
      let isCut = seen?.states.map { states.lostSchemas(since: $0) } ?? false
      return (states, isCut ? "“\(queue.path)” was cut or overwritten: it is an empty database now." : nil)
    } catch let error as DatabaseError where error.meansUnreadableFile && seen?.movedFiles.isEmpty == true {
      return (nil, error.sentence)
    } catch {
      return nil
    }
  }

  /// The versions of the files; nil where they cannot be told just now.
  private var states: FileStates? {
    get async { try? await queue.fileStates() }
  }
}

extension DatabaseError {
  /// Whether the file itself is at fault, and not a lock or the statement.
  fileprivate var meansUnreadableFile: Bool {
    [Self.SQLITE_CORRUPT, Self.SQLITE_NOTADB, Self.SQLITE_IOERR, Self.SQLITE_CANTOPEN].contains(resultCode)
  }
}
