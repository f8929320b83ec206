/// A row that refers to one that is not there.
struct ForeignKeyViolation: Hashable {
  /// The table of the row that refers, and its rowid, which a WITHOUT ROWID table has not.
  var table: TableReference
  var rowID: Int64?
  /// The table that it refers to.
  var parent: String
  /// The number of the key among those of the table.
  var key: Int
}

/// Finds the rows that a commit would leave referring to none.
struct ForeignKeyCheck: Hashable {
  /// The tables that were written, and those that refer to them.
  private var tables: Set<TableReference> = []
  /// The rows that are staged, new ones by the key that they have got.
  private var staged: [RowAddress: StagedRowID] = [:]

  /// Takes note of what a commit has written.
  init(_ commit: ChangeCommit) throws {
    for writer in commit.tables where writer.schema.entry.kind != .view {
      tables.insert(writer.table)
      tables.formUnion(try commit.database.references(to: writer.table).map(\.table))
      for (row, _) in writer.rows {
        if case .stored = row { staged[RowAddress(table: writer.table, row: row)] = row }
      }
      for (number, key) in commit.newKeys[writer.table] ?? [:] {
        staged[RowAddress(table: writer.table, row: .stored(key))] = .new(number)
      }
    }
  }

  /// Reads the rows that refer to none.
  ///
  ///     PRAGMA main.foreign_key_check(Track)
  func violations(in database: Database) throws -> Set<ForeignKeyViolation> {
    try Set(
      tables.flatMap { table in
        let sql = SQLText("PRAGMA \(identifier: table.database).foreign_key_check(\(identifier: table.name))")
        return try Row.fetchAll(database, sql: sql.sql).map { row in
          try ForeignKeyViolation(table: table, rowID: row[1], parent: row[2], key: row[3])
        }
      })
  }

  /// Says of each violation which row refers to nothing, with the row that is staged where it is one.
  ///
  /// Where triggers have made rows of other tables refer to none, SQLite does not say which.
  func failures(of violations: Set<ForeignKeyViolation>, in database: Database) -> [ConstraintFailure] {
    let order = violations.sorted { ($0.table.name, $0.rowID ?? 0, $0.key) < ($1.table.name, $1.rowID ?? 0, $1.key) }
    let found = order.map { failure(of: $0, in: database) }
    if !found.isEmpty { return found }
    return [ConstraintFailure(table: tables.first ?? TableReference(name: ""), row: nil, reason: "FOREIGN KEY constraint failed")]
  }

  private func failure(of violation: ForeignKeyViolation, in database: Database) -> ConstraintFailure {
    let keys = (try? ForeignKeySchema.all(of: violation.table, in: database)) ?? []
    // SQLite counts from the last one that is declared.
    let index = keys.count - 1 - violation.key
    let number = violation.rowID.map { " \($0)" } ?? ""
    return ConstraintFailure(
      table: violation.table,
      row: violation.rowID.flatMap { staged[RowAddress(table: violation.table, row: .stored(.rowID($0)))] },
      columns: keys.indices.contains(index) ? keys[index].columns : [],
      reason: "\(violation.table.name)\(number) refers to a row of \(violation.parent) that is not there (FOREIGN KEY constraint failed)")
  }
}
