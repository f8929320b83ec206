/// The table that the rows of a query come from, and what of it each column is: by it the rows can be changed.
///
/// SQLite tells where a column comes from. A row is one of the table's only where the query reads nothing but that table.
public struct ResultTable: Hashable, Sendable {
  /// The table.
  public let schema: TableSchema
  /// The table's column that each column of the query is; nil for one that is computed, and for a rowid that is no column.
  public let columns: [ColumnSchema?]
  /// The indexes of the query's columns that the table's key is in.
  private let key: [Int]

  /// Makes a description of where a query's rows come from.
  ///
  /// - Parameters:
  ///   - schema: The table.
  ///   - columns: The table's column that each column of the query is.
  ///   - key: The indexes of the query's columns that the table's key is in.
  public init(schema: TableSchema, columns: [ColumnSchema?], key: [Int]) {
    (self.schema, self.columns, self.key) = (schema, columns, key)
  }

  /// Returns what the table knows a row by.
  ///
  /// - Parameter cells: The row's values, as a page has them.
  /// - Returns: Nil where a value of the key is cut off in the page.
  public func key(of cells: [CellValue]) -> RowKey? {
    let values = key.compactMap { cells.indices.contains($0) ? cells[$0].whole?.value : nil }
    guard values.count == key.count else { return nil }
    if schema.entry.isWithoutRowID { return .values(values) }
    guard case .integer(let number)? = values.first else { return nil }
    return .rowID(number)
  }
}

/// Whether the rows of a query can be changed, or why not.
public enum ResultEditability: Hashable, Sendable {
  /// They are rows of this table.
  case editable(ResultTable)
  /// They are not, with the reason as a sentence.
  case refused(String)

  /// The table; nil where the rows cannot be changed.
  public var table: ResultTable? {
    if case .editable(let table) = self { table } else { nil }
  }
}

extension Database {
  /// Returns whether the rows of a query can be changed in the table that they come from.
  ///
  /// ```swift
  /// try db.editability(ofQuery: "SELECT id, upper(name), score AS points FROM player WHERE score > 10")
  /// // .editable: player, whose columns are id, nil and score
  /// try db.editability(ofQuery: "SELECT name FROM player")
  /// // .refused("the key of player is not in the result: add id to the SELECT")
  /// ```
  ///
  /// They can where the query is a single SELECT from a single table, and has the columns of the table's key: those of the primary key of
  /// a table WITHOUT ROWID, else the INTEGER PRIMARY KEY or the rowid.
  ///
  /// - Throws: ``DatabaseError`` where the query does not compile.
  public func editability(ofQuery sql: String) throws -> ResultEditability {
    let statement = try makeStatement(sql: sql)
    let origins = statement.columnOrigins
    guard let source = StatementSyntax(sql).onlySource else {
      return .refused("the rows of a query can only be changed where it is one SELECT from one table")
    }
    guard let table = origins.compactMap({ $0?.table }).first, table.name.isSameIdentifier(as: source) else {
      return .refused("no column of the result is one of a table")
    }
    let schema = try tableSchema(table)
    let names = schema.keyNames
    let key = names.map { name in origins.firstIndex { $0?.column.isSameIdentifier(as: name) ?? false } }
    guard !key.isEmpty, !key.contains(nil) else { return .refused(schema.missingKey(names, key)) }
    let columns = origins.map { origin in origin.flatMap { schema.column(named: $0.column) } }
    return .editable(ResultTable(schema: schema, columns: columns, key: key.compactMap(\.self)))
  }
}

extension TableSchema {
  /// The names of the columns that tell the rows apart; empty where nothing does.
  fileprivate var keyNames: [String] {
    guard entry.isWithoutRowID else { return [rowIDName].compactMap(\.self) }
    let key = columns.compactMap { column in column.primaryKeyPosition.map { (position: $0, name: column.name) } }
    return key.sorted { $0.position < $1.position }.map(\.name)
  }

  fileprivate func missingKey(_ names: [String], _ found: [Int?]) -> String {
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard !missing.isEmpty else { return "no key tells the rows of \(entry.reference.name) apart" }
    return "the key of \(entry.reference.name) is not in the result: add \(missing.joined(separator: ", ")) to the SELECT"
  }
}

extension StatementSyntax {
  /// The name of the table that the statement reads, where it is one SELECT from one table, and nothing stands in for that.
  fileprivate var onlySource: String? {
    let compounds: Set<Keyword> = [.union, .intersect, .except, .with]
    guard !(0..<tokens.count).contains(where: { tokens.keyword($0).map(compounds.contains) ?? false }) else { return nil }
    guard mainQuery.sources.count == 1, let source = mainQuery.sources.first, source.body == nil else { return nil }
    return source.name?.name
  }
}
