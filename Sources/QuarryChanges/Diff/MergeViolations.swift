package import QuarryEngine

/// The checks of a merge's result, whose violations become conflicts.
package struct MergedResult: Sendable {
  let merge: DatabaseMerge
  /// The changed tables by their names in lowercase.
  let tables: [String: MergedTable]
  /// The keys of the common tables, by their names in lowercase.
  let keys: [String: DiffKey]
  /// The tables of MINE and THEIRS by their names in lowercase.
  let mine: [String: TableSchema]
  let theirs: [String: TableSchema]
  /// The objects of the result.
  let schema: DiffSchema
}

extension MergedResult {
  /// Runs statements on a copy of MINE, and returns a conflict for each that violates a constraint.
  package func run(_ statements: [PatchStatement], in db: Database) throws -> [MergeConflict] {
    var conflicts: [MergeConflict] = []
    for statement in statements {
      do {
        switch statement {
        case .object(let sql): try db.execute(sql: sql)
        case .sql(let sql), .row(let sql, _), .restore(let sql, _): try db.run(sql)
        }
      } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CONSTRAINT {
        conflicts += try self.conflicts(of: statement, error, in: db)
      }
    }
    return conflicts
  }

  private func conflicts(of statement: PatchStatement, _ error: DatabaseError, in db: Database) throws -> [MergeConflict] {
    switch statement {
    case .row(_, let difference):
      guard let table = tables[difference.table.asciiLowercased] else { break }
      return [try conflict(of: difference, table.patch, error, in: db)]
    case .restore(_, let name):
      guard let table = tables[name.asciiLowercased] else { break }
      return try conflicts(ofCopied: table.patch, in: db)
    case .object(let sql):
      if let conflict = try conflict(ofIndex: sql, error, in: db) { return [conflict] }
    case .sql: break
    }
    var conflict = MergeConflict(.constraint, error.message)
    conflict.reason = error.message
    return [conflict]
  }

  // MARK: Rows

  /// Returns the conflict of a row that THEIRS changed.
  private func conflict(of difference: RowDifference, _ patch: RowPatch, _ error: DatabaseError, in db: Database) throws -> MergeConflict {
    let columns = patch.constrainedColumns(error)
    let values = zip(patch.table.names, difference.new ?? difference.old ?? []).map { (column: $0, value: $1) }
    let others = try patch.giving(difference, replacing: true).prefix(1).flatMap { insertion in
      try db.rows(replacedBy: insertion, in: patch, columns: patch.keyNames + columns)
    }
    return conflict(patch, difference.key, values, columns, others, error)
  }

  /// Returns the conflicts of rows that are copied into a table that has been recreated.
  private func conflicts(ofCopied patch: RowPatch, in db: Database) throws -> [MergeConflict] {
    var rows: [(number: Int64, key: [StoredValue])] = []
    try db.scan(patch.copiedRows) { statement in
      rows.append((try statement.columnInteger(at: 0), try patch.keyNames.indices.map { try statement.storedValue(at: $0 + 1) }))
      return true
    }
    var conflicts: [MergeConflict] = []
    for row in rows {
      do {
        try db.run(patch.restoring(row.number))
      } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CONSTRAINT {
        let columns = patch.constrainedColumns(error)
        let others = try db.rows(
          replacedBy: patch.restoring(row.number, replacing: true), in: patch, columns: patch.keyNames + columns)
        let key = zip(patch.keyNames, row.key).map { (column: $0, value: $1) }
        conflicts.append(conflict(patch, key, key, columns, others, error))
      }
    }
    return conflicts
  }

  /// Creates the conflict of a row that SQLite refuses.
  ///
  /// - Parameter others: The keys of the rows with its unique values, and their values of the constrained columns.
  private func conflict(
    _ patch: RowPatch, _ key: [(column: String, value: StoredValue)], _ values: [(column: String, value: StoredValue)],
    _ columns: [String], _ others: [[StoredValue]], _ error: DatabaseError
  ) -> MergeConflict {
    let names = patch.keyNames + columns
    let shown = values.filter { value in names.contains { $0.isSameIdentifier(as: value.column) } }
    var conflict = MergeConflict(
      .constraint, patch.table.name, key: key, column: columns.isEmpty ? nil : columns.joined(separator: ", "),
      mine: others.first.map { .text(of: Array(zip(names, $0)).map { (column: $0, value: $1) }) }, theirs: .text(of: shown))
    conflict.reason = error.message
    guard patch.table.key.kind != .wholeRows else { return conflict }
    let row = MergedRowID(patch.table.name, key.map(\.value), by: patch.table.key)
    let rows = others.map { MergedRowID(patch.table.name, $0, by: patch.table.key) }
    conflict.rows = [.mine: [row] + rows, .theirs: rows + [row]]
    return conflict
  }

  // MARK: Indexes

  /// Returns the conflict of a unique index of one side, if rows of the result have the same values.
  ///
  ///     SELECT id FROM main.t WHERE (a COLLATE NOCASE) IN (SELECT a FROM main.t GROUP BY a COLLATE NOCASE HAVING count(*) > 1)
  private func conflict(ofIndex sql: String, _ error: DatabaseError, in db: Database) throws -> MergeConflict? {
    guard let object = schema.objects.first(where: { $0.kind == "index" && $0.sql == sql }) else { return nil }
    let (name, reference) = (object.table.asciiLowercased, TableReference(name: object.table))
    let index = [mine, theirs].lazy.compactMap { $0[name]?.indexes.first { $0.name.isSameIdentifier(as: object.name) } }.first
    let columns = index?.terms.compactMap(\.column) ?? []
    var conflict = MergeConflict(.constraint, object.table, column: columns.isEmpty ? nil : columns.joined(separator: ", "))
    conflict.reason = "\(error.message) (index \(object.name))"
    guard let index, !index.isPartial, columns.count == index.terms.count, let key = keys[name], key.kind != .wholeRows else {
      return conflict
    }
    let terms = index.terms.map { "\(identifier: $0.column ?? "") COLLATE \(identifier: $0.collation)" as SQLText }.joined(by: ", ")
    let names = key.names(in: try db.tableSchema(reference)).map { "\(identifier: $0)" as SQLText }
    let list = columns.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let query: SQLText = """
      SELECT \(names.joined(by: ", ")) FROM \(reference.sqlText)
      WHERE (\(terms)) IN (SELECT \(list) FROM \(reference.sqlText) GROUP BY \(terms) HAVING count(*) > 1)
      """
    let found = try db.storedRows(query, width: names.count)
    let rows = found.map { MergedRowID(name, $0, by: key) }
    conflict.rows = [.mine: rows, .theirs: rows]
    conflict.needsAllRows = true
    conflict.theirs = .value(.text("\(Plural.of(found.count, "row")) with equal values"))
    return conflict
  }
}

extension RowPatch {
  /// Returns the columns of a violated constraint: `u` of `UNIQUE constraint failed: t.u`.
  fileprivate func constrainedColumns(_ error: DatabaseError) -> [String] {
    guard let colon = error.message.firstRange(of: ": ") else { return [] }
    let prefix = "\(result.entry.reference.name)."
    return error.message[colon.upperBound...].split(separator: ", ").compactMap { part in
      guard part.hasPrefix(prefix) else { return nil }
      return result.column(named: String(part.dropFirst(prefix.count)))?.name
    }
  }
}

extension StoredValue {
  /// Returns values as a text: `id = 4, u = 'x'`.
  static func text(of values: [(column: String, value: StoredValue)]) -> StoredValue {
    var seen: Set<String> = []
    let parts = values.filter { seen.insert($0.column.asciiLowercased).inserted }
    return .value(.text(parts.map { "\($0.column) = \($0.value.databaseValue.shortLiteral)" }.joined(separator: ", ")))
  }
}

extension Database {
  fileprivate func run(_ sql: SQLText) throws {
    if sql.values.isEmpty { try execute(literal: sql) } else { try scan(sql) { _ in true } }
  }

  /// Reads the rows of a SELECT.
  func storedRows(_ sql: SQLText, width: Int) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    try scan(sql) { statement in
      rows.append(try (0..<width).map { try statement.storedValue(at: $0) })
      return true
    }
    return rows
  }

  /// Returns values of the rows that prevent an insertion, by their unique values.
  ///
  /// SQLite itself determines them: INSERT OR REPLACE deletes them, which a trigger notes, and all of it is rolled back.
  ///
  ///     CREATE TEMP TRIGGER quarry_replaced AFTER DELETE ON main.t BEGIN INSERT INTO quarry_replaced VALUES(OLD.id, OLD.u); END
  fileprivate func rows(replacedBy insertion: SQLText, in patch: RowPatch, columns: [String]) throws -> [[StoredValue]] {
    let name: SQLText = "\(identifier: "quarry_replaced")"
    let list = columns.indices.map { "\(identifier: "c\($0)")" as SQLText }.joined(by: ", ")
    let values = columns.map { "OLD.\(identifier: $0)" as SQLText }.joined(by: ", ")
    // Delete triggers run for replaced rows only with this setting.
    try execute(sql: "SAVEPOINT quarry_replaced; PRAGMA recursive_triggers = ON")
    let found = Result {
      try execute(literal: "CREATE TEMP TABLE \(name)(\(list))")
      try execute(
        literal: """
          CREATE TEMP TRIGGER \(name) AFTER DELETE ON main.\(identifier: patch.result.entry.reference.name)
          BEGIN INSERT INTO \(name) VALUES(\(values)); END
          """)
      do {
        try run(insertion)
      } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CONSTRAINT {
        // The row violates a constraint by itself.
        return [[StoredValue]]()
      }
      return try storedRows("SELECT * FROM temp.\(name)", width: columns.count)
    }
    try execute(sql: "ROLLBACK TO quarry_replaced; RELEASE quarry_replaced; PRAGMA recursive_triggers = OFF")
    return try found.get()
  }
}
