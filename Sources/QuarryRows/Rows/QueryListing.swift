package import QuarryEngine

/// A statement that returns some columns of a query's rows, with the filter and order of a row set, and with the query's parameters.
///
///     SELECT Name, Milliseconds FROM (SELECT * FROM Track WHERE AlbumId = :album
///     ) WHERE (Milliseconds > 300000)
package struct QueryListing: Hashable, Sendable {
  /// The value of a parameter; NULL if none was given.
  package struct Argument: Hashable, Sendable {
    /// The name of the parameter on a command line: `album`, `2`.
    package let key: String
    /// Its value.
    package let value: DatabaseValue
  }

  /// The statement.
  package let sql: String
  /// The values of its parameters.
  package let arguments: [Argument]

  /// Creates the statement for rows of a query; nil for rows of another source.
  ///
  /// Rows with equal sort keys stay in the order of the query.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - shown: The indexes of the columns to return, in order.
  ///   - columns: All columns of the rows.
  package init?(of rows: RowSet, showing shown: [Int], of columns: [RowSetColumn]) {
    guard case .query(var query, let values) = rows.source else { return nil }
    if let arguments = Self.arguments(of: query, values) {
      self.arguments = arguments
    } else {
      query = RowSet(rows.source).sqlText.queryString
      arguments = []
    }
    let isWhole = rows.isWhole && shown == Array(columns.indices)
    sql = isWhole ? query : Self.selection(query, rows, shown, of: columns)
  }

  /// Returns the values of a query's parameters; nil if one key would have two values, for example with `:x` and `@x`.
  private static func arguments(of query: String, _ values: [DatabaseValue]) -> [Argument]? {
    var arguments: [Argument] = []
    for parameter in StatementTokens(query).parameters {
      let index = parameter.number - 1
      let key = parameter.key
      let argument = Argument(key: key, value: values.indices.contains(index) ? values[index] : .null)
      guard let known = arguments.first(where: { $0.key == key }) else {
        arguments.append(argument)
        continue
      }
      if known != argument { return nil }
    }
    return arguments
  }

  /// Returns the SELECT of some columns.
  ///
  ///     SELECT b FROM (SELECT *, row_number() OVER () AS "place of the row" FROM (SELECT a, b FROM t
  ///     )) WHERE (a > 3) ORDER BY b, "place of the row"
  private static func selection(_ query: String, _ rows: RowSet, _ shown: [Int], of columns: [RowSetColumn]) -> String {
    let names = uniqueNames(of: columns)
    // The line break ends a comment at the end of the query.
    var (head, source) = ("", "(\(query)\n)")
    if names != columns.map(\.name) {
      // Of several columns with the same name, SQL can only name the first.
      let stored = columns.indices.filter { columns[$0].computed == nil }.map { SQLIdentifier.quoted(names[$0]) }
      (head, source) = ("WITH result(\(stored.joined(separator: ", "))) AS \(source) ", "result")
    }
    let list = shown.map { expression(of: columns[$0], named: names[$0]) }.joined(separator: ", ")
    let condition = rows.condition.queryString
    let narrowing = condition.isEmpty ? "" : " WHERE \(condition)"
    if rows.order.isNatural { return "\(head)SELECT \(list) FROM \(source)\(narrowing)" }
    let position = SQLIdentifier.quoted(RowPosition.column.name)
    return """
      \(head)SELECT \(list) FROM \(RowPosition.numbering("\(raw: source)").queryString)\(narrowing) \
      ORDER BY \(rows.order.sqlText.queryString), \(position)
      """
  }

  private static func expression(of column: RowSetColumn, named name: String) -> String {
    let sql = column.computed?.sqlText.queryString ?? SQLIdentifier.quoted(name)
    return column.computed == nil && name == column.name ? sql : "\(sql) AS \(SQLIdentifier.quoted(column.name))"
  }

  /// Returns the names of columns, with a number after a repeated name: `id`, `id 2`.
  private static func uniqueNames(of columns: [RowSetColumn]) -> [String] {
    var taken = Set(columns.map { $0.name.lowercased() })
    var seen: Set<String> = []
    return columns.map { column in
      if column.computed != nil || seen.insert(column.name.lowercased()).inserted { return column.name }
      let candidates = (2...columns.count + 1).lazy.map { "\(column.name) \($0)" }
      let name = candidates.first { !taken.contains($0.lowercased()) } ?? column.name
      taken.insert(name.lowercased())
      return name
    }
  }
}
