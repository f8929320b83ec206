package import QuarryRows
import QuarrySources
import Terminal

/// What the values of each column are like, a line a column.
package struct ProfileScreen: Sendable {
  private(set) var title: String
  private(set) var subject: InsightSubject
  /// Whether what is usually estimated is counted exactly.
  private(set) var isExact = false
  /// The profile so far; nil before the first report.
  private(set) var profile: TableProfile?
  private(set) var problem: Problem?
  private(set) var isStopped = false
  /// Whether the rows are read again since somebody has written: the former profile stays until that has ended.
  private var isRecount = false
  /// The width of the longest name.
  private(set) var nameColumns = 0
  /// The widths of the fields: they only grow while rows are read, and fit the final values once the profile is complete.
  private(set) var fieldColumns: [ProfileField: Int] = [:]
  private(set) var cursor = ListCursor()
  /// The index of the first visible field beside the name.
  private(set) var firstField = 0
  /// The text last searched for; nil for none.
  var needle: String?
  /// The names of the rows that the most frequent values refer to.
  private var names = ColumnNames()

  init(title: String, of subject: InsightSubject) {
    (self.title, self.subject) = (title, subject)
  }

  var columns: [ColumnProfile] { profile?.columns ?? [] }
  var height: Int { cursor.height }
  var isComplete: Bool { profile?.isComplete ?? false }
  /// Whether more is to come.
  var isReading: Bool { (!isComplete || isRecount) && problem == nil && !isStopped }
  package var current: ColumnProfile? { columns.indices.contains(cursor.index) ? columns[cursor.index] : nil }

  // MARK: Moving

  mutating func move(by step: Int) { cursor.move(by: step, of: columns.count) }
  mutating func move(to index: Int) { cursor.move(to: index, of: columns.count) }
  mutating func scroll(by rows: Int) { cursor.scroll(by: rows, of: columns.count) }
  mutating func layOut(height: Int) { cursor.layOut(height: height, of: columns.count) }

  /// Scrolls to other fields; the last field always stays visible.
  mutating func scrollFields(by step: Int) {
    firstField = min(max(0, firstField + step), ProfileField.allCases.count - 1)
  }

  // MARK: What was read

  /// Switches to other rows; a profile of the same row set stays visible until the first new rows have been read.
  mutating func turn(to subject: InsightSubject, title: String) {
    if subject.set != self.subject.set { (profile, cursor, firstField, fieldColumns) = (nil, ListCursor(), 0, [:]) }
    isRecount = isComplete && subject.differsByWritesAlone(from: self.subject)
    (self.title, self.subject, problem, isStopped) = (title, subject, nil, false)
  }

  mutating func countExactly() { (isExact, problem, isStopped, isRecount) = (true, nil, false, isComplete) }

  mutating func receive(_ profile: TableProfile, _ appearance: Appearance) {
    guard !isRecount || profile.isComplete else { return }
    isRecount = false
    nameColumns = profile.columns.lazy.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    self.profile = profile
    if profile.isComplete { fieldColumns = [:] }
    for field in ProfileField.allCases {
      let needed = field.columns(for: profile.columns.prefix(Self.measuredColumns), appearance)
      fieldColumns[field] = max(fieldColumns[field] ?? 0, needed)
    }
    move(by: 0)
  }

  /// How many columns decide how wide the fields are.
  private static let measuredColumns = 200

  // MARK: Names

  /// Returns the row that a value of the current column refers to; nil if it refers to no row, or if the row is not known yet.
  func row(_ value: CountedValue) -> ReferredRow? { current.flatMap { names.row(value.value, of: $0.name) } }

  /// Returns the request for the names of the current column's values; nil if they have been read, or are being read.
  mutating func nextNames(_ environment: ScreenEnvironment) -> LoadReferredRows? {
    guard let column = current, let grid = environment.grid, grid.rowSet == subject.set else { return nil }
    let values = column.top.compactMap { top in top.value.value.map { (column: column.name, value: $0) } }
    return names.request(for: values, of: grid, in: Self.namesSlot, environment)
  }

  static let namesSlot = RequestSlot("names of frequent values")

  mutating func receive(_ result: Result<LoadReferredRows.Answer, Problem>, to request: LoadReferredRows) {
    names.receive(result, to: request)
  }

  mutating func receive(_ problem: Problem) {
    if problem == .stopped { isStopped = true } else { self.problem = problem }
  }
}

extension ProfileScreen: LineSearchableScreen {
  var searchedLines: [String] { columns.map(\.name) }
}

extension ColumnProfile {
  /// Whether some of it is an estimate.
  var hasEstimates: Bool {
    !distinct.isExact || [p25, p50, p75].contains { $0?.error != nil }
  }
}

/// Reads what the values of all columns are like; each report has more of them.
package struct LoadProfile: Request {
  let subject: InsightSubject
  package let isExact: Bool

  static let slot = RequestSlot("profile")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "profile", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (InsightReport<TableProfile>) -> Void) async throws -> TableProfile {
    let request = ProfileRequest(try subject.rows(in: services), isExact: isExact)
    return try await services.insight.profile(request) { report(InsightReport(content: $0, progress: $0.progress)) }
  }
}
