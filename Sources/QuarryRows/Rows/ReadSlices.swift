internal import QuarryEngine

/// What a long read does where others write to the file while it runs.
package enum ReadSlicing: Sendable {
  /// It keeps them out until it ends.
  case none
  /// It lets them write, and ends with ``DataChanged``.
  case ofOneState
  /// It lets them write, and goes on with what is there then.
  case ofAnyState
}

/// A long read in slices: after each it ends its read transaction, so that nobody who wants to write waits for long.
///
/// Only in files with a rollback journal: beside a write-ahead log readers keep nobody out.
final class ReadSlices {
  private let name: String
  private let isOfOneState: Bool
  private var state: DataState
  private var end = nextGap(after: .now)
  /// Whether others have written since the read began.
  private var sawChange = false
  /// Whether somebody has begun to write and is in no hurry to end, so that it is not waited for again.
  private var hasSlowWriter = false
  /// Is called when the read goes on with another state.
  var onChange: () -> Void = {}
  /// Is called between two slices, while no transaction is open.
  var onPause: () throws -> Void = {}

  /// The time from one gap to the next.
  private static let period = Duration.milliseconds(45)

  /// How long others have the file for themselves between two slices: a writer that waits for no lock would not find a shorter gap.
  private static let pause = Duration.milliseconds(5)

  /// Where the first gap of the process would have been; all reads have theirs at the same moments, or two of them would leave none.
  private static let origin = ContinuousClock.now

  private static func nextGap(after time: ContinuousClock.Instant) -> ContinuousClock.Instant {
    origin + period * (Int((time - origin) / period) + 1)
  }

  /// How long they have it once they have written.
  private static let longPause = Duration.milliseconds(25)

  /// How long a lock is waited for between two slices.
  private static let patience = Duration.seconds(10)

  fileprivate init?(_ slicing: ReadSlicing, of name: String, in database: Database) throws {
    switch slicing {
    case .none: return nil
    case .ofOneState: isOfOneState = true
    case .ofAnyState: isOfOneState = false
    }
    guard try database.readsKeepWritersOut(of: name) else { return nil }
    self.name = name
    state = try DataState(of: name, in: database)
  }

  /// Whether the slice has lasted long enough.
  var isOver: Bool { ContinuousClock.now >= end }

  /// Ends the slice if it is over, and begins the next.
  fileprivate func giveWay(in database: Database) throws {
    guard isOver else { return }
    // A connection that waits for no lock elsewhere has to get on here.
    let timeout = database.busyTimeout
    database.busyTimeout = max(timeout, Self.patience)
    defer { database.busyTimeout = timeout }
    // A read that comes late shares the rest of the gap.
    let pause = sawChange ? Self.longPause : max(.milliseconds(1), end + Self.pause - .now)
    hasSlowWriter = try database.beginAnotherRead(of: name, after: pause, waitsForWriter: !hasSlowWriter, onPause: onPause)
    let current = try DataState(of: name, in: database)
    if current != state {
      if isOfOneState { throw DataChanged() }
      (state, sawChange) = (current, true)
      onChange()
    }
    end = Self.nextGap(after: .now)
  }
}

extension Database {
  /// Runs a long read that calls ``giveWay()`` between its parts.
  ///
  /// - Parameter name: The database that is read.
  /// - Throws: What `body` throws; ``DataChanged`` where a read of one state finds another, or is ended for a writer.
  func inSlices<Value>(_ slicing: ReadSlicing, of name: String, _ body: (ReadSlices?) throws -> Value) throws -> Value {
    // Within a transaction that somebody else has begun nothing can be ended.
    guard isReadingAlone, turns == nil, let slices = try ReadSlices(slicing, of: name, in: self) else { return try body(nil) }
    turns = ReadTurns(
      database: name, endsStatements: slicing == .ofOneState, isDue: { slices.isOver },
      take: { [unowned self] in try slices.giveWay(in: self) })
    defer { turns = nil }
    return try body(slices)
  }
}

extension DatabaseQueue {
  /// Reads something by statements that cannot be divided.
  ///
  /// Where a writer comes after a while they are ended, and run again once it has written. The last time they keep writers out.
  ///
  /// - Parameters:
  ///   - name: The database that is read.
  ///   - tries: How often they are run at most.
  ///   - body: Reads; what it did in an earlier try must not matter.
  func readUndivided<Value: Sendable>(
    of name: String, tries: Int = 4, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    for _ in 0..<max(0, tries - 1) {
      do {
        return try await read { database -> Value in
          // Nothing has been read yet, and no lock is held.
          try database.leaveAlone(name)
          return try database.inSlices(.ofOneState, of: name) { _ -> Value in
            var value: Value?
            try database.runUndivided { value = try body(database) }
            guard let value else { throw DataChanged() }
            return value
          }
        }
      } catch is DataChanged {}
    }
    return try await read(body)
  }
}
