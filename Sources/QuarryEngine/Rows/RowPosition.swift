/// The position of a row in a view or query, as a further column that makes any order total where no key tells rows apart.
///
///     SELECT name, amount FROM (SELECT *, row_number() OVER () AS "place of the row" FROM v) ORDER BY amount DESC, "place of the row"
package enum RowPosition {
  /// The column that has the position.
  package static let column = Column<Int>("place of the row")

  /// Returns a source, as it stands after FROM, with the positions of its rows.
  ///
  ///     (SELECT name, amount, row_number() OVER () AS "place of the row" FROM v)
  ///
  /// - Parameters:
  ///   - source: a view or a query in parentheses.
  ///   - names: the columns, as they stand after SELECT.
  package static func numbering(_ source: SQLText, names: SQLText = "*") -> SQLText {
    "(SELECT \(names), row_number() OVER () AS \(identifier: column.name) FROM \(source))"
  }
}
