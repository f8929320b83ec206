import QuarryEngine
package import QuarryRows
import QuarrySources
import Terminal

/// What is wrong with a database: what to mend first, notes, and facts about the file.
package struct HealthScreen: Sendable {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    /// The sentence that nothing needs to be mended.
    case verdict
    case heading(HealthResult.Status)
    case result(HealthResult)
  }

  /// The current work.
  enum Work: Hashable, Sendable {
    case none
    /// The checks; while they run again only because the file has changed, the former results stay until they have ended.
    case checking(isAgain: Bool)
    case mending(Maintenance, MendDatabase.Report)
  }

  /// The results so far; nil before the first report.
  package private(set) var report: HealthReport?
  private(set) var lines: [Line] = []
  private(set) var work = Work.none
  private(set) var problem: Problem?
  private(set) var isStopped = false
  /// The number of file changes when the database was last checked, or compared with the checked version.
  private(set) var fileChanges = 0
  /// Whether the database has been written since it was checked.
  private(set) var isOutdated = false
  /// The duration of the last checks.
  private(set) var elapsed = Duration.zero
  /// The text last searched for; nil for none.
  var needle: String?
  private(set) var cursor = ListCursor()
  /// Whether the person has moved the cursor, which otherwise stays on the most urgent result.
  private var hasMoved = false

  var height: Int { cursor.height }
  var isChecking: Bool { if case .checking = work { true } else { false } }
  var maintenance: Maintenance? { if case .mending(let maintenance, _) = work { maintenance } else { nil } }

  package var current: HealthResult? {
    guard lines.indices.contains(cursor.index), case .result(let result) = lines[cursor.index] else { return nil }
    return result
  }

  /// The position of the current result among all results: `2 of 12`; nil for none.
  var position: String? {
    guard current != nil else { return nil }
    let before = lines.prefix(cursor.index).count { !$0.isHeading }
    return "\(Plural.grouped(before + 1)) of \(Plural.grouped(lines.count { !$0.isHeading }))"
  }

  // MARK: Moving

  /// Moves the cursor, past headings.
  mutating func move(by step: Int) {
    hasMoved = true
    place(at: cursor.index + step, isForward: step >= 0)
  }

  mutating func move(to line: Int) {
    hasMoved = true
    place(at: line, isForward: true)
  }

  private mutating func place(at line: Int, isForward: Bool) {
    var target = min(max(0, line), max(0, lines.count - 1))
    let step = isForward ? 1 : -1
    while lines.indices.contains(target), lines[target].isHeading { target += step }
    // Above the first result, there are only headings.
    if !lines.indices.contains(target) { target = lines.firstIndex { !$0.isHeading } ?? 0 }
    cursor.move(to: target, of: lines.count)
    // The headings of the first result stay visible with it.
    if lines.prefix(target).allSatisfy(\.isHeading) { cursor.scroll(by: -target, of: lines.count) }
  }

  mutating func scroll(by rows: Int) {
    cursor.scroll(by: rows, of: lines.count)
    if current == nil { place(at: cursor.index, isForward: rows >= 0) }
  }

  mutating func layOut(height: Int) {
    let wasAtTop = cursor.top == 0
    cursor.layOut(height: height, of: lines.count)
    if wasAtTop { cursor.scroll(by: -cursor.top, of: lines.count) }
  }

  // MARK: Checking

  mutating func begin(fileChanges: Int, isAgain: Bool) {
    (work, isStopped, problem) = (.checking(isAgain: isAgain), false, nil)
    (self.fileChanges, isOutdated) = (fileChanges, false)
    if !isAgain { hasMoved = false }
  }

  mutating func receive(_ report: HealthReport) {
    if work == .checking(isAgain: true), !report.isComplete { return }
    let selected = hasMoved ? current : nil
    self.report = report
    lines = Self.lines(of: report)
    // A mended result is gone: the cursor moves to what to mend next.
    place(at: selected.flatMap { lines.firstIndex(of: .result($0)) } ?? 0, isForward: true)
  }

  private static func lines(of report: HealthReport) -> [Line] {
    let results = report.results
    let isSound = report.isComplete && results.allSatisfy { $0.status < .finding }
    let sections = HealthResult.Status.allCases.sorted { $0.rank < $1.rank }.flatMap { status -> [Line] in
      let part = results.filter { $0.status == status }
      return part.isEmpty ? [] : [.heading(status)] + part.map(Line.result)
    }
    return (isSound ? [.verdict] : []) + sections
  }

  mutating func end(_ result: Result<CheckHealth.Answer, Problem>) {
    switch result {
    case .success(let answer):
      receive(answer.report)
      elapsed = answer.elapsed
    case .failure(.stopped): isStopped = true
    case .failure(let problem): self.problem = problem
    }
    work = .none
  }

  /// Notes changes, and returns the results to compare with the database; nil if there is nothing to compare.
  mutating func compare(fileChanges: Int) -> HealthReport? {
    guard work == .none, !isStopped, problem == nil, fileChanges != self.fileChanges else { return nil }
    self.fileChanges = fileChanges
    return report
  }

  mutating func noteOutdated() { isOutdated = true }

  mutating func stop() { (work, isStopped) = (.none, true) }

  // MARK: Mending

  mutating func mend(_ maintenance: Maintenance, _ report: MendDatabase.Report = MendDatabase.Report(elapsed: .zero)) {
    work = .mending(maintenance, report)
  }

  mutating func endMending() { work = .none }
}

extension HealthScreen.Line {
  var isHeading: Bool { if case .result = self { false } else { true } }

  var text: String {
    switch self {
    case .verdict, .heading: ""
    case .result(let result): [result.check, result.object ?? "", result.detail].joined(separator: "\t")
    }
  }
}

extension HealthResult.Status {
  /// The place of its section: the most urgent first.
  fileprivate var rank: Int {
    switch self {
    case .damaged: 0
    case .finding: 1
    case .note: 2
    case .ok: 3
    case .info: 4
    }
  }
}

extension HealthScreen: LineSearchableScreen {
  var searchedLines: [String] { lines.map(\.text) }
}
