package import QuarryRows
import Terminal

/// The lines of the facets: the name of each column, and under it its values or its histogram, with a cursor.
package struct FacetList: Hashable, Sendable {
  package private(set) var lines: [Line] = []
  package private(set) var cursor = ListCursor()
  /// The range under the cursor where that is on a histogram, counted from the left.
  private(set) var bin = 0
  /// The columns of which more values than usual are shown.
  private var expanded: Set<String> = []

  /// A line of a column.
  package struct Line: Hashable, Sendable {
    package var column: String
    package var content: Content

    package enum Content: Hashable, Sendable {
      case heading
      /// One of the values; the count is nil for one that was chosen and has not been counted.
      case value(CountedValue, Int?)
      case histogram([ValueCount])
      /// Room for what has not been counted yet.
      case blank
    }
  }

  /// How many values are shown of a column, and of one that was expanded.
  private static let usualValues = 3
  private static let manyValues = 20

  /// A line and its row of the screen.
  private struct Place: Hashable {
    var line: Line
    var row: Int
  }

  /// The place to which the user moved the cursor; counts that have just begun may lack that line, and contain it again later.
  private var place: Place?

  /// Makes an empty list for a part of the screen of so many rows.
  package init(height: Int = 1) { cursor.layOut(height: height, of: 0) }

  // MARK: Lines

  /// Shows the facets of columns; the cursor stays on its line, and that in its row of the screen.
  ///
  /// - Parameters:
  ///   - facet: Returns what was counted of a column; nil for nothing yet.
  ///   - chosen: Returns the values of a column that the filter names.
  package mutating func show(_ columns: [String], facet: (String) -> Facet?, chosen: (String) -> [CountedValue]) {
    let current = place?.line ?? currentLine
    let row = place?.row ?? cursor.index - cursor.top
    lines = columns.flatMap { column in lines(of: column, facet(column), chosen(column)) }
    let same = current.flatMap { current in
      lines.firstIndex { $0.isSame(as: current) } ?? lines.firstIndex { $0.column == current.column && $0.content != .heading }
        ?? lines.firstIndex { $0.column == current.column }
    }
    cursor.move(to: same ?? 0, of: lines.count)
    if same != nil { cursor.scroll(by: cursor.index - row - cursor.top, of: lines.count) }
    if !isSelectable(cursor.index) { moveToFirst(of: currentColumn) }
    clampBin()
  }

  /// Puts the cursor on the first value of a column, as soon as that is listed.
  mutating func begin(at column: String) { place = Place(line: Line(column: column, content: .heading), row: 1) }

  private mutating func notePlace() {
    place = currentLine.map { Place(line: $0, row: cursor.index - cursor.top) }
  }

  private func lines(of column: String, _ facet: Facet?, _ chosen: [CountedValue]) -> [Line] {
    let contents: [Line.Content] =
      switch facet?.content {
      case nil: Array(repeating: .blank, count: Self.usualValues)
      case .histogram(let bins)?: bins.isEmpty ? [] : [.histogram(bins)]
      case .values(let values)?: facet.map { shownValues(values, of: $0, chosen) } ?? []
      }
    return ([.heading] + contents).map { Line(column: column, content: $0) }
  }

  /// The most frequent values, none where all differ, and those chosen that are not among them, as the filter writes them.
  private func shownValues(_ values: [ValueCount], of facet: Facet, _ chosen: [CountedValue]) -> [Line.Content] {
    let limit = expanded.contains(facet.column) ? Self.manyValues : facet.areAllDifferent ? 0 : Self.usualValues
    let isSame = { (first: CountedValue, second: CountedValue) in first.isSame(as: second, by: facet.collation) }
    let shown = values.prefix(limit)
    let others = chosen.filter { chosen in !shown.contains { isSame($0.value, chosen) } }
    return shown.map { line in .value(chosen.first { isSame($0, line.value) } ?? line.value, line.count) }
      + others.map { value in .value(value, values.first { isSame($0.value, value) }?.count) }
  }

  /// The visible columns, and the columns up to half a screen above and below.
  var columnsNearby: [String] {
    let margin = cursor.height / 2
    let nearby = lines[max(0, cursor.top - margin)..<min(lines.count, cursor.top + cursor.height + margin)]
    return nearby.reduce(into: []) { names, line in if names.last != line.column { names.append(line.column) } }
  }

  /// The visible values, with their columns.
  var valuesInSight: [(column: String, value: CountedValue)] {
    lines.dropFirst(cursor.top).prefix(cursor.height).compactMap { line in
      if case .value(let value, _) = line.content { (line.column, value) } else { nil }
    }
  }

  /// Shows more values of a column, or as many as usual.
  mutating func expand(_ column: String, isExpanded: Bool) {
    if isExpanded { expanded.insert(column) } else { expanded.remove(column) }
  }

  // MARK: The cursor

  package var currentLine: Line? { lines.indices.contains(cursor.index) ? lines[cursor.index] : nil }
  var currentColumn: String? { currentLine?.column }

  /// The value or the range under the cursor; nil where that is on neither.
  var currentValue: CountedValue? {
    switch currentLine?.content {
    case .value(let value, _): value
    case .histogram(let bins): bins.indices.contains(bin) ? bins[bin].value : nil
    case .heading, .blank, nil: nil
    }
  }

  /// The number of rows with the value or in the range under the cursor; nil if they have not been counted.
  var currentCount: Int? {
    switch currentLine?.content {
    case .value(_, let count): count
    case .histogram(let bins): bins.indices.contains(bin) ? bins[bin].count : nil
    case .heading, .blank, nil: nil
    }
  }

  /// Returns whether the cursor may stand on a line: on a value or a histogram, and on the name of a column that has neither.
  private func isSelectable(_ index: Int) -> Bool {
    guard lines.indices.contains(index) else { return false }
    switch lines[index].content {
    case .value, .histogram: return true
    case .blank: return false
    case .heading:
      guard lines.indices.contains(index + 1) else { return true }
      return lines[index + 1].content == .heading || lines[index + 1].content == .blank
    }
  }

  /// Moves by so many values.
  package mutating func move(by step: Int) {
    var (index, best, left) = (cursor.index, cursor.index, step.magnitude)
    let direction = step < 0 ? -1 : 1
    while left > 0, lines.indices.contains(index + direction) {
      index += direction
      if isSelectable(index) { (best, left) = (index, left - 1) }
    }
    moveTo(best)
    notePlace()
  }

  /// Moves to a line, and makes the name of its column visible with it.
  private mutating func moveTo(_ index: Int) {
    guard lines.indices.contains(index) else { return }
    if let heading = lines[...index].lastIndex(where: { $0.content == .heading }), index - heading < cursor.height {
      cursor.move(to: heading, of: lines.count)
    }
    cursor.move(to: index, of: lines.count)
    clampBin()
  }

  /// Moves to the first value of a column.
  mutating func goToFirst(of column: String?) {
    moveToFirst(of: column)
    notePlace()
  }

  private mutating func moveToFirst(of column: String?) {
    guard let column, let heading = lines.firstIndex(where: { $0.column == column }) else { return }
    let first = (heading..<lines.count).prefix { lines[$0].column == column }.first { isSelectable($0) }
    moveTo(first ?? heading)
  }

  /// Selects a line, that of a heading where its column has no other; returns whether it has been selected.
  @discardableResult
  mutating func select(_ index: Int) -> Bool {
    guard isSelectable(index) else {
      if lines.indices.contains(index) { goToFirst(of: lines[index].column) }
      return false
    }
    moveTo(index)
    notePlace()
    return true
  }

  mutating func select(bin: Int) {
    self.bin = bin
    clampBin()
  }

  private mutating func clampBin() {
    guard case .histogram(let bins)? = currentLine?.content else { return }
    bin = min(max(0, bin), bins.count - 1)
  }

  mutating func scroll(by rows: Int) {
    cursor.scroll(by: rows, of: lines.count)
    notePlace()
  }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: lines.count) }
}

extension FacetList.Line {
  /// Returns whether both are the line of the same value, or the same kind of line of a column.
  fileprivate func isSame(as other: Self) -> Bool {
    guard column == other.column else { return false }
    switch (content, other.content) {
    case (.value(let first, _), .value(let second, _)): return first.isSame(as: second)
    case (.heading, .heading), (.histogram, .histogram): return true
    default: return false
    }
  }
}

extension Facet {
  /// The number of rows up to which their values are shown even where all differ.
  private static let fewRows = 20

  /// Whether no value of many occurs twice, so that the most frequent ones say nothing.
  var areAllDifferent: Bool {
    guard isComplete, case .values(let values) = content, rows - nulls > Self.fewRows else { return false }
    return distinct.isExact && distinct.value == rows - nulls && !values.isEmpty
  }
}
