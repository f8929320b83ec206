import QuarryEngine
package import QuarryRows
import Terminal

/// The columns of the rows, each with its most frequent values or a histogram; what is chosen there becomes the filter.
///
/// The filter's text is the truth: what is chosen is read from it, and a facet is counted under all conditions of it but its own.
package struct FacetsScreen: Sendable {
  private(set) var subject: InsightSubject
  /// The names of the columns from left to right as the grid shows them.
  package private(set) var columns: [String]
  package private(set) var list = FacetList()
  /// What was counted last of each column.
  private var counted: [String: CountedFacet] = [:]
  /// The conditions of the filter.
  private var conditions: [FilterCondition] = []
  /// The last request, whether or not it has been answered.
  private var asked: Asked?
  /// Whether an answer is to come.
  private(set) var isCounting = false
  /// Whether the answer is so late that the visible facets are shown as outdated.
  private var isLate = false
  private(set) var problem: Problem?
  /// Whether counting has been stopped before its end.
  var isStopped: Bool { problem == .stopped }
  /// The text last searched for; nil for none.
  private(set) var needle: String?
  /// The names of the rows that the values refer to.
  private(set) var names = ColumnNames()

  /// A facet, and the basis on which it was counted.
  private struct CountedFacet: Hashable {
    var facet: Facet
    var basis: Basis
    var fileChanges: Int
  }

  /// Everything that the numbers of a facet depend on, except for external changes.
  private struct Basis: Hashable {
    var set: RowSet
    var others: [FilterSyntax]
    var arguments: [String: DatabaseValue]
  }

  private struct Asked: Hashable {
    var subject: InsightSubject
    var columns: Set<String>
  }

  /// - Parameter current: The column at which the cursor begins; nil for the first.
  init(of subject: InsightSubject, columns: [String], current: String? = nil) {
    (self.subject, self.columns) = (subject, columns)
    if let current { list.begin(at: current) }
    readConditions()
    show()
  }

  // MARK: The filter

  /// Turns to other rows, or to other conditions; what was counted under the same ones stays.
  mutating func turn(to subject: InsightSubject, columns: [String]) {
    if subject.set != self.subject.set { (counted, list) = ([:], FacetList(height: list.cursor.height)) }
    (self.subject, self.columns) = (subject, columns)
    (problem, isLate) = (nil, false)
    readConditions()
    show()
  }

  private mutating func readConditions() {
    conditions = (try? Filter.conditions(of: subject.view.filter, in: subject.columns)) ?? []
  }

  /// Returns the values of a column that the filter names.
  func chosen(of column: String) -> [CountedValue] { conditions.chosen(of: column) }

  /// Returns whether the filter excludes a value of a column.
  func leavesOut(_ value: CountedValue, of column: String) -> Bool {
    conditions.leaveOut(value, of: column, in: subject.columns)
  }

  /// Returns the listed values of a column that the filter excludes.
  func leftOut(of column: String) -> [CountedValue] {
    guard isNarrowed(column) else { return [] }
    let shown =
      switch facet(of: column)?.content {
      case .values(let values)?, .histogram(let values)?: values.map(\.value)
      case nil: [] as [CountedValue]
      }
    return shown.filter { leavesOut($0, of: column) }
  }

  /// Returns whether the filter has a condition on a column alone.
  func isNarrowed(_ column: String) -> Bool { conditions.contains { $0.isAbout(column) } }

  private func basis(of column: String) -> Basis {
    let others = conditions.filter { !$0.isAbout(column) }.map(\.syntax)
    let arguments = others.isEmpty ? [:] : subject.view.arguments
    return Basis(set: subject.set, others: others, arguments: arguments)
  }

  // MARK: Counting

  package func facet(of column: String) -> Facet? { counted[column]?.facet }

  /// Returns whether the numbers of a column are those of the rows that the filter keeps, and final.
  private func isCounted(_ column: String) -> Bool {
    guard let counted = counted[column] else { return false }
    return counted.facet.isComplete && counted.basis == basis(of: column) && counted.fileChanges == subject.fileChanges
  }

  /// Returns whether the numbers of a column are outdated, or still growing, and shown so.
  package func isUnsettled(_ column: String) -> Bool {
    guard let counted = counted[column] else { return true }
    return counted.basis == basis(of: column) ? !counted.facet.isComplete : isLate
  }

  /// Returns the request for uncounted columns that are visible or nearby; nil if all of them have been counted or requested.
  mutating func nextRequest() -> LoadFacets? {
    let wanted = list.columnsNearby.filter { !isCounted($0) }
    let known = asked?.subject == subject ? asked?.columns ?? [] : []
    guard wanted.contains(where: { !known.contains($0) }) else { return nil }
    asked = Asked(subject: subject, columns: Set(wanted))
    isCounting = true
    return LoadFacets(subject: subject, columns: wanted)
  }

  mutating func noteLate() { isLate = true }

  mutating func receive(_ facets: [Facet]) {
    for facet in facets {
      let basis = basis(of: facet.column)
      // Where only somebody has written, the former numbers pass until all have been counted again; others until there is a row.
      if !facet.isComplete, let former = counted[facet.column],
        facet.rows == 0 && former.facet.rows > 0 || former.facet.isComplete && former.basis == basis
      {
        continue
      }
      counted[facet.column] = CountedFacet(facet: facet, basis: basis, fileChanges: subject.fileChanges)
    }
    show()
  }

  mutating func receive(_ problem: Problem) { (self.problem, isCounting) = (problem, false) }

  /// Records that all requested columns have been counted.
  mutating func finish() { isCounting = false }

  /// Discards the counts and the last request, so that the columns are counted again.
  mutating func countAgain() { (asked, counted, problem) = (nil, [:], nil) }

  private mutating func show() {
    list.show(columns, facet: facet, chosen: chosen)
  }

  // MARK: Names

  /// Returns the request for the names of the visible values; nil if the names have been read, or are being read.
  mutating func nextNames(_ environment: ScreenEnvironment) -> LoadReferredRows? {
    guard let grid = environment.grid, grid.rowSet == subject.set else { return nil }
    let values = list.valuesInSight.compactMap { line in line.value.value.map { (column: line.column, value: $0) } }
    return names.request(for: values, of: grid, in: Self.namesSlot, environment)
  }

  static let namesSlot = RequestSlot("names of facets")

  mutating func receive(_ result: Result<LoadReferredRows.Answer, Problem>, to request: LoadReferredRows) {
    names.receive(result, to: request)
  }

  // MARK: The list

  mutating func change(_ body: (inout FacetList) -> Void) { body(&list) }

  /// Moves within a histogram; shows more values of a column, or fewer.
  mutating func moveAcross(by step: Int) {
    guard let line = list.currentLine else { return }
    if case .histogram = line.content { return list.select(bin: list.bin + step) }
    list.expand(line.column, isExpanded: step > 0)
    show()
  }

  /// Moves by whole columns.
  mutating func moveColumn(by step: Int) {
    guard let column = list.currentColumn, let index = columns.firstIndex(of: column) else { return }
    list.goToFirst(of: columns[min(max(0, index + step), columns.count - 1)])
  }

  /// Moves to the next column whose name contains a text, regardless of case; returns whether there is one.
  mutating func find(_ text: String, from start: String?) -> Bool {
    needle = text
    let first = start.flatMap { columns.firstIndex(of: $0) } ?? 0
    guard let index = LineSearch.index(of: text, in: columns, from: first, backwards: false) else { return false }
    list.goToFirst(of: columns[index])
    return true
  }
}
