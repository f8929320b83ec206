internal import QuarryEngine

/// The SELECT that returns the rows of a view, with the parameters of its filter.
///
///     SELECT TrackId, Name
///     FROM Track
///     WHERE (Milliseconds > :least)
///     ORDER BY Name, TrackId
package struct ViewStatement: Hashable, Sendable {
  /// The statement.
  package let sql: String

  /// Creates the statement for the rows of a table or view; nil for rows of another source.
  ///
  /// - Parameters:
  ///   - rows: The table, and the values that its columns must have.
  ///   - view: The filter and the sort order.
  ///   - columns: The columns of the table.
  ///   - shown: The columns to return, in order.
  ///   - isWhole: Whether these are all columns of the table.
  /// - Throws: ``RowViewError`` if the view does not compile.
  package init?(
    _ rows: RowSet, _ view: RowView, columns: FilterColumns, shown: [RowSetColumn], isWhole: Bool
  ) throws(RowViewError) {
    guard case .table = rows.source else { return nil }
    let opened = try view.withOpenParameters(for: columns)
    var whole = RowSet(rows.source, matching: rows.matching)
    whole.filter = opened.rowFilter
    let list = isWhole ? "*" : shown.map(Self.term).joined(separator: ", ")
    let table = RowSet(rows.source).sqlText.queryString.dropFirst("SELECT * FROM ".count)
    var lines = ["SELECT \(list)", "FROM \(table)"]
    let condition = whole.condition.queryString
    if !condition.isEmpty { lines.append("WHERE \(condition)") }
    let keys = RowOrder(opened.sort.totalOrderings).sqlText.queryString
    if !keys.isEmpty { lines.append("ORDER BY \(keys)") }
    sql = lines.joined(separator: "\n")
  }

  private static func term(_ column: RowSetColumn) -> String {
    let name = SQLIdentifier.quoted(column.name)
    return column.computed.map { "\($0.sqlText.queryString) AS \(name)" } ?? name
  }
}
