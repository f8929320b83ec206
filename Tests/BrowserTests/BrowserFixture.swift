import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

@testable import Browser
@testable import QuarryFiles

/// A browser on a made-up table, without session or database.
enum BrowserFixture {
  static let songs: TableReference = TableReference(name: "songs")

  static let columns: [RowSetColumn] = [
    column("id", "INTEGER", .integer, key: 1), column("title", "TEXT", .text), column("album_id", "INTEGER", .integer),
    column("length", "REAL", .real), column("cover", "BLOB", .blob),
  ]

  static let schema: TableSchema = TableSchema(
    entry: entry(songs), columns: columns.compactMap(\.schema), primaryKey: ["id"],
    foreignKeys: [
      ForeignKeySchema(
        columns: ["album_id"], table: TableReference(name: "albums"), referencedColumns: ["id"], onDelete: "NO ACTION",
        onUpdate: "NO ACTION")
    ], indexes: [], triggers: [], sql: "CREATE TABLE songs(id INTEGER PRIMARY KEY)")

  static func entry(_ table: TableReference, kind: CatalogEntry.Kind = .table) -> CatalogEntry {
    CatalogEntry(reference: table, kind: kind, isWithoutRowID: false, isStrict: false, columnCount: 5)
  }

  static func column(_ name: String, _ type: String, _ affinity: ColumnSchema.Affinity, key: Int? = nil) -> RowSetColumn {
    RowSetColumn(
      name: name,
      schema: ColumnSchema(
        name: name, declaredType: type, affinity: affinity, isNullable: key == nil, defaultSQL: nil, generation: nil, isHidden: false,
        primaryKeyPosition: key, isRowID: key != nil))
  }

  /// The row of a number, from 0.
  static func row(_ number: Int) -> WindowRow {
    let title = "song \(number)"
    return WindowRow(
      key: .rowID(Int64(number + 1)),
      cells: [
        .integer(Int64(number + 1)), .text(title, byteCount: title.utf8.count, isValid: true), number % 7 == 3 ? .null : .integer(7),
        .real(Double(number) / 2), .blob([0x89, 0x50, 0x4E, 0x47], byteCount: 10_400),
      ])
  }

  static func page(_ numbers: Range<Int>, of total: Int) -> RowPage {
    RowPage(
      rows: numbers.map(row), firstNumber: .exact(numbers.lowerBound), reachesStart: numbers.lowerBound == 0,
      reachesEnd: numbers.upperBound == total)
  }

  /// The numbers of the songs that a page holds.
  static func range(of request: PageRequest, total: Int) -> Range<Int> {
    let limit = request.limit
    var start = 0
    var end = total
    switch request.position {
    case .last: start = total - limit
    case .after(.rowID(let key)): start = Int(key)
    case .before(.rowID(let key)):
      end = Int(key) - 1
      start = end - limit
    case .number(let number): start = min(number, total - 1)
    default: start = 0
    }
    start = max(0, start)
    return start..<max(start, min(end, start + limit))
  }

  static let catalog: Catalog = Catalog(databases: [
    CatalogDatabase(
      name: "main", path: "/music.db",
      entries: [entry(TableReference(name: "albums")), entry(songs), entry(TableReference(name: "best"), kind: .view)])
  ])

  /// A browser that has just been started on a database.
  static func browser(columns: Int = 80, rows: Int = 24, isASCII: Bool = false, opened: OpenedFiles = OpenedFiles()) -> Browser {
    var options = BrowserOptions(title: "music.db", isASCII: isASCII)
    options.opened = opened
    return Browser(
      options: options, size: Size(columns: columns, rows: rows), themes: ThemeCatalog(),
      theme: .fallback, keymap: Keymap())
  }

  /// A browser with the catalog read and the first rows of `total` songs in its grid, which has the focus.
  static func openBrowser(columns: Int = 80, rows: Int = 24, total: Int = 1_000, opened: OpenedFiles = OpenedFiles()) -> Browser {
    var browser = browser(columns: columns, rows: rows, opened: opened)
    _ = browser.start()
    browser.answer(LoadCatalog.self, .success(catalog))
    browser.open(OpenedRows(schema: schema, page: page(0..<min(60, total), of: total)))
    browser.focus = .rows
    browser.applyLayout()
    return browser
  }
}

extension Effect {
  /// What is asked for, whatever its number.
  var work: AnyHashable {
    if case .request(let issued) = self { AnyHashable(issued.request) } else { AnyHashable(self) }
  }
}

extension TextRemark {
  /// Makes a remark on a range of the text.
  init(_ sentence: String, in range: Range<Int>, mended: [String] = []) {
    self.init(range: range, sentence: sentence, mended: mended)
  }
}

extension ViewReport {
  /// Makes a report on a valid filter.
  init(sql: String, lamp: PlanSummary.Lamp) {
    let index = "CREATE INDEX songs_length ON songs(length)"
    self.init(sql: sql, plan: PlanSummary(lamp: lamp, sentence: "every row is read", index: index))
  }

  /// Makes a report on a filter with an error.
  init(_ fault: TextRemark) { self.init(faults: [fault]) }

  /// Nothing is found wrong.
  static let sound = ViewReport()

  /// What is found wrong with the filter `nmae`.
  static let misspelt = ViewReport(TextRemark("There is no column nmae.", in: 0..<4, mended: ["name"]))
}

extension PickerItem {
  /// Makes an item.
  init(_ label: String, detail: String = "", trailing: String = "", preview: String = "") {
    self.init(label: label, detail: detail, trailing: trailing, preview: preview)
  }
}

extension [Effect] {
  /// The requests of a type among the effects, with the numbers by which they are answered.
  func requests<R: Request>(_: R.Type) -> [(id: RequestID, request: R)] {
    compactMap { effect in
      guard case .request(let issued) = effect, let request = issued.request as? R else { return nil }
      return (issued.id, request)
    }
  }
}

extension OpenedRows {
  /// Rows with the columns of songs; the grid is that of the request which they answer.
  init(
    columns: [RowSetColumn] = BrowserFixture.columns, schema: TableSchema? = BrowserFixture.schema, page: RowPage, cursor: RowKey? = nil,
    view: RowView = RowView(), order: [OrderMark] = []
  ) {
    self.init(
      grid: GridID(number: 0), columns: columns, schema: schema, page: page, cursor: cursor, view: view, order: order,
      filterColumns: schema.map(FilterColumns.init) ?? FilterColumns([]))
  }
}

extension Browser {
  /// The grid that is shown.
  var grid: GridPane? { workspace.grid }

  /// Answers the request of a type that was asked for last; returns what is to be done then, nothing where none is outstanding.
  @discardableResult
  mutating func answer<R: Request>(_: R.Type, _ result: Result<R.Answer, Problem>) -> [Effect] {
    guard let id = requests.outstanding(R.self).last?.id else { return [] }
    return update(.answered(id, result.map { $0 }))
  }

  /// Tells how far the request of a type is that was asked for last.
  mutating func report<R: Request>(_: R.Type, _ report: R.Report) {
    if let id = requests.outstanding(R.self).last?.id { _ = update(.reported(id, report)) }
  }

  /// Answers the request for rows with some.
  @discardableResult
  mutating func open(_ rows: OpenedRows) -> [Effect] {
    var rows = rows
    if let grid = requests.outstanding(OpenRows.self).last?.request.grid { rows.grid = grid }
    return answer(OpenRows.self, .success(rows))
  }

  /// Answers the request for a page of the grid.
  @discardableResult
  mutating func answerPage(_ result: Result<RowPage, Problem>) -> [Effect] {
    guard requests.outstanding(LoadPage.self).isEmpty else { return answer(LoadPage.self, result) }
    let named = requests.outstanding(LoadAround.self).last?.request.key
    return answer(
      LoadAround.self, result.map { page in ArrivedRows(page: page, place: page.rows.firstIndex { $0.key == named } ?? page.rows.count) })
  }

  /// Returns the intents of a type that screens sent while the last message was handled.
  func sent<I: ScreenIntent>(_: I.Type) -> [I] { sentIntents.compactMap { $0 as? I } }

  /// Returns the requests of a type that have not been answered, in order.
  func outstanding<R: Request>(_: R.Type) -> [(id: RequestID, request: R)] { requests.outstanding(R.self) }

  /// Tells what the request of a type that was asked for last has counted so far.
  mutating func report<R: Request, Content>(
    _: R.Type, content: Content, progress: RowProgress
  ) where R.Report == InsightReport<Content> {
    report(R.self, InsightReport(content: content, progress: progress))
  }

  /// Returns the first of the screens over the rows that is of a type.
  func overlay<S: Screen>(_: S.Type) -> S? { overlays.all.lazy.compactMap { $0.screen as? S }.first }

  /// Whether a screen lies over the others.
  var hasTopScreen: Bool { topScreen != nil }

  /// Tells how far the import is that was asked for last.
  mutating func reportImport(bytes: Int, of byteCount: Int, rows: Int, after elapsed: Duration) {
    report(ImportFile.self, ImportProgress(bytes: bytes, byteCount: byteCount, rows: rows, elapsed: elapsed))
  }

  /// Begins an import.
  mutating func begin(_ request: ImportFile) { send(RowsIntent.importFile(request)) }

  /// Opens a table in the grid.
  mutating func open(_ table: TableReference) { send(RowsIntent.open(table)) }

  /// The names of the commands of the screen that has the focus.
  var focusedCommands: [String] { Swift.type(of: focusedScreen.screen).declarations.map(\.command.rawValue) }

  /// Returns the screen that lies over the others; nil where that is of another type.
  func top<S: Screen>(_: S.Type) -> S? { topScreen?.screen as? S }

  /// Presses keys, in the notation of the keymap file, and returns what is to be done.
  @discardableResult
  mutating func press(_ notation: String) -> [Effect] {
    (Keymap.parse(notation) ?? []).flatMap { update(.eventArrived(.key($0))) }
  }

  /// Types a text.
  mutating func type(_ text: String) {
    for character in text { _ = update(.eventArrived(.key(Key(character)))) }
  }

  /// What the screen shows, as text.
  var screen: String {
    var surface = Surface(size: size)
    draw(into: &surface)
    return surface.text
  }

  /// Answers every request for a page of `total` songs that is among `effects`, and those that follow from it.
  mutating func answer(_ effects: [Effect], total: Int = 1_000) {
    for (id, load) in effects.requests(LoadPage.self) {
      let range = BrowserFixture.range(of: load.request, total: total)
      answer(update(.answered(id, .success(BrowserFixture.page(range, of: total)))), total: total)
    }
  }
}

/// The state of the comparison of two databases.
struct ComparisonState {
  var entries: [String]
  var addedCounts: [Int]
  var table: String?
  var position: Int
  var count: Int
  var showsRecord: Bool
  var filter: String
  var isTypingFilter: Bool
}

extension SessionDriver {
  /// Whether the notice is an error.
  var tellsError: Bool { browser.notice?.role == .error }

  /// The state of the comparison; nil while none is open.
  var comparison: ComparisonState? {
    guard let screen = browser.overlay(DiffScreen.self) else { return nil }
    let tables = screen.tables
    let names = screen.entries.map { entry in
      if case .table(let index) = entry { tables[index].name } else { "schema" }
    }
    return ComparisonState(
      entries: names, addedCounts: tables.map(\.counts.added), table: screen.table?.name, position: screen.position, count: screen.count,
      showsRecord: screen.rows.record != nil, filter: screen.filters.bar.field.text, isTypingFilter: screen.filters.bar.isTyping)
  }
}
