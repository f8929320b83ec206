import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// The filters of the tables, and the bar that edits one.
struct DiffFilters: Sendable {
  var bar = FilterBar()
  private var applied: [Int: Applied] = [:]

  /// A filter of a table, with the number of matches found so far.
  struct Applied: Hashable, Sendable {
    var text: String
    var count = 0
    /// The number of differences that are being checked or have been checked.
    var asked = 0
    var isComplete = false
  }

  subscript(table: Int) -> Applied? {
    get { applied[table] }
    set { applied[table] = newValue }
  }

  /// Returns the number of matches in a table, or nil if it has no filter.
  func count(of table: Int) -> Int? { applied[table]?.count }

  func text(of table: Int) -> String { applied[table]?.text ?? "" }

  func isFiltered(_ table: Int) -> Bool { applied[table] != nil }

  /// Returns the request that checks differences found since the last one, or nil if all are being checked.
  mutating func wish(_ store: DifferenceStore, table: Int, stored: Int) -> FilterDifferences? {
    guard var filter = applied[table], filter.asked < stored else { return nil }
    (filter.asked, filter.isComplete) = (stored, false)
    applied[table] = filter
    return FilterDifferences(store: store, table: table, text: filter.text, stored: stored)
  }

  /// Stores the number of matches, unless another filter has been applied.
  mutating func receive(_ count: Int, _ request: FilterDifferences, isComplete: Bool) {
    guard applied[request.table]?.text == request.text else { return }
    applied[request.table]?.count = count
    applied[request.table]?.isComplete = isComplete
  }

  // MARK: The bar

  /// Opens the bar with the filter of a table.
  mutating func begin(_ table: Int, _ columns: FilterColumns) {
    var view = RowView()
    view.filter = text(of: table)
    bar.begin(.filter, at: FilterBar.Origin(view: view))
    check(columns)
  }

  mutating func close() {
    bar.isTyping = false
    bar.closeList()
  }

  /// Changes the text of the bar.
  mutating func edit(_ columns: FilterColumns, _ body: (inout TextField) -> Bool) {
    guard bar.edit(body) else { return }
    check(columns)
    if bar.completions != nil { bar.list(completions(columns)) }
  }

  /// Compiles the text, which is fast enough for every key.
  mutating func check(_ columns: FilterColumns) { bar.receive(ViewReport(checking: bar.field.text, columns)) }

  private func completions(_ columns: FilterColumns) -> [Completion] {
    Filter.completions(of: bar.field.text, at: bar.field.caretUTF8Offset, columns: columns).items.map { Completion($0) }
  }

  /// Completes the word at the caret, or lists the completions.
  mutating func complete(_ columns: FilterColumns) {
    if acceptCompletion(columns) { return }
    let items = completions(columns)
    guard items.count == 1 else { return bar.list(items) }
    bar.insert(items[0])
    check(columns)
  }

  /// Inserts the selected completion; returns whether that has changed the text.
  mutating func acceptCompletion(_ columns: FilterColumns) -> Bool {
    guard bar.completion != nil else { return false }
    let isChanged = bar.acceptCompletion()
    check(columns)
    return isChanged
  }
}

extension ViewReport {
  /// Checks a filter of differences.
  init(checking text: String, _ columns: FilterColumns) {
    self.init()
    do throws(FilterErrors) {
      let filter = try Filter.compile(text, columns: columns)
      sql = filter.sqlText?.queryString ?? ""
      advice = filter.advice.map { TextRemark($0, in: text) }
      if !filter.parameters.isEmpty {
        faults = [TextRemark(range: 0..<text.utf8.count, sentence: "Parameters have no values here: write the value itself.", mended: [])]
      }
    } catch {
      faults = error.errors.map { TextRemark($0, in: text) }
      let continuation = error.continuation(of: text) { Filter.completions(of: $0, at: $0.utf8.count, columns: columns) }
      if let continuation { (isUnfinished, self.continuation) = (true, continuation.words) }
    }
  }
}
