public import QuarryEngine
public import QuarryRows

/// The table of a query's rows, with the table's column for each result column.
///
/// It is needed to change the rows.
///
/// SQLite reports the origin of each column. A result row is a row of the table only if the query reads no other table.
public struct ResultTable: Hashable, Sendable {
  /// The table.
  public let schema: TableSchema
  /// The table's column for each result column, or nil for a computed column and for a rowid that is not a column.
  public let columns: [ColumnSchema?]
  /// The indexes of the result columns with the table's key.
  private let key: [Int]
  /// Whether the rowids must be looked up, because the result contains the primary key but not the rowid.
  package let needsRowIDs: Bool

  /// Creates the description of the table of a query's rows.
  ///
  /// - Parameters:
  ///   - schema: The table.
  ///   - columns: The table's column for each result column.
  ///   - key: The indexes of the result columns with the table's key.
  ///   - needsRowIDs: Whether that is the primary key of a rowid table, so that the rowids must be looked up.
  public init(schema: TableSchema, columns: [ColumnSchema?], key: [Int], needsRowIDs: Bool = false) {
    (self.schema, self.columns, self.key, self.needsRowIDs) = (schema, columns, key, needsRowIDs)
  }

  /// Returns the key of a row in the table.
  ///
  /// - Parameter cells: The row's values in a page.
  /// - Returns: Nil if a value of the key is truncated in the page, or if ``Database/keys(of:in:)`` must look up the row.
  public func key(of cells: [CellValue]) -> RowKey? {
    guard !needsRowIDs, let values = keyValues(of: cells) else { return nil }
    if schema.entry.isWithoutRowID { return .values(values) }
    guard case .integer(let number)? = values.first else { return nil }
    return .rowID(number)
  }

  /// Returns the primary key for looking up the rowid.
  ///
  /// Nil if a value is truncated or NULL, which several rows can have.
  fileprivate func primaryKey(of cells: [CellValue]) -> [ColumnMatch]? {
    guard let values = keyValues(of: cells), !values.contains(.null) else { return nil }
    return zip(schema.primaryKey, values).map { ColumnMatch(column: $0, value: $1) }
  }

  private func keyValues(of cells: [CellValue]) -> [DatabaseValue]? {
    let values = key.compactMap { cells.indices.contains($0) ? cells[$0].whole?.value : nil }
    return values.count == key.count ? values : nil
  }
}

/// Whether the rows of a query can be changed, with the reason if not.
public enum ResultEditability: Hashable, Sendable {
  /// The rows belong to this table and can be changed.
  case editable(ResultTable)
  /// The rows cannot be changed, with the reason as a sentence.
  case refused(String)

  /// The table, or nil if the rows cannot be changed.
  public var table: ResultTable? {
    if case .editable(let table) = self { table } else { nil }
  }
}

extension Database {
  /// Returns whether the rows of a query can be changed in their table.
  ///
  /// ```swift
  /// try db.editability(ofQuery: "SELECT id, upper(name), score AS points FROM player WHERE score > 10")
  /// // .editable: player, whose columns are id, nil and score
  /// try db.editability(ofQuery: "SELECT name FROM player")
  /// // .refused("the key of player is not in the result: add id to the SELECT")
  /// ```
  ///
  /// The query must be a single SELECT from a single table, and must include the columns of the table's key: the primary key or the rowid.
  ///
  /// - Throws: ``DatabaseError`` if the query does not compile.
  public func editability(ofQuery sql: String) throws -> ResultEditability {
    let statement = try makeStatement(sql: sql)
    let origins = statement.columnOrigins
    guard let source = StatementSyntax(sql).onlySource else {
      return .refused("the rows of a query can be changed only if it is one SELECT from one table")
    }
    guard let table = origins.compactMap({ $0?.table }).first, table.name.isSameIdentifier(as: source) else {
      return .refused("no column of the result comes from a table")
    }
    let schema = try tableSchema(table)
    let columns = origins.map { origin in origin.flatMap { schema.column(named: $0.column) } }
    func places(_ names: [String]) -> [Int?] {
      names.map { name in origins.firstIndex { $0?.column.isSameIdentifier(as: name) ?? false } }
    }
    if let name = schema.rowIDName, let place = places([name]).first ?? nil {
      return .editable(ResultTable(schema: schema, columns: columns, key: [place]))
    }
    let names = schema.keyNames
    let key = places(names)
    guard !key.isEmpty, !key.contains(nil) else { return .refused(schema.missingKey(names, key)) }
    return .editable(
      ResultTable(schema: schema, columns: columns, key: key.compactMap(\.self), needsRowIDs: !schema.entry.isWithoutRowID))
  }

  /// Returns the table's keys of a query's rows, in order.
  ///
  /// Nil for a row whose key no longer exists in the table.
  ///
  /// If the query includes the primary key but not the rowid, the rowid is looked up:
  ///
  /// ```sql
  /// SELECT rowid FROM main.country WHERE ((code = 'IS') AND (+code IS 'IS' COLLATE BINARY AND typeof(code) = 'text'))
  /// ```
  ///
  /// - Throws: ``DatabaseError``
  public func keys(of rows: [WindowRow], in table: ResultTable) throws -> [RowKey?] {
    guard table.needsRowIDs, let rowIDName = table.schema.rowIDName else { return rows.map { table.key(of: $0.cells) } }
    let name: SQLText = "\(identifier: rowIDName)"
    return try rows.map { row in
      guard let key = table.primaryKey(of: row.cells) else { return nil }
      let conditions = key.flatMap { match -> [any QueryExpression<Bool>] in
        [Equality(Column<DatabaseValue>(match.column), BoundValue(match.value)), ExactMatch(match)]
      }
      let sql: SQLText = "SELECT \(name) FROM \(table.schema.entry.reference.sqlText) WHERE \(Logic(.and, conditions).sqlText)"
      guard case .integer(let number)?? = try firstRow(sql, count: 1)?.first?.value else { return nil }
      return .rowID(number)
    }
  }
}

extension TableSchema {
  /// The names of the columns that identify a row: the primary key, or the rowid of a table without a primary key.
  ///
  /// Empty if rows cannot be identified.
  fileprivate var keyNames: [String] {
    guard let rowIDName else { return entry.isWithoutRowID ? primaryKey : [] }
    return primaryKey.isEmpty ? [rowIDName] : primaryKey
  }

  fileprivate func missingKey(_ names: [String], _ found: [Int?]) -> String {
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard !missing.isEmpty else { return "no key identifies the rows of \(entry.reference.name)" }
    return "the key of \(entry.reference.name) is not in the result: add \(missing.joined(separator: ", ")) to the SELECT"
  }
}

extension StatementSyntax {
  /// The name of the table that the statement reads, if the statement is a single SELECT from one table without a WITH clause.
  ///
  /// Otherwise nil.
  fileprivate var onlySource: String? {
    let compounds: Set<Keyword> = [.union, .intersect, .except, .with]
    guard !(0..<tokens.count).contains(where: { tokens.keyword($0).map(compounds.contains) ?? false }) else { return nil }
    guard mainQuery.sources.count == 1, let source = mainQuery.sources.first, source.body == nil else { return nil }
    return source.name?.name
  }
}
