internal import CSQLite
internal import Libc

/// The way a long read lets the writers of a file proceed.
///
/// In rollback journal mode, no connection can write while a read transaction is open.
extension Database {
  /// Returns whether other connections cannot write to a database while this connection reads it: it has a file, and no write-ahead log.
  ///
  ///     SELECT journal_mode FROM pragma_journal_mode WHERE schema = 'main'
  ///
  /// SQLite reports the PRAGMA itself as a statement that writes.
  package func readsKeepWritersOut(of name: String) throws -> Bool {
    guard !configuration.isImmutable, let path = sqlite3_db_filename(connection, name), path.pointee != 0 else { return false }
    var mode = ""
    try scan("SELECT journal_mode FROM pragma_journal_mode WHERE schema = \(name)") { statement in
      mode = try statement.columnText(at: 0)
      return false
    }
    return !mode.isSameIdentifier(as: "wal")
  }

  /// Returns whether a connection of any program has begun to write to a database.
  ///
  /// The corresponding C function is `xCheckReservedLock` of the file.
  package func hasWriter(_ name: String) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) { sqlite3_file_control(connection, name, SQLITE_FCNTL_FILE_POINTER, $0) }
    guard code == SQLITE_OK, let file, let check = file.pointee.pMethods?.pointee.xCheckReservedLock else { return false }
    var isReserved: Int32 = 0
    return check(file, &isReserved) == SQLITE_OK && isReserved != 0
  }

  /// Waits while no transaction is open: until a pause is over, and for a short time while another connection is about to commit.
  ///
  /// Records a writer that does not commit in that time, so that no other read waits for it.
  ///
  /// - Throws: `CancellationError`
  package func leaveAlone(
    _ name: String, in gaps: ReadGaps, upTo limit: Duration = longestPause, until isOver: () -> Bool = { true }
  ) throws {
    let isAhead = gaps.isAhead(hasWriter(name))
    if !isAhead, isOver() { return }
    let isThere = try leaveAlone(name, waitsForWriter: isAhead, upTo: limit, until: isOver)
    if isThere || isAhead { gaps.note(hasSlowWriter: isThere) }
  }

  /// Waits while no transaction is open: until a pause is over, and for a short time while another connection writes.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait for an active writer.
  ///   - limit: The maximum time to wait for it.
  ///   - isOver: Returns whether the minimum pause is over.
  /// - Returns: Whether a writer is still active.
  /// - Throws: `CancellationError`
  @discardableResult
  package func leaveAlone(
    _ name: String, waitsForWriter waits: Bool = true, upTo limit: Duration = longestPause, until isOver: () -> Bool = { true }
  ) throws -> Bool {
    let start = ContinuousClock.now
    while true {
      let isThere = hasWriter(name)
      let isWaited = waits && isThere && ContinuousClock.now - start < limit
      guard isWaited || !isOver() else { return isThere }
      try cancellation?.check()
      usleep(500)
    }
  }

  /// The maximum time a read waits for a writer, which may hold its lock for long.
  package static let longestPause = Duration.milliseconds(100)
}

/// The error that ends a read that requires one state when another connection writes to the file.
package struct DataChanged: Error {
  package init() {}
}

/// The way a read lets writers proceed.
package struct ReadTurns {
  /// The name of the database being read.
  package let database: String
  /// Whether a statement that cannot be divided is interrupted for a writer, to run again later.
  package let endsStatements: Bool
  /// A closure that returns the time at which the current turn ends.
  package let end: () -> ContinuousClock.Instant
  /// A closure that returns whether the current turn was whole when it began, and not the rest of a turn of other reads.
  package let isWhole: () -> Bool
  /// A closure that returns whether another connection is about to commit, so that the turn ends at once.
  package let isWriterAhead: () -> Bool
  /// A closure that returns whether other connections have written recently, so that the read checks for them often.
  package let expectsWriters: () -> Bool
  /// A closure that returns whether the read leaves the rest to another read of the process.
  package let leavesRest: () -> Bool
  /// The additional time for which a statement that cannot be divided may block writers.
  package var overtime = Duration.milliseconds(10)
  /// A closure that ends the read transaction, calls another closure while none is open, and begins another transaction.
  package let take: (_ goesOn: Bool, _ pause: () throws -> Void) throws -> Void

  /// - Parameter take: Receives whether the read continues after the pause, and the closure to call during the pause.
  package init(
    database: String, endsStatements: Bool, end: @escaping () -> ContinuousClock.Instant, isWhole: @escaping () -> Bool = { true },
    isWriterAhead: @escaping () -> Bool = { false }, expectsWriters: @escaping () -> Bool = { false },
    leavesRest: @escaping () -> Bool = { false },
    take: @escaping (_ goesOn: Bool, _ pause: () throws -> Void) throws -> Void
  ) {
    self.database = database
    self.endsStatements = endsStatements
    self.end = end
    self.isWhole = isWhole
    self.isWriterAhead = isWriterAhead
    self.expectsWriters = expectsWriters
    self.leavesRest = leavesRest
    self.take = take
  }

  fileprivate var isDue: Bool {
    let end = end()
    return end <= .now || isWriterAhead()
  }
}

extension Database {
  /// Whether the current read has blocked writers long enough, so that ``giveWay()`` must be called.
  package var isTurnDue: Bool { turns?.isDue ?? false }

  /// Whether other connections have written recently: one that commits a single statement needs the file some tens of microseconds after it
  /// has begun to write.
  package var expectsWriters: Bool { turns?.expectsWriters() ?? false }

  /// Whether the current read leaves the rest to another read, because other connections write.
  ///
  /// Writers cannot proceed before all reads of the process have stopped, which takes longer the more there are. On two processors a writer
  /// even runs in place of one of two reads, which then cannot stop.
  package var leavesRest: Bool { turns?.leavesRest() ?? false }

  /// Lets writers proceed if it is time to; no statement may be on a row.
  ///
  /// - Throws: The error that ends a read after external changes.
  package func giveWay() throws {
    guard let turns, turns.isDue else { return }
    try turns.take(true) {}
  }

  /// Performs long work that does not read the database, without an open transaction if the read lets writers proceed.
  ///
  /// - Parameter goesOn: Whether more is read afterwards.
  /// - Throws: Any error of `body`, and the error that ends a read after external changes.
  package func pauseReading(goesOn: Bool = true, _ body: () throws -> Void) throws {
    guard let turns else { return try body() }
    try turns.take(goesOn, body)
  }

  /// Runs statements that cannot be divided, for one turn and a limited overtime.
  ///
  /// - Parameter body: Called again if it got only the rest of a turn, and that was too short.
  /// - Returns: The result of `body`; nil if it takes longer.
  /// - Throws: Any error of `body`, and the error that ends a read after external changes.
  package func withinTurn<Value>(_ body: () throws -> Value) throws -> Value? {
    guard let turns else { return try body() }
    for _ in 0..<Self.mostTurns {
      let isBegun = !turns.isDue
      try giveWay()
      var isForWriter = false
      if let value = try withinRest(of: turns, isForWriter: &isForWriter, body) { return value }
      if !isBegun, !isForWriter, turns.isWhole() { return nil }
    }
    return nil
  }

  /// The maximum number of turns in which a statement that cannot be divided is tried.
  private static let mostTurns = 4

  /// - Parameter isForWriter: Set if the statements were interrupted for a writer, and not at the end of the turn.
  private func withinRest<Value>(of turns: ReadTurns, isForWriter: inout Bool, _ body: () throws -> Value) throws -> Value? {
    let end = turns.end() + turns.overtime
    guard end > .now else { return nil }
    let alarm = StatementAlarm(interruption, at: end)
    defer { alarm.cancel() }
    var isEnded = false
    defer { isForWriter = isEnded }
    do {
      return try withProgress(every: stepsBetweenLooksForWriters) {
        isEnded = isEnded || turns.isWriterAhead()
        return isEnded
      } during: {
        try body()
      }
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_INTERRUPT && (isEnded || alarm.cancel()) {
      try cancellation?.check()
      return nil
    }
  }

  /// Runs statements whose next row may take long to find; a statement still searching long after the end of the turn, or when another
  /// connection is about to commit, is interrupted.
  ///
  /// - Parameter mayEnd: Returns whether the statement itself is running, and not the processing of one of its rows.
  /// - Returns: Whether a statement was interrupted.
  /// - Throws: Any error of `body`.
  package func endingLate(if mayEnd: @escaping () -> Bool, _ body: () throws -> Void) throws -> Bool {
    guard let turns else {
      try body()
      return false
    }
    var hasEnded = false
    lateCheck = LateCheck(steps: Int32(stepsBetweenLooksForWriters)) {
      hasEnded = hasEnded || mayEnd() && (turns.end() + turns.overtime <= .now || turns.isWriterAhead())
      return hasEnded
    }
    defer { lateCheck = nil }
    do {
      try body()
    } catch let error as DatabaseError where hasEnded && error.resultCode == DatabaseError.SQLITE_INTERRUPT {
      try cancellation?.check()
    }
    return hasEnded
  }

  /// Runs statements that cannot be divided.
  ///
  /// If the read can start again, they are interrupted when a writer appears.
  ///
  /// - Parameter report: Called from time to time while a statement runs.
  /// - Throws: ``DataChanged`` if they were interrupted for a writer.
  package func runUndivided(reporting report: (() -> Void)? = nil, _ body: () throws -> Void) throws {
    let turns = turns.flatMap { $0.endsStatements ? $0 : nil }
    guard turns != nil || report != nil else { return try body() }
    var isEnded = false
    do {
      try withProgress(every: stepsBetweenLooksForWriters) {
        report?()
        guard let turns else { return false }
        isEnded = isEnded || turns.isDue && hasWriter(turns.database)
        return isEnded
      } during: {
        try body()
      }
    } catch let error as DatabaseError where isEnded && error.resultCode == DatabaseError.SQLITE_INTERRUPT {
      throw DataChanged()
    }
  }

  /// The number of virtual machine instructions between two checks for a writer, which take some tens of microseconds, or a few if writers
  /// are expected.
  private var stepsBetweenLooksForWriters: Int { expectsWriters ? 100 : 1_000 }
}
