package import QuarryEngine

/// The foreign keys of the result.
extension MergedResult {
  /// Returns a conflict for each row of the result that refers to a missing row, as neither side had before.
  ///
  ///     PRAGMA main.foreign_key_check(t)
  package func brokenReferences(in copy: DatabaseQueue) async throws -> [MergeConflict] {
    let violations = try await copy.withoutTransaction { try $0.foreignKeyViolations() }
    if violations == 0 { return [] }
    var (known, before): (Set<DanglingReference>, Int) = ([], 0)
    for side in [merge.mine, merge.theirs] {
      let (found, count) = try await side.schema { (try DanglingReference.all(in: $0), try $0.foreignKeyViolations()) }
      known.formUnion(found)
      before += count
    }
    let dangling = try await copy.withoutTransaction { try DanglingReference.all(in: $0) }
    var conflicts: [MergeConflict] = []
    for reference in dangling where !known.contains(reference) {
      let parents = [try await parent(of: reference, in: .mine), try await parent(of: reference, in: .theirs)]
      let children = try await childrenWithoutKey(of: reference)
      conflicts += try await copy.withoutTransaction { db in try self.conflicts(of: reference, parents, children, in: db) }
    }
    if conflicts.isEmpty, violations > before {
      var conflict = MergeConflict(.reference, "foreign_key_check")
      conflict.reason = "PRAGMA foreign_key_check reports \(Plural.of(violations, "row")), and \(before) before the merge"
      return [conflict]
    }
    return conflicts
  }

  /// Returns the key of the missing row on a side that has it.
  private func parent(of reference: DanglingReference, in side: MergeSide) async throws -> MergedRowID? {
    let source = side == .mine ? merge.mine : merge.theirs
    let foreign = reference.foreignKey
    let name = foreign.table.name.asciiLowercased
    guard let schema = (side == .mine ? mine : theirs)[name], !foreign.referencedColumns.isEmpty,
      let key = try? keys[name] ?? DiffKey.find(of: schema, nil, named: nil), key.kind != .wholeRows
    else { return nil }
    let names = key.names(in: schema).map { "\(identifier: $0)" as SQLText }
    let condition = zip(foreign.referencedColumns, reference.values).map { "\(identifier: $0) = \($1.sqlText)" as SQLText }
    let sql: SQLText =
      "SELECT \(names.joined(by: ", ")) FROM \(schema.entry.reference.sqlText) WHERE \(condition.joined(by: " AND ")) LIMIT 1"
    return try await source.rows(sql, width: names.count).first.map { MergedRowID(name, $0, by: key) }
  }

  /// Returns the rows with a reference that each side must lose if it wins, in a table whose rowids are not part of the rows.
  ///
  /// Rows of THEIRS may have other rowids in the result. Nil for other tables.
  private func childrenWithoutKey(of reference: DanglingReference) async throws -> [MergeSide: [MergedRowID]]? {
    guard let table = tables[reference.table.name.asciiLowercased], table.hasHiddenRowID else { return nil }
    let key = table.patch.table.key
    let condition = zip(reference.foreignKey.columns, reference.values).map { "\(identifier: $0) IS \($1.sqlText)" as SQLText }
    var rows: [MergeSide: [MergedRowID]] = [:]
    for (side, other, schema) in [(MergeSide.mine, merge.theirs, table.patch.table.after), (.theirs, merge.mine, table.schema)] {
      guard let schema else { continue }
      let sql: SQLText =
        "SELECT \(identifier: key.names(in: schema)[0]) FROM \(schema.entry.reference.sqlText) WHERE \(condition.joined(by: " AND "))"
      rows[side] = try await other.rows(sql, width: 1).map { MergedRowID(table.name, $0, by: key) }
    }
    return rows
  }

  /// Returns a conflict for each row with a dangling reference.
  ///
  /// - Parameters:
  ///   - parents: The missing row in MINE and THEIRS, or nil if that side lacks it too.
  ///   - keyless: The rows that each side must lose if it wins, if the rows of the result cannot be matched.
  private func conflicts(
    of reference: DanglingReference, _ parents: [MergedRowID?], _ keyless: [MergeSide: [MergedRowID]]?, in db: Database
  ) throws -> [MergeConflict] {
    let foreign = reference.foreignKey
    let schema = try db.tableSchema(reference.table)
    let key = try keys[reference.table.name.asciiLowercased] ?? DiffKey.find(of: schema, nil, named: nil)
    let names = key.kind == .wholeRows ? [] : key.names(in: schema)
    let list = names.isEmpty ? "NULL" : names.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let condition = zip(foreign.columns, reference.values).map { "\(identifier: $0) IS \($1.sqlText)" as SQLText }
    let children = try db.storedRows(
      "SELECT \(list) FROM \(reference.table.sqlText) WHERE \(condition.joined(by: " AND "))", width: max(1, names.count))
    return children.map { values in
      var conflict = MergeConflict(
        .reference, reference.table.name, key: zip(names, values).map { (column: $0, value: $1) },
        column: foreign.columns.joined(separator: ", "))
      let parent = reference.parent
      func text(_ index: Int) -> StoredValue {
        .value(.text(parents[index] == nil ? "\(parent) is missing" : "refers to \(parent)"))
      }
      (conflict.mine, conflict.theirs) = (text(0), text(1))
      let row = values.map { $0.databaseValue.shortLiteral }.joined(separator: ", ")
      conflict.reason = "row \(row) of \(reference.table.name) refers to \(parent), which does not exist in the result"
      if !names.isEmpty {
        let child = MergedRowID(reference.table.name, values, by: key)
        for (side, parent) in zip(MergeSide.allCases, parents) {
          conflict.rows[side] = keyless.map { rows in parent.map { [$0] } ?? rows[side] ?? [] } ?? [parent, child].compactMap(\.self)
        }
        conflict.needsAllRows = keyless != nil
      }
      return conflict
    }
  }
}

extension Database {
  /// Returns the number of violations that SQLite reports.
  ///
  /// Tables with a foreign key that refers to columns without a unique index are skipped, because SQLite cannot check them.
  fileprivate func foreignKeyViolations() throws -> Int {
    var count = 0
    for entry in try catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.kind == .table {
      do {
        try scan("PRAGMA main.foreign_key_check(\(identifier: entry.reference.name))") { _ in
          count += 1
          return true
        }
      } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
        continue
      }
    }
    return count
  }
}

/// The values of a foreign key that refer to a row that does not exist.
struct DanglingReference: Hashable, Sendable {
  let table: TableReference
  let foreignKey: ForeignKeySchema
  let values: [StoredValue]

  /// Finds the dangling references of a database.
  ///
  /// Foreign keys that refer to columns without a unique index are skipped, because SQLite cannot check them either.
  static func all(in db: Database) throws -> [DanglingReference] {
    var found: [DanglingReference] = []
    for entry in try db.catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.kind == .table {
      for key in try ForeignKeySchema.all(of: entry.reference, in: db) where try isKey(key, in: db) {
        found += try db.danglingRows(of: key, in: entry.reference).map { values, _ in
          DanglingReference(table: entry.reference, foreignKey: key, values: values)
        }
      }
    }
    return found
  }

  /// Whether a foreign key refers to a table that does not exist, or to unique columns.
  private static func isKey(_ key: ForeignKeySchema, in db: Database) throws -> Bool {
    guard let parent = try? db.tableSchema(key.table) else { return true }
    let columns = Set(key.referencedColumns.map(\.asciiLowercased))
    if columns == Set(parent.primaryKey.map(\.asciiLowercased)) { return !columns.isEmpty }
    return parent.indexes.contains { index in
      index.isUnique && !index.isPartial && Set(index.terms.map { $0.column?.asciiLowercased }) == Set(columns.map(Optional.some))
    }
  }

  /// The missing row: `p 2`.
  var parent: String { "\(foreignKey.table.name) \(values.map { $0.databaseValue.shortLiteral }.joined(separator: ", "))" }

  /// The names in lowercase.
  private var names: [String] {
    ([table.name, foreignKey.table.name] + foreignKey.columns).map(\.asciiLowercased)
  }

  static func == (left: Self, right: Self) -> Bool { left.names == right.names && left.values == right.values }

  func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(values)
  }
}
