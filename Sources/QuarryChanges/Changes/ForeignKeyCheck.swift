internal import QuarryEngine
internal import QuarryRows

/// Finds the dangling references that a commit would leave, and the staged changes that cause them.
struct ForeignKeyCheck {
  /// The values of a dangling foreign key.
  struct DanglingKey: Hashable {
    var table: TableReference
    var key: ForeignKeySchema
    var values: [StoredValue]
  }

  /// The written tables and the tables that refer to them.
  private var tables: Set<TableReference> = []
  /// The number of rows with each dangling key.
  private var found: [DanglingKey: Int] = [:]
  /// The staged rows that now have a dangling key.
  private var referring: [DanglingKey: [(table: TableReference, row: StagedRowID)]] = [:]
  /// The staged rows that had the referenced values before, and are now deleted or changed.
  private var referenced: [(table: TableReference, row: StagedRowID, was: [String: StoredValue])] = []

  /// Checks the open transaction of a commit that has written all of its rows.
  init(_ commit: ChangeCommit) throws {
    for writer in commit.tables where writer.schema.entry.kind != .view {
      tables.insert(writer.table)
      tables.formUnion(try commit.database.references(to: writer.table).map(\.table))
    }
    found = try danglingRows(in: commit.database)
    for writer in commit.tables where writer.schema.entry.kind != .view {
      for (row, change) in writer.rows {
        try noteReferring(row, change, writer, commit.newKeys[writer.table] ?? [:])
        noteReferenced(row, change, writer)
      }
    }
  }

  /// Counts the rows with dangling references by the values of their keys.
  func danglingRows(in database: Database) throws -> [DanglingKey: Int] {
    var rows: [DanglingKey: Int] = [:]
    for table in tables {
      for key in try ForeignKeySchema.all(of: table, in: database) {
        for (values, count) in try database.danglingRows(of: key, in: table) {
          rows[DanglingKey(table: table, key: key, values: values), default: 0] += count
        }
      }
    }
    return rows
  }

  private mutating func noteReferring(
    _ row: StagedRowID, _ change: StagedRow, _ writer: TableWriter, _ newKeys: [Int: RowKey]
  ) throws {
    let keys = Set(found.keys.filter { $0.table == writer.table }.map(\.key))
    let key: RowKey? =
      switch row {
      case .stored(let key): key
      case .new(let number): newKeys[number]
      }
    guard !keys.isEmpty, let match = key.flatMap(writer.statements.key(of:)) else { return }
    for foreign in keys {
      if case .updated(let cells) = change, !foreign.columns.contains(where: { cells[$0]?.isChange == true }) { continue }
      guard let values = try writer.read(foreign.columns, of: match) else { continue }
      referring[DanglingKey(table: writer.table, key: foreign, values: values), default: []].append((writer.table, row))
    }
  }

  private mutating func noteReferenced(_ row: StagedRowID, _ change: StagedRow, _ writer: TableWriter) {
    guard case .stored(let key) = row else { return }
    var was: [String: StoredValue] = [:]
    for match in writer.statements.key(of: key) ?? [] { was[match.column] = .value(match.value) }
    switch change {
    case .updated(let cells): was.merge(cells.mapValues(\.was)) { $1 }
    case .deleted(let values): was.merge(values) { $1 }
    case .inserted: return
    }
    referenced.append((writer.table, row, was))
  }

  // MARK: Messages

  /// Returns a failure for each staged row: the number of rows that still refer to it, or its own dangling reference.
  ///
  /// - Parameter earlier: The dangling references before the commit.
  func failures(besides earlier: [DanglingKey: Int]) -> [ConstraintFailure] {
    var failures: [ConstraintFailure] = []
    var left: [RowAddress: (parent: String, referrers: [Referrers])] = [:]
    for (dangling, count) in found.sorted(by: { $0.key.order < $1.key.order }) {
      let rows = referring[dangling] ?? []
      failures += rows.map { dangling.failure(of: $0.row) }
      let others = count - (earlier[dangling] ?? 0) - rows.count
      guard others > 0 else { continue }
      if let parent = referenced.first(where: { dangling.refersTo($0.table, $0.was) }) {
        let address = RowAddress(table: parent.table, row: parent.row)
        left[address, default: (dangling.parent, [])].referrers.append(Referrers(table: dangling.table.name, rows: others))
      } else {
        failures.append(dangling.failure(ofRows: others))
      }
    }
    failures += referenced.compactMap { table, row, _ in
      left[RowAddress(table: table, row: row)].map { parent, referrers in
        ConstraintFailure(table: table, row: row, reason: "\(parent): \(referrers.sentence)")
      }
    }
    if !failures.isEmpty { return failures }
    return [ConstraintFailure(table: tables.first ?? TableReference(name: ""), row: nil, reason: "FOREIGN KEY constraint failed")]
  }
}

/// The number of rows of a table that refer to a row.
struct Referrers: Hashable {
  var table: String
  var rows: Int
}

extension [Referrers] {
  /// A sentence about the rows: `5 rows of PlaylistTrack still refer to it`.
  var sentence: String {
    let rows = map { "\(Plural.of($0.rows, "row")) of \($0.table)" }.joined(separator: " and ")
    return "\(rows) still \(count == 1 && self[0].rows == 1 ? "refers" : "refer") to it"
  }
}

extension ForeignKeyCheck.DanglingKey {
  /// The sort key for the keys, grouped by table.
  fileprivate var order: (String, String, String) { (table.name, key.columns.joined(separator: ","), parent) }

  /// The missing row, by its table and key: `player with id 99`.
  fileprivate var parent: String {
    let columns = key.referencedColumns.isEmpty ? key.columns : key.referencedColumns
    let values = zip(columns, values).map { "\($0) \($1.value?.sqlLiteral ?? "(invalid text)")" }
    return "\(key.table.name) with \(values.joined(separator: ", "))"
  }

  /// Returns whether the values are the old values of a table's row.
  fileprivate func refersTo(_ table: TableReference, _ was: [String: StoredValue]) -> Bool {
    guard key.table.database == table.database, key.table.name.isSameIdentifier(as: table.name), !key.referencedColumns.isEmpty else {
      return false
    }
    return zip(key.referencedColumns, values).allSatisfy { column, value in
      was.first { $0.key.isSameIdentifier(as: column) }.map { $0.value.comparedInKeys == value.comparedInKeys } ?? false
    }
  }

  /// Returns the failure of a staged row with a dangling reference.
  fileprivate func failure(of row: StagedRowID) -> ConstraintFailure {
    ConstraintFailure(table: table, row: row, columns: key.columns, reason: "\(table.name) refers to \(parent), which does not exist")
  }

  /// Returns the failure of rows with dangling references that are not staged, for example because a trigger has changed them.
  fileprivate func failure(ofRows count: Int) -> ConstraintFailure {
    let rows = "\(Plural.of(count, "row")) of \(table.name) \(count == 1 ? "refers" : "refer")"
    return ConstraintFailure(table: table, row: nil, columns: key.columns, reason: "\(rows) to \(parent), which does not exist")
  }
}

extension Database {
  /// Counts the rows of a table with a dangling foreign key, by its values.
  ///
  ///     SELECT child.player, count(*) FROM main.goal AS child WHERE child.player IS NOT NULL
  ///     AND NOT EXISTS (SELECT 1 FROM main.player AS parent WHERE parent.id = child.player) GROUP BY child.player
  func danglingRows(of key: ForeignKeySchema, in table: TableReference) throws -> [(values: [StoredValue], count: Int)] {
    let columns = key.columns.map { "child.\(identifier: $0)" as SQLText }
    var conditions = columns.map { "\($0) IS NOT NULL" as SQLText }
    if !key.referencedColumns.isEmpty, try !objects("table", named: key.table.sqlText.sql).isEmpty {
      // The referenced column comes first, so that its collation is used.
      let matches = zip(key.referencedColumns, columns).map { "parent.\(identifier: $0) = \($1)" as SQLText }
      conditions.append("NOT EXISTS (SELECT 1 FROM \(key.table.sqlText) AS parent WHERE \(matches.joined(by: " AND ")))")
    }
    let groups = columns.map { "\($0) COLLATE BINARY" as SQLText }.joined(by: ", ")
    let sql: SQLText = """
      SELECT count(*), \(columns.joined(by: ", ")) FROM \(table.sqlText) AS child WHERE \(conditions.joined(by: " AND ")) GROUP BY \(groups)
      """
    var rows: [(values: [StoredValue], count: Int)] = []
    try scan(sql) { statement in
      let values = try key.columns.indices.map { try statement.storedValue(at: $0 + 1) }
      rows.append((values, Int(try statement.columnInteger(at: 0))))
      return true
    }
    return rows
  }
}

extension ChangeCommit {
  /// Returns a sentence about the rows that prevent a row from being deleted or changed, or nil if there are none.
  ///
  ///     SELECT count(*) FROM main.player AS parent, main.goal AS child WHERE parent.id = child.player AND (…)
  func referrers(to work: Work) throws -> String? {
    let condition = work.writer.statements.condition(work.key)
    let found = try database.references(to: work.writer.table).compactMap { reference -> Referrers? in
      let key = reference.key
      guard !key.referencedColumns.isEmpty else { return nil }
      let matches = zip(key.referencedColumns, key.columns).map { "parent.\(identifier: $0) = child.\(identifier: $1)" as SQLText }
      let sql: SQLText = """
        SELECT count(*) FROM (SELECT * FROM \(work.writer.table.sqlText) WHERE \(condition)) AS parent, \(reference.table.sqlText) AS child
        WHERE \(matches.joined(by: " AND "))
        """
      let count = try Int.fetchOne(database, literal: sql) ?? 0
      return count > 0 ? Referrers(table: reference.table.name, rows: count) : nil
    }
    return found.isEmpty ? nil : "\(work.writer.table.name): \(found.sentence)"
  }
}

extension StoredValue {
  /// A string that is equal for values that a foreign key may treat as equal: a number and its text, or letters of either case.
  fileprivate var comparedInKeys: String {
    switch self {
    case .value(.integer(let number)): "\(Double(number))"
    case .value(.real(let number)): "\(number)"
    case .value(.text(let text)): Double(text).map { "\($0)" } ?? text.lowercased()
    default: "\(self)"
    }
  }
}
