import QuarryEngine
package import QuarryRows
import Terminal

/// The values of a column with how often each occurs, as far as they have been counted.
package struct CountsScreen: Sendable {
  /// The column whose values are counted.
  private(set) var column: RowSetColumn
  private(set) var subject: InsightSubject
  private(set) var order = CountOrder.mostFrequentFirst
  private(set) var isBinned = false
  /// The counts so far; nil before the first report.
  private(set) var counted: ListedValueCounts?
  /// The lines that are drawn: those of the latest counts, or for a moment of those before.
  private(set) var page: CountLines?
  private(set) var problem: Problem?
  /// Whether counting has been stopped before its end.
  private(set) var isStopped = false
  /// Whether the rows are counted again since somebody has written: the former counts stay until that has ended.
  private var isRecount = false
  private(set) var marked: [CountedValue] = []
  private(set) var cursor = ListCursor()
  /// Whether the cursor was moved by hand, so that it stays on its value while the list grows.
  private var isPlaced = false
  /// The width of the values seen so far, and of the names behind them.
  private(set) var valueColumns = 0
  private(set) var nameColumns = 0
  /// The names of the rows that the values refer to.
  private var names = ColumnNames()
  /// The text last searched for; nil for none.
  private(set) var needle: String?
  private var lastNumber = 0
  /// The number of the first report that belongs to the current counts.
  private var firstNumber = 1
  /// Whether requested lines have not arrived yet.
  private var isListing = false

  init(column: RowSetColumn, of subject: InsightSubject) {
    (self.column, self.subject) = (column, subject)
  }

  var counts: ValueCounts? { counted?.counts }
  /// The number of lines of the list.
  var count: Int { page?.source.counts.lines ?? 0 }
  var height: Int { cursor.height }
  package var current: ValueCount? { page?.line(at: cursor.index) }
  var isComplete: Bool { counts?.isComplete ?? false }
  /// Whether more is to come.
  var isCounting: Bool { (!isComplete || isRecount) && problem == nil && !isStopped }

  /// Whether ranges were requested, but the values are neither numbers nor dates, or are all equal.
  var hasNothingToBin: Bool { isBinned && isComplete && count > 0 && counts?.ranges == nil }

  /// The values that a command is about: those marked, or else the one under the cursor.
  var chosen: [CountedValue] { marked.isEmpty ? [current?.value].compactMap(\.self) : marked }

  func isMarked(_ value: CountedValue) -> Bool { marked.contains { isSame($0, value) } }

  private func isSame(_ first: CountedValue, _ second: CountedValue) -> Bool {
    first.isSame(as: second, by: page?.source.counts.collation ?? .binary)
  }

  // MARK: Moving

  mutating func move(by step: Int) {
    isPlaced = true
    cursor.move(by: step, of: count)
  }

  mutating func move(to place: Int) {
    isPlaced = true
    cursor.move(to: place, of: count)
  }

  mutating func scroll(by rows: Int) {
    isPlaced = true
    cursor.scroll(by: rows, of: count)
  }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: count) }

  mutating func toggleMark() {
    guard let value = current?.value else { return }
    if isMarked(value) { marked = marked.filter { !isSame($0, value) } } else { marked.append(value) }
    move(by: 1)
  }

  mutating func clearMarks() { marked = [] }

  mutating func search(for text: String) { if !text.isEmpty { needle = text } }

  // MARK: Order and ranges

  mutating func nextOrder() {
    order =
      switch order {
      case .mostFrequentFirst: .ascending
      case .ascending: .descending
      case .descending: .leastFrequentFirst
      case .leastFrequentFirst: .mostFrequentFirst
      }
    goToTop()
  }

  mutating func toggleBins() {
    isBinned.toggle()
    // Ranges are read from the least to the greatest, values from the most frequent on.
    order = isBinned ? .ascending : .mostFrequentFirst
    startAgain()
  }

  mutating func turn(to column: RowSetColumn) {
    self.column = column
    (isBinned, order, valueColumns, nameColumns, needle) = (false, .mostFrequentFirst, 0, 0, nil)
    startAgain()
    page = nil
  }

  /// Counts other rows; the previous counts stay visible until the first new counts arrive.
  mutating func turn(to subject: InsightSubject) {
    let isRecount = isComplete && subject.differsByWritesAlone(from: self.subject)
    self.subject = subject
    if isRecount { self.isRecount = true } else { forgetCounts() }
  }

  private mutating func startAgain() {
    marked = []
    forgetCounts()
    goToTop()
  }

  private mutating func forgetCounts() {
    (counted, problem, isStopped, isRecount) = (nil, nil, false, false)
    firstNumber = lastNumber + 1
  }

  private mutating func goToTop() {
    isPlaced = false
    cursor.move(to: 0, of: count)
  }

  // MARK: What was counted

  mutating func receive(_ counts: ValueCounts) {
    guard !isRecount || counts.isComplete else { return }
    isRecount = false
    lastNumber += 1
    counted = ListedValueCounts(number: lastNumber, counts: counts)
  }

  mutating func receive(_ problem: Problem) {
    if problem == .stopped { isStopped = true } else { self.problem = problem }
  }

  /// Returns the request for the visible lines; nil if they have been loaded, or if another request for lines is running.
  mutating func nextLines() -> LoadCountLines? {
    guard let counted, !isListing else { return nil }
    let isListed = page?.source == counted && page?.order == order
    let last = min(cursor.top + height, counted.counts.lines)
    if isListed, let page, page.first <= cursor.top, last <= page.first + page.lines.count { return nil }
    let margin = 2 * height
    isListing = true
    return LoadCountLines(source: counted, order: order, range: max(0, cursor.top - margin)..<cursor.top + height + margin)
  }

  /// Shows the lines, the cursor on its value where that is among them, and in the same row of the screen.
  mutating func receive(_ lines: CountLines, glyphs: Glyphs) {
    let value = isPlaced && page?.order == lines.order ? current?.value : nil
    let row = cursor.index - cursor.top
    isListing = false
    guard lines.source.number >= firstNumber else { return }
    // While rows are counted, the columns only grow; then they fit the final values.
    if lines.source.counts.isComplete, page?.source != lines.source { (valueColumns, nameColumns) = (0, 0) }
    page = lines
    valueColumns = lines.lines.reduce(valueColumns) {
      max($0, TextWidth.columns(of: CountedText($1.value, dates: dates, glyphs: glyphs).text))
    }
    widenNames(glyphs)
    if let value, let index = lines.lines.firstIndex(where: { isSame($0.value, value) }) {
      cursor.move(to: lines.first + index, of: count)
      cursor.scroll(by: cursor.index - row - cursor.top, of: count)
    } else {
      cursor.move(by: 0, of: count)
    }
  }

  // MARK: Names

  /// The foreign key to the rows that contain the names of the values; nil if there is no such key.
  var foreignKey: ForeignKeySchema? { names.foreignKey(of: column.name) }

  /// Returns the row that a value refers to; nil if it refers to no row, or if the row is not known yet.
  func row(_ value: CountedValue) -> ReferredRow? { names.row(value.value, of: column.name) }

  /// Returns the request for the names of the loaded lines; nil if the names have been read, or are being read.
  mutating func nextNames(_ environment: ScreenEnvironment) -> LoadReferredRows? {
    guard let page, let grid = environment.grid, grid.rowSet == subject.set else { return nil }
    let values = page.lines.compactMap { line in line.value.value.map { (column: column.name, value: $0) } }
    return names.request(for: values, of: grid, in: Self.namesSlot, environment)
  }

  static let namesSlot = RequestSlot("names of counted values")

  mutating func receive(_ result: Result<LoadReferredRows.Answer, Problem>, to request: LoadReferredRows, glyphs: Glyphs) {
    names.receive(result, to: request)
    widenNames(glyphs)
  }

  /// Makes room for the names of the lines that are there.
  private mutating func widenNames(_ glyphs: Glyphs) {
    nameColumns = (page?.lines ?? []).reduce(nameColumns) { widest, line in
      max(widest, row(line.value)?.text(glyphs: glyphs).map { TextWidth.columns(of: $0.text) } ?? 0)
    }
  }

  /// How dates are stored in the column; nil where its values are none.
  var dates: DateStorage? { page?.source.counts.dates }
}
