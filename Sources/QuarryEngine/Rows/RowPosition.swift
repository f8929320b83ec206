/// The place of a row in a view or query, where nothing else tells rows apart: as a further column it makes any order total.
///
///     SELECT name, amount FROM (SELECT *, row_number() OVER () AS "place of the row" FROM v) ORDER BY amount DESC, "place of the row"
package enum RowPosition {
  /// The column that has the place.
  package static let column = Column<Int>("place of the row")

  /// Returns a source, as it stands after FROM, with the places of its rows.
  ///
  ///     (SELECT name, amount, row_number() OVER () AS "place of the row" FROM v)
  ///
  /// - Parameters:
  ///   - source: a view or a query in parentheses.
  ///   - names: the columns, as they stand after SELECT.
  package static func numbering(_ source: String, names: String = "*") -> String {
    "(SELECT \(names), row_number() OVER () AS \(SQLIdentifier.quoted(column.name)) FROM \(source))"
  }
}
