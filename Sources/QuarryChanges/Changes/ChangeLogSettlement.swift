internal import QuarryEngine

extension ChangeLog {
  /// Determines from the rows whether pending commits of a process were committed.
  ///
  /// - Parameter database: The name of the database on the connection, which must not be in a transaction.
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
        // It is checked the next time.
        return
      }
    }
  }

  /// Reads the rows of pending commits.
  ///
  /// Returns none while another process is committing.
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

  /// The maximum number of rows of a table to check.
  private static let enoughRows = 1000

  /// Returns whether a commit was made, according to the schema if the commit has changed it, and otherwise to the majority of its rows.
  ///
  /// Some rows may have been changed externally meanwhile.
  private func isCommitted(_ number: Int, of database: String, in db: Database) throws -> Bool {
    try queue.read { logDB in
      var traces = CommitTraces()
      let schema = try RecordedSchema(of: database, in: db)
      for object in try Self.objects(of: number, logDB) { traces.note(object.isDone(in: schema)) }
      if !traces.tells { try note(rowsOf: number, of: database, in: db, logDB, in: &traces) }
      if !traces.tells { try note(sequencesOf: number, of: database, in: db, logDB, in: &traces) }
      return traces.left >= traces.before
    }
  }

  private func note(
    rowsOf number: Int, of database: String, in db: Database, _ logDB: Database, in traces: inout CommitTraces
  ) throws {
    for table in try Self.tables(of: number, logDB) {
      let reference = TableReference(database: database, name: table.name)
      guard let reader = try? RecordedRowReader(table.layout, of: reference, in: db) else { continue }
      try table.forEachChange(logDB) { change in
        traces.note(try change.isDone(in: reader.row(change.key)))
        return traces.count < Self.enoughRows
      }
    }
  }

  private func note(
    sequencesOf number: Int, of database: String, in db: Database, _ logDB: Database, in traces: inout CommitTraces
  ) throws {
    let changes = try Self.sequences(of: number, logDB)
    guard !changes.isEmpty else { return }
    let now = try RecordedTransaction.sequences(of: database, in: db)
    for change in changes where change.old != change.new {
      traces.note(now[change.name] == change.new ? true : now[change.name] == change.old ? false : nil)
    }
  }
}

/// Evidence of whether a commit was made: the number of items in the state after it, and in the state before it.
private struct CommitTraces {
  private(set) var (left, before) = (0, 0)

  var count: Int { left + before }
  /// Whether one state is more frequent than the other.
  var tells: Bool { left != before }

  /// Counts an item in the state after the commit (true) or before it (false).
  ///
  /// Nil for any other state.
  mutating func note(_ isDone: Bool?) {
    switch isDone {
    case true?: left += 1
    case false?: before += 1
    case nil: break
    }
  }
}

extension RecordedObject {
  /// Returns whether a schema has the object as after the commit, or false as before it.
  ///
  /// Nil for any other state, or if both states are equal.
  fileprivate func isDone(in schema: RecordedSchema) -> Bool? {
    let isLeft = schema.has(type, name, newSQL)
    return isLeft == schema.has(type, oldName ?? name, oldSQL) ? nil : isLeft
  }
}

extension RecordedSchema {
  /// Returns whether there is an object with this type, name and SQL.
  ///
  /// If the SQL is nil, returns whether no object has this type and name.
  fileprivate func has(_ type: String, _ name: String, _ sql: String?) -> Bool {
    let type = type == RecordedObject.shadowType ? "table" : type
    let found = objects.first { $0.type == type && $0.name == name }
    return found?.sql == sql
  }
}

extension RecordedChange {
  /// Returns whether a row is as after the change, or false as before it.
  ///
  /// Nil for any other state.
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
