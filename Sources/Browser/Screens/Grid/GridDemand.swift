import QuarryEngine

/// What a grid wants read when something has changed in it; the pane of rows asks for it.
enum GridDemand: Hashable, Sendable {
  case page(PageRequest)
  /// The rows around one, `before` of them ahead of it.
  case around(RowKey, before: Int, limit: Int)
  /// The number of a row.
  case number(RowKey)
  /// What is to be said of a view while its text is written.
  case check(RowView, RowView.Text)
  case complete(RowView, RowView.Text, caret: Int)
}
