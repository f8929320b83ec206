/// How the rows of a set are read, found once from the schema.
enum RowLayout: Hashable, Sendable {
  /// By key, from any place.
  case keyset(KeysetRows)
  /// One after the other, from the beginning.
  case sequence(RowSequence)

  var columns: [RowSetColumn] {
    switch self {
    case .keyset(let rows): rows.columns
    case .sequence(let rows): rows.columns
    }
  }
}

/// Rows that a SELECT gives one after the other and that no key identifies.
struct RowSequence: Hashable, Sendable {
  var sql: String
  var arguments: [DatabaseValue]
  var columns: [RowSetColumn]
}

extension RowLayout {
  /// - Throws: `DatabaseError` where there is no such table or column, or where the query does not compile.
  init(of rowSet: RowSet, in database: Database) throws {
    switch rowSet.source {
    case .table(let reference):
      self = try Self.table(database.tableSchema(reference), matching: rowSet.matching, in: database)
    case .query(let sql):
      self = try .sequence(RowSequence(query: sql, matching: rowSet.matching, in: database))
    }
  }

  private static func table(_ schema: TableSchema, matching: [ColumnMatch], in database: Database) throws -> RowLayout {
    if let problem = schema.problem {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, problem)
    }
    if let missing = matching.first(where: { schema.column(named: $0.column) == nil }) {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(missing.column)")
    }
    if var rows = KeysetRows(schema, in: database) {
      rows.condition = matching.sql
      rows.arguments = matching.map(\.value)
      return .keyset(rows)
    }
    return .sequence(
      RowSequence(
        sql: "SELECT * FROM \(schema.entry.reference.sql)" + (matching.isEmpty ? "" : " WHERE \(matching.sql)"),
        arguments: matching.map(\.value), columns: schema.rowSetColumns))
  }
}

extension RowSequence {
  /// - Throws: `DatabaseError` where the text does not compile, gives no rows, or would write.
  fileprivate init(query sql: String, matching: [ColumnMatch], in database: Database) throws {
    let query = try database.makeStatement(sql: sql)
    guard query.isReadonly else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "only statements that write nothing can be shown as rows", sql: sql)
    }
    // The line break ends a comment that the query may end in.
    self.sql = matching.isEmpty ? query.sql : "SELECT * FROM (\(query.sql)\n) WHERE \(matching.sql)"
    arguments = matching.map(\.value)
    columns = query.columnNames.map { RowSetColumn(name: $0, schema: nil) }
  }
}

extension [ColumnMatch] {
  /// The condition that holds for the rows that match.
  ///
  ///     AlbumId IS ? AND Name IS ?
  fileprivate var sql: String {
    map { "\(SQLIdentifier.quoted($0.column)) IS ?" }.joined(separator: " AND ")
  }
}

extension TableSchema {
  /// The columns that `SELECT *` gives.
  var rowSetColumns: [RowSetColumn] {
    columns.filter { !$0.isHidden }.map { RowSetColumn(name: $0.name, schema: $0) }
  }
}
