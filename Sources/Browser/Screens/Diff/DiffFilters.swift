/// The filters of the tables, and the bar that edits one.
struct DiffFilters: Sendable {
  var bar = FilterBar()

  func count(of table: Int) -> Int? { nil }

  func text(of table: Int) -> String { "" }

  func isFiltered(_ table: Int) -> Bool { false }
}
