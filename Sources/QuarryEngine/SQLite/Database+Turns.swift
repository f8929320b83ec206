internal import CSQLite
internal import Libc

/// How a long read gives the writers of a file their turn.
///
/// In a file with a rollback journal nobody writes while a read transaction is open.
extension Database {
  /// Whether others cannot write to a database while this connection reads it: it has a file, and no write-ahead log.
  ///
  ///     SELECT journal_mode FROM pragma_journal_mode WHERE schema = 'main'
  ///
  /// SQLite takes the PRAGMA itself for a statement that writes.
  package func readsKeepWritersOut(of name: String) throws -> Bool {
    guard !configuration.isImmutable, let path = sqlite3_db_filename(connection, name), path.pointee != 0 else { return false }
    var mode = ""
    try scan("SELECT journal_mode FROM pragma_journal_mode WHERE schema = \(name)") { statement in
      mode = try statement.columnText(at: 0)
      return false
    }
    return !mode.isSameIdentifier(as: "wal")
  }

  /// Whether a connection, of this program or another, has begun to write to a database.
  ///
  /// The corresponding C function is `xCheckReservedLock` of the file.
  func hasWriter(_ name: String) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) { sqlite3_file_control(connection, name, SQLITE_FCNTL_FILE_POINTER, $0) }
    guard code == SQLITE_OK, let file, let check = file.pointee.pMethods?.pointee.xCheckReservedLock else { return false }
    var isReserved: Int32 = 0
    return check(file, &isReserved) == SQLITE_OK && isReserved != 0
  }

  /// Waits while no transaction is open: until a pause is over, and as long as somebody writes, for a short time at most.
  ///
  /// - Parameters:
  ///   - waits: Whether a writer that is there is waited for.
  ///   - isOver: Returns whether writers have been left alone for long enough in any case.
  /// - Returns: Whether a writer is there all the same.
  /// - Throws: `CancellationError`
  @discardableResult
  package func leaveAlone(_ name: String, waitsForWriter waits: Bool = true, until isOver: () -> Bool = { true }) throws -> Bool {
    let start = ContinuousClock.now
    while true {
      let isThere = hasWriter(name)
      let isWaited = waits && isThere && ContinuousClock.now - start < Self.longestPause
      guard isWaited || !isOver() else { return isThere }
      try cancellation?.check()
      usleep(500)
    }
  }

  /// How long a read waits for a writer: one that has begun to write may be in no hurry.
  private static let longestPause = Duration.milliseconds(100)
}

/// What ends a read that has to be of one state, where others write to the file meanwhile.
package struct DataChanged: Error {
  package init() {}
}

/// How a read gives writers their turn.
package struct ReadTurns {
  /// The database that is read.
  package let database: String
  /// Whether a statement that cannot be divided is ended for a writer, to be run again.
  package let endsStatements: Bool
  /// Returns when it has kept them out for long enough.
  package let end: () -> ContinuousClock.Instant
  /// How much longer a statement that cannot be divided may keep them out.
  package var overtime = Duration.milliseconds(10)
  /// Ends the read transaction, calls a closure while none is open, and begins another.
  package let take: (_ goesOn: Bool, _ pause: () throws -> Void) throws -> Void

  /// - Parameter take: Gets whether the read goes on after the pause, and what is done in it.
  package init(
    database: String, endsStatements: Bool, end: @escaping () -> ContinuousClock.Instant,
    take: @escaping (_ goesOn: Bool, _ pause: () throws -> Void) throws -> Void
  ) {
    self.database = database
    self.endsStatements = endsStatements
    self.end = end
    self.take = take
  }

  fileprivate var isDue: Bool {
    let end = end()
    return end <= .now
  }
}

extension Database {
  /// Whether the read under way has kept writers out for long enough, so that ``giveWay()`` is to be called.
  package var isTurnDue: Bool { turns?.isDue ?? false }

  /// Gives writers their turn if it is time for it; no statement may stand on a row.
  ///
  /// - Throws: What ends a read where others have written.
  package func giveWay() throws {
    guard let turns, turns.isDue else { return }
    try turns.take(true) {}
  }

  /// Does what takes long and reads nothing; in a read that gives writers their turn no transaction is open meanwhile.
  ///
  /// - Parameter goesOn: Whether anything is read after it.
  /// - Throws: What `body` throws, and what ends a read where others have written.
  package func pauseReading(goesOn: Bool = true, _ body: () throws -> Void) throws {
    guard let turns else { return try body() }
    try turns.take(goesOn, body)
  }

  /// Runs statements that cannot be divided for as long as writers may be kept out: the rest of the turn, and somewhat longer.
  ///
  /// - Returns: What `body` returns; nil where it takes longer than that.
  /// - Throws: What `body` throws, and what ends a read where others have written.
  package func withinTurn<Value>(_ body: () throws -> Value) throws -> Value? {
    guard let turns else { return try body() }
    try giveWay()
    let end = turns.end() + turns.overtime
    guard end > .now else { return nil }
    let alarm = StatementAlarm(interruption, at: end)
    defer { alarm.cancel() }
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_INTERRUPT && alarm.cancel() {
      try cancellation?.check()
      return nil
    }
  }

  /// Runs statements whose next row may be far: one that still looks for it long after the turn is over is ended.
  ///
  /// - Parameter mayEnd: Returns whether the statement itself runs, and not what is done with one of its rows.
  /// - Returns: Whether one was ended.
  /// - Throws: What `body` throws.
  package func endingLate(if mayEnd: @escaping () -> Bool, _ body: () throws -> Void) throws -> Bool {
    guard let turns else {
      try body()
      return false
    }
    var hasEnded = false
    isLate = {
      hasEnded = hasEnded || mayEnd() && turns.end() + turns.overtime <= .now
      return hasEnded
    }
    defer { isLate = nil }
    do {
      try body()
    } catch let error as DatabaseError where hasEnded && error.resultCode == DatabaseError.SQLITE_INTERRUPT {
      try cancellation?.check()
    }
    return hasEnded
  }

  /// Runs statements that cannot be divided: where a writer comes after a while they are ended, if the read is to be begun again for it.
  ///
  /// - Throws: ``DataChanged`` where they have been ended for a writer.
  package func runUndivided(_ body: () throws -> Void) throws {
    guard let turns, turns.endsStatements else { return try body() }
    var isEnded = false
    do {
      try withProgress(every: Self.stepsBetweenLooksForWriters) {
        isEnded = isEnded || turns.isDue && hasWriter(turns.database)
        return isEnded
      } during: {
        try body()
      }
    } catch let error as DatabaseError where isEnded && error.resultCode == DatabaseError.SQLITE_INTERRUPT {
      throw DataChanged()
    }
  }

  /// How many instructions run between two looks for a writer: some hundred microseconds.
  private static let stepsBetweenLooksForWriters = 10_000
}
