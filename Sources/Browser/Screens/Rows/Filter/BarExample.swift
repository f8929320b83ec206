import QuarryEngine
import QuarryRows

/// An example of a filter or a sort order for an empty bar, with columns of the rows.
struct BarExample {
  /// The names of the first text column and the first numeric column that are not keys; nil if there is no such column.
  private var text, number: String?
  /// A path through a foreign key; nil if the rows have none.
  private var path: String?

  init(_ grid: GridPane) {
    let columns = grid.layout.shown.lazy.filter { !grid.isKey($0) && !grid.isReference($0) && grid.columns[$0].computed == nil }
    func name(_ column: Int?) -> String? { column.map { "\(FilterSyntax(.column(grid.columns[$0].name)))" } }
    text = name(columns.first { !grid.isNumeric($0) })
    number = name(columns.first { grid.isNumeric($0) })
    path =
      grid.schema?.foreignKeys.lazy.compactMap { $0.columns.first }.flatMap { grid.filterColumns.paths(from: $0) }
      .compactMap { grid.filterColumns.columns(after: $0).first { $0.steps.isEmpty && !$0.isKey }?.text }.first
  }

  /// Creates an example with two columns.
  init(text: String?, number: String?) {
    (self.text, self.number) = (text, number)
  }

  /// Returns the example for a filter or for a sort order; an order is empty if no column is suitable.
  subscript(kind: RowView.Text) -> String {
    switch kind {
    case .filter:
      let conditions = [text.map { "\($0) = 'x'" }, number.map { "\($0) > 3" }].compactMap(\.self)
      return (conditions.isEmpty ? "" : conditions.joined(separator: " and ") + ", or ") + "words to search for"
    case .sort:
      return [text, number.map { "-\($0)" }].compactMap(\.self).joined(separator: ", ")
    case .column:
      let value = path ?? number.map { "\($0) * 2" } ?? text.map { "length(\($0))" }
      return value.map { "name = \($0)" } ?? ""
    }
  }
}
