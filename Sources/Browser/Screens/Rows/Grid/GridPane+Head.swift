import QuarryEngine
import QuarryRows
import Terminal

extension GridPane {
  /// The lines of a head with room for all of it: a second one for the types where a column has one.
  static func headRows(of columns: [RowSetColumn]) -> Int { columns.contains { !$0.declaredType.isEmpty } ? 2 : 1 }

  /// Returns the height of the head in a grid of so many rows.
  func headerRows(of rows: Int) -> Int { rows >= 5 ? namesColumns ? 2 : GridPane.headRows(of: columns) : rows >= 3 ? 1 : 0 }

  /// Returns the name of a column with its marks.
  ///
  /// - Parameter rows: The number of header lines; nil for the number that is used if there is enough room.
  func headerName(of column: Int, dates: Set<Int>, rows: Int? = nil, glyphs: Glyphs) -> HeaderName {
    let marks = headerMarks(of: column, dates: dates, glyphs: glyphs)
    return HeaderName(name: columns[column].name, marks: marks, rows: namesColumns ? 1 : rows ?? GridPane.headRows(of: columns))
  }

  /// Returns the marks behind a column's name: of its key, its foreign key, its hidden times, its being computed, and apart from these of its sort.
  ///
  /// - Parameter dates: The columns whose times are hidden.
  private func headerMarks(of column: Int, dates: Set<Int>, glyphs: Glyphs) -> String {
    let marks = [
      isKey(column) ? glyphs.key : "", isReference(column) ? glyphs.reference : "", dates.contains(column) ? glyphs.hiddenTime : "",
      columns[column].computed == nil ? "" : glyphs.computed,
    ].joined()
    return [marks, orderMark(of: column, glyphs: glyphs)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the direction in which the rows are sorted by a column, and its rank among several keys.
  private func orderMark(of column: Int, glyphs: Glyphs) -> String {
    guard let rank = order.firstIndex(where: { $0.column == column }) else { return "" }
    let arrow = order[rank].isDescending ? glyphs.descending : glyphs.ascending
    return order.count > 1 ? "\(arrow)\(rank + 1)" : arrow
  }
}
