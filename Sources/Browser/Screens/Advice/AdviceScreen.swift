import QuarryEngine
package import QuarryRows
import QuarrySources
import Terminal

extension KeyContext {
  static let advice = KeyContext("advice", place: "in the plan")
}

/// The plan of a statement that scans or sorts, with indexes that would avoid it, each measured on a private copy.
package struct AdviceScreen: Sendable {
  private let request: AdviceRequest
  /// The plan in plain words, and the rest: SQLite's words and the statement.
  let plan: [StyledLine]
  let rest: [StyledLine]
  /// The results so far; nil before the first ones.
  package private(set) var advice: IndexAdvice?
  /// The reason why nothing could be tried.
  private(set) var problem: Problem?
  private(set) var cursor = ListCursor()
  /// The number of lines that are scrolled out of sight.
  private(set) var top = 0
  private(set) var room = Size(columns: 0, rows: 0)
  /// The text last searched for, and the line in which it was found; nil for none.
  private(set) var needle: String?
  private(set) var hit: Int?
  /// The texts of all lines as they are laid out.
  private var texts: [String] = []

  init(_ request: AdviceRequest, lines: [StyledLine]) {
    self.request = request
    let end = lines.firstIndex { $0.text.isEmpty } ?? lines.count
    (plan, rest) = (Array(lines[..<end]), Array(lines[end...]))
  }

  /// The reason why nothing could be tried, as a sentence; nil for none.
  package var obstacle: String? { problem?.text }

  /// The line in which a text was found; nil for none.
  package var found: String? { hit.flatMap { texts.indices.contains($0) ? texts[$0] : nil } }

  /// The way under the cursor; nil for none.
  var current: IndexAdvice.Way? {
    guard let ways = advice?.ways, ways.indices.contains(cursor.index) else { return nil }
    return ways[cursor.index]
  }

  /// The number of measured rows; nil for all.
  var measuredRows: Int? { request.rows }

  private mutating func load(_ context: inout ScreenContext<Self>) {
    context.ask(TryIndexes(request: request)) { screen, _, report in
      screen.show(report.advice)
    } then: { screen, _, result in
      switch result {
      case .success(let advice): screen.show(advice)
      case .failure(let problem): screen.problem = problem
      }
    }
  }

  private mutating func show(_ advice: IndexAdvice) {
    let way = current
    self.advice = advice
    cursor.layOut(height: advice.ways.count, of: advice.ways.count)
    // The cursor stays on its way when a faster one is found.
    if cursor.index > 0, let index = advice.ways.firstIndex(where: { $0 == way }) { cursor.move(to: index, of: advice.ways.count) }
  }

  mutating func scroll(by rows: Int, of count: Int) {
    hit = nil
    place(at: top + rows, of: count)
  }

  private mutating func place(at line: Int, of count: Int) { top = min(max(0, line), max(0, count - room.rows)) }
}

extension AdviceScreen: SearchableScreen {
  mutating func find(_ text: String) -> Bool {
    guard !text.isEmpty else { return findNext(backwards: false) }
    (needle, hit) = (text, nil)
    return findNext(backwards: false)
  }

  mutating func findNext(backwards: Bool) -> Bool {
    guard let needle else { return true }
    let start = hit.map { backwards ? $0 - 1 : $0 + 1 } ?? top
    guard let line = LineSearch.index(of: needle, in: texts, from: start, backwards: backwards) else {
      hit = nil
      return false
    }
    hit = line
    if !(top..<top + room.rows).contains(line) { place(at: line - room.rows / 2, of: texts.count) }
    return true
  }
}

/// Finds indexes for a statement, and measures them.
struct TryIndexes: Request {
  let request: AdviceRequest

  static let slot = RequestSlot("advice")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "trying indexes", urgency: .asked) }

  /// The results so far.
  struct Report: ActivityReport {
    var advice: IndexAdvice

    func badge(of activity: Activity) -> String? {
      if case .copying(let table, let part?) = advice.stage { return "copying \(table): \(Int(part * 100)) %" }
      return activity.name
    }
  }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> IndexAdvice {
    guard let role = services.source.advice else { throw DataSourceError("this data source measures no indexes") }
    return try await role.indexAdvice(request, now: services.now) { report(Report(advice: $0)) }
  }
}

/// The intent that opens the screen.
enum AdviceIntent: OpeningIntent {
  /// Shows the plan of a statement, and measures indexes for it.
  ///
  /// Only the first rows are measured if a number is given.
  case show(sql: String, rows: Int?, lines: [StyledLine])

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .show(let sql, let rows, let lines): AdviceScreen(AdviceRequest(sql: sql, rows: rows), lines: lines)
    }
  }
}

extension AdviceScreen: Screen {
  var placement: ScreenPlacement { .grid(rows: 8) }
  func keyContext(in workspace: Workspace) -> KeyContext { .advice }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: advice?.ways.count ?? 0) }
  func purpose(in workspace: Workspace) -> String {
    "The plan of a statement that scans or sorts, and up to three indexes that avoid it. Each is created and measured in a private copy of "
      + "the tables; the file is only read. Enter writes the statement into the editor."
  }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(
        .open, "Write the statement into the SQL editor, without running it", keys: [.advice: ["enter"]], hint: "to the editor",
        unless: needsWay
      ) { screen, context, _ in
        guard let way = screen.current else { return }
        context.close()
        context.send(SQLIntent.edit(way.sql + ";"))
      },
      CommandBinding(.copy, "Copy the statement", keys: [.advice: ["y"]], hint: "copy", unless: needsWay) { screen, context, _ in
        guard let way = screen.current else { return }
        context.send(.copyToClipboard(CopyText(text: way.sql + ";\n", title: "the statement")))
      },
    ]
    + CommandBinding.searches("Find a text in the plan", in: .advice)
    + CommandBinding.lineMotions(in: .advice, count: { $0.advice?.ways.count ?? 0 }) { screen, _, count in
      screen.cursor.move(by: count, of: screen.advice?.ways.count ?? 0)
    }
    + CommandBinding.pageMotions(height: \.room.rows) { screen, context, count in
      screen.scroll(by: count, of: screen.lines(context.appearance).count)
    }

  private static let needsWay: CommandBinding<Self>.Obstacle = { screen, _ in
    guard screen.current == nil else { return nil }
    return screen.problem == nil && screen.advice?.stage != .done ? "nothing has been measured yet" : "there is no index to write"
  }

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.supersede(TryIndexes.slot) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    room = Size(columns: inside.columns, rows: inside.rows)
    let lines = lines(context.appearance).map(\.text.text)
    // New results move the lines below them.
    if lines.count != texts.count { hit = nil }
    texts = lines
    place(at: top, of: lines.count)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) {
    scroll(by: rows, of: lines(context.appearance).count)
  }
}
