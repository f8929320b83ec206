internal import QuarryEngine

extension ChangeLog {
  /// Finds out of the commits that a process has left pending whether they were committed, by a look at the rows.
  ///
  /// - Parameter database: The name that the database has on the connection, which must not be in a transaction.
  func settlePending(of database: String, in db: Database) throws {
    let isNeeded = try !pendingNumbers().isEmpty
    guard isNeeded, !db.isInsideTransaction, let lock = try pendingLock(waits: false) else { return }
    defer { withExtendedLifetime(lock) {} }
    for number in try pendingNumbers() {
      do {
        let isCommitted: Bool = try db.withoutWaiting {
          try db.inTransaction(.deferred) { db in try self.isCommitted(number, of: database, in: db) }
        }
        try isCommitted ? settle(number) : withdraw(number)
      } catch DatabaseError.SQLITE_BUSY {
        // It is looked at the next time.
        return
      }
    }
  }

  /// Reads the rows of the commits that a process has left pending; none where another one is committing at this moment.
  package func pendingRows() throws -> [RecordedRow] {
    let numbers = try pendingNumbers()
    guard !numbers.isEmpty, let lock = try pendingLock(waits: false) else { return [] }
    defer { withExtendedLifetime(lock) {} }
    return try numbers.flatMap { try rows(of: $0) }
  }

  private func pendingNumbers() throws -> [Int] {
    try queue.read { db in
      try Int.fetchAll(db, sql: "SELECT number FROM recorded WHERE state = 'pending' ORDER BY number") as [Int]
    }
  }

  /// How many rows of a table are looked at.
  private static let enoughRows = 1000

  /// Returns whether more rows are as a commit would have left them than as they were before: others may have written since.
  private func isCommitted(_ number: Int, of database: String, in db: Database) throws -> Bool {
    var (left, before) = (0, 0)
    try queue.read { logDB in
      for table in try Self.tables(of: number, logDB) {
        let reference = TableReference(database: database, name: table.name)
        guard let reader = try? RecordedRowReader(table.layout, of: reference, in: db) else { continue }
        try table.forEachChange(logDB) { change in
          switch try change.isDone(in: reader.row(change.key)) {
          case true?: left += 1
          case false?: before += 1
          case nil: break
          }
          return left + before < Self.enoughRows
        }
      }
    }
    return left >= before
  }
}

extension RecordedChange {
  /// Returns whether a row is as the change has left it; nil where it is neither that nor as it was before.
  fileprivate func isDone(in row: [UInt8]?) throws -> Bool? {
    var values: [RecordedValue]?
    if let row {
      var reader = RecordedBytesReader(row)
      values = try reader.rest()
    }
    switch content {
    case .inserted(let new): return values == nil ? false : values == new ? true : nil
    case .deleted(let old): return values == nil ? true : values == old ? false : nil
    case .updated(let cells):
      guard let values, cells.allSatisfy({ values.indices.contains($0.column) }) else { return nil }
      if cells.allSatisfy({ values[$0.column] == $0.new }) { return true }
      return cells.allSatisfy({ values[$0.column] == $0.old }) ? false : nil
    }
  }
}
