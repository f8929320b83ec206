package import QuarryEngine

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
package final class ReadSlices {
  private let name: String
  private let isOfOneState: Bool
  private let gaps: ReadGaps
  private var state: DataState
  /// When the slice under way ends.
  fileprivate private(set) var end: ContinuousClock.Instant
  /// Whether others have written since the read began.
  private var sawChange = false
  /// Whether somebody has begun to write and is in no hurry to end, so that it is not waited for again.
  private var hasSlowWriter = false
  /// Is called when the read goes on with another state.
  package var onChange: () -> Void = {}
  /// Is called between two slices, while no transaction is open.
  var onPause: () throws -> Void = {}

  /// How long the other reads of the process are waited for.
  private static let longestWait = Duration.milliseconds(100)

  /// How long a lock is waited for between two slices.
  private static let patience = Duration.seconds(10)

  fileprivate init?(_ slicing: ReadSlicing, of name: String, in database: Database) throws {
    switch slicing {
    case .none: return nil
    case .ofOneState: isOfOneState = true
    case .ofAnyState: isOfOneState = false
    }
    guard try database.readsKeepWritersOut(of: name), let path = database.path(ofDatabase: name) else { return nil }
    self.name = name
    state = try DataState(of: name, in: database)
    gaps = ReadGaps.of(path)
    database.endBriefRead()
    end = gaps.enter()
  }

  /// Ends the read.
  fileprivate func finish() { gaps.leave() }

  /// Ends the slice, does something while no transaction is open, and begins the next slice.
  ///
  /// - Parameter goesOn: Whether anything is read in that.
  fileprivate func pause(in database: Database, goesOn: Bool, _ body: () throws -> Void) throws {
    // A connection that waits for no lock elsewhere has to get on here.
    let timeout = database.busyTimeout
    database.busyTimeout = max(timeout, Self.patience)
    defer { database.busyTimeout = timeout }
    let overtime = ContinuousClock.now - end
    try database.restartReading {
      let gap = gaps.leave(isResumed: true)
      defer { end = gaps.enter(isResumed: true) }
      try onPause()
      try body()
      if overtime >= .zero { try wait(for: gap, isLong: sawChange || overtime > ReadGaps.pause, in: database) }
    }
    if goesOn { try checkState(in: database) }
  }

  /// Waits until others have had the file for themselves.
  private func wait(for gap: Int, isLong: Bool, in database: Database) throws {
    let limit = ContinuousClock.now + Self.longestWait
    let pause = isLong ? ReadGaps.longPause : ReadGaps.pause
    hasSlowWriter = try database.leaveAlone(name, waitsForWriter: !hasSlowWriter) { gaps.isOver(gap, after: pause) || limit <= .now }
  }

  private func checkState(in database: Database) throws {
    let current = try DataState(of: name, in: database)
    guard current != state else { return }
    gaps.noteChange()
    if isOfOneState { throw DataChanged() }
    (state, sawChange) = (current, true)
    onChange()
  }
}

extension Database {
  /// Runs a long read that calls ``giveWay()`` between its parts.
  ///
  /// - Parameter name: The database that is read.
  /// - Throws: What `body` throws; ``DataChanged`` where a read of one state finds another, or is ended for a writer.
  package func inSlices<Value>(_ slicing: ReadSlicing, of name: String, _ body: (ReadSlices?) throws -> Value) throws -> Value {
    // Within a transaction that somebody else has begun nothing can be ended.
    guard isReadingAlone, turns == nil, let slices = try ReadSlices(slicing, of: name, in: self) else { return try body(nil) }
    turns = ReadTurns(
      database: name, endsStatements: slicing == .ofOneState, end: { slices.end },
      take: { [unowned self] in try slices.pause(in: self, goesOn: $0, $1) })
    defer {
      turns = nil
      slices.finish()
    }
    return try body(slices)
  }
}

extension DatabaseQueue {
  /// Reads something of one state of the file in slices, from the beginning again where others have written meanwhile.
  ///
  /// The last time it goes on with whatever state there is.
  ///
  /// - Parameters:
  ///   - name: The database that is read.
  ///   - tries: How often it is read at most.
  ///   - body: Calls ``Database/giveWay()`` between its statements, or runs those that cannot be divided by
  ///     ``Database/runUndivided(_:)``; what it did in an earlier try must not matter.
  package func readAgain<Value: Sendable>(
    of name: String, tries: Int = 4, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    for _ in 0..<max(0, tries - 1) {
      do {
        return try await read { database -> Value in
          // Nothing has been read yet, and no lock is held.
          try database.leaveAlone(name)
          return try database.inSlices(.ofOneState, of: name) { _ in try body(database) }
        }
      } catch is DataChanged {}
    }
    return try await read { database in try database.inSlices(.ofAnyState, of: name) { _ in try body(database) } }
  }

  /// Reads something by statements that cannot be divided, from the beginning again where they were ended for somebody who writes.
  ///
  /// - Parameter name: The database that is read.
  package func readUndivided<Value: Sendable>(
    of name: String = "main", _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await readAgain(of: name) { database -> Value in
      var value: Value?
      try database.runUndivided { value = try body(database) }
      guard let value else { throw DataChanged() }
      return value
    }
  }
}
