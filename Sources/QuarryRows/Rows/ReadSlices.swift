package import QuarryEngine

/// The behavior of a long read when another connection wants to write to the file.
package enum ReadSlicing: Sendable {
  /// Blocks writers until it ends.
  case none
  /// Lets writers proceed and ends with ``DataChanged``.
  case ofOneState
  /// Lets writers proceed and continues with their changes.
  case ofAnyState
}

/// A long read in slices.
///
/// After each slice it ends its read transaction, so that no writer waits for long. A slice ends early when a writer appears, which it
/// does before it needs the file for itself.
///
/// Slices are used only in rollback journal mode, because readers do not block writers in WAL mode.
package final class ReadSlices {
  private let name: String
  private let isOfOneState: Bool
  private let gaps: ReadGaps
  private var state: DataState
  /// The number of external changes found since the read began.
  private var changes = 0
  fileprivate private(set) var current: ReadGaps.Slice
  /// Called when the read continues with another state.
  package var onChange: () -> Void = {}
  /// Called between two slices, while no transaction is open.
  var onPause: () throws -> Void = {}

  /// The maximum time to wait for the other reads of the process.
  private static let longestWait = Duration.milliseconds(200)

  /// The maximum time to wait for a lock between two slices.
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
    current = gaps.enter()
  }

  /// Ends the read.
  fileprivate func finish() { gaps.leave() }

  /// Ends the slice, calls `body` while no transaction is open, and begins the next slice.
  ///
  /// - Parameter goesOn: Whether the next slice reads anything.
  fileprivate func pause(in database: Database, goesOn: Bool, _ body: () throws -> Void) throws {
    // A connection that usually does not wait for locks must wait here to continue.
    let timeout = database.busyTimeout
    database.busyTimeout = max(timeout, Self.patience)
    defer { database.busyTimeout = timeout }
    let overtime = ContinuousClock.now - current.end
    var waitsSince: ContinuousClock.Instant?
    // The slice begins when the read has its lock, for which writers may let it wait: the check of the state takes it.
    defer { current = gaps.enter(after: waitsSince.map { .now - $0 } ?? .zero) }
    try database.restartReading {
      let gap = gaps.leave(isResumed: true)
      try onPause()
      try body()
      waitsSince = .now
      try wait(for: overtime >= .zero ? gap : nil, isLong: overtime > ReadGaps.longSlice, in: database)
    }
    if goesOn { try checkState(in: database) }
  }

  /// Waits for a writer that is about to commit, and until writers have had a gap.
  ///
  /// - Parameter gap: The gap at the end of a slice; nil if the slice ended early.
  private func wait(for gap: Int?, isLong: Bool, in database: Database) throws {
    let limit = ContinuousClock.now + Self.longestWait
    try database.leaveAlone(name, in: gaps) { gap.map { gaps.isOver($0, isLong: isLong) } ?? true || limit <= .now }
  }

  fileprivate var expectsWriters: Bool { gaps.expectsChanges }

  fileprivate func isWriterAhead(in database: Database) -> Bool {
    current.earliestEnd <= .now && gaps.isAhead(database.hasWriter(name))
  }

  /// The number of external changes during a read, or during earlier attempts of it, after which more are expected until its end.
  static let manyChanges = 2

  fileprivate var hasSeenManyChanges: Bool { changes >= Self.manyChanges }

  private func checkState(in database: Database) throws {
    let found = try DataState(of: name, in: database)
    guard found != state else { return }
    gaps.noteChange()
    if isOfOneState { throw DataChanged() }
    state = found
    changes += 1
    onChange()
  }
}

extension Database {
  /// The number of rows, a power of 2, after which a read of rows by their keys checks whether it must let writers proceed.
  var rowsBetweenLooks: Int { expectsWriters ? 8 : 64 }

  /// Runs a long read that calls ``giveWay()`` between its parts.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - isHelper: Whether another read does what this one leaves undone.
  /// - Throws: Any error of `body`; ``DataChanged`` if a read that requires one state finds another, or is interrupted for a writer.
  package func inSlices<Value>(
    _ slicing: ReadSlicing, of name: String, isHelper: Bool = false, _ body: (ReadSlices?) throws -> Value
  ) throws -> Value {
    // A transaction begun by other code must not be ended here.
    guard isReadingAlone, turns == nil, let slices = try ReadSlices(slicing, of: name, in: self) else { return try body(nil) }
    turns = ReadTurns(
      database: name, endsStatements: slicing == .ofOneState, end: { slices.current.end }, isWhole: { slices.current.isWhole },
      isWriterAhead: { [unowned self] in slices.isWriterAhead(in: self) }, expectsWriters: { slices.expectsWriters },
      leavesRest: { isHelper && slices.hasSeenManyChanges },
      take: { [unowned self] in try slices.pause(in: self, goesOn: $0, $1) })
    defer {
      turns = nil
      slices.finish()
    }
    return try body(slices)
  }
}

extension Database {
  /// Runs a long read without gaps, which ends when a writer waits.
  ///
  /// - Throws: Any error of `body`; ``DataChanged`` if a writer waits.
  fileprivate func untilWriterWaits<Value>(of name: String, _ body: () throws -> Value) throws -> Value {
    guard isReadingAlone, turns == nil, try readsKeepWritersOut(of: name) else { return try body() }
    endBriefRead()
    let end = ContinuousClock.now + ReadGaps.longSlice
    turns = ReadTurns(
      database: name, endsStatements: true, end: { end },
      take: { [unowned self] _, pause in
        if try leaveAlone(name, waitsForWriter: false) { throw DataChanged() }
        try pause()
      })
    defer { turns = nil }
    return try body()
  }
}

extension DatabaseQueue {
  /// Reads one state of the file in slices, and starts again after external changes.
  ///
  /// The last attempt continues with the changes.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - tries: The maximum number of attempts.
  ///   - body: Calls ``Database/giveWay()`` between its statements, or runs statements that cannot be divided with
  ///     ``Database/runUndivided(_:)``. The effects of earlier attempts must not matter.
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

  /// Reads one state of the file beside a long statement of this process that cannot be divided, and starts again when a writer waits.
  ///
  /// Gaps in this read alone would not help writers, so that it has none. The last attempt continues in slices.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - tries: The maximum number of attempts.
  ///   - body: As for ``readAgain(of:tries:_:)``.
  package func readBeside<Value: Sendable>(
    of name: String, tries: Int = 4, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    for _ in 0..<max(0, tries - 1) {
      do {
        return try await read { database -> Value in
          try database.leaveAlone(name)
          return try database.untilWriterWaits(of: name) { try body(database) }
        }
      } catch is DataChanged {}
    }
    return try await readAgain(of: name, tries: 1, body)
  }

  /// Reads with statements that cannot be divided, and starts again if they were interrupted for a writer.
  ///
  /// - Parameter name: The name of the database.
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
