import QuarryEngine
import QuarryFiles
import QuarryRows
import Synchronization

/// Copying values and rows to the clipboard.
extension RowsContext {
  /// Copies the complete value under the cursor, unformatted.
  mutating func copyValue() {
    guard let grid, let key = grid.currentRow?.key else { return }
    if let column = grid.currentColumn, let value = grid.shownValue(workspace.staged) {
      // The text is stored immediately, because the next key may paste it.
      let text = CopyText(value, title: column.name)
      workspace.copied = CopiedText(text)
      if grid.isStaged(workspace.staged) { return send(.copyToClipboard(text)) }
    }
    copyValue(of: key, column: grid.column)
  }

  mutating func copyValue(of key: RowKey, column: Int) {
    guard let grid, let name = grid.column(at: column)?.name else { return }
    copy(.value(key, column: column), of: grid, title: name)
  }

  mutating func copyRow(as format: ExportFormat) {
    guard let grid, let key = grid.currentRow?.key else { return }
    let content = CopyContent.rows(from: key, through: key, columns: grid.layout.shown, format: format)
    copy(content, of: grid, title: "1 row as \(format.title)")
  }

  /// Copies the selection, or the row under the cursor.
  mutating func copySelection(as format: ExportFormat) {
    guard let grid, let keys = grid.selectedKeys else { return copyRow(as: format) }
    workspace.changeGrid { $0.selection = nil }
    let content = CopyContent.rows(from: keys.from, through: keys.through, columns: grid.selectedColumns, format: format)
    copy(content, of: grid, title: "\(grid.selectionTitle) as \(format.title)", rows: grid.selectedCount)
  }

  private mutating func copy(_ content: CopyContent, of grid: GridPane, title: String, rows: Int? = nil) {
    let tableName = if case .table(let table) = grid.rowSet.source { table.name } else { "result" }
    ask(PrepareCopy(grid: grid.id, title: title, tableName: tableName, content: content, rows: rows)) { _, context, result in
      switch result {
      case .success(let text): context.send(.copyToClipboard(text))
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Shows the formats in which rows can be copied.
  mutating func showCopyFormats() {
    let title =
      grid.map { $0.selection == nil ? "Copy this row as" : "Copy \(appearance.sentence($0.selectionTitle)) as" } ?? ""
    let items = ExportFormat.allCases.map { format in
      PickerItem(label: format.title, perform: handler { _, context in context.copySelection(as: format) })
    }
    present(Picker(title: title, placeholder: "type part of a name", items: items))
  }
}

extension CopyText {
  /// Creates the text of one value.
  init(_ value: DatabaseValue, title: String) {
    switch value {
    case .null: self.init(text: "", title: "NULL as an empty text", value: value)
    case .blob: self.init(text: value.sqlLiteral, title: title, value: value)
    default: self.init(text: value.plainText, title: title, value: value)
    }
  }
}

/// The content to copy from a grid, and its format.
enum CopyContent: Hashable, Sendable {
  /// One value, unformatted.
  case value(RowKey, column: Int)
  /// The rows of a range, and the indexes of their columns.
  case rows(from: RowKey, through: RowKey, columns: [Int], format: ExportFormat)
}

/// A request that reads the content to copy, and writes it in its format.
struct PrepareCopy: Request {
  let grid: GridID
  let title: String
  let tableName: String
  let content: CopyContent
  /// The number of rows; nil if unknown.
  var rows: Int?

  static let slot = RequestSlot("copy")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "copying", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> CopyText {
    let reader = try services.reader(grid)
    switch content {
    case .value(let key, let column): return try await copyOfValue(key, column, reader: reader)
    case .rows(let first, let last, let columns, let format):
      let all = try await reader.columns()
      // A table cannot store computed columns.
      let kept = format == .sql ? columns.filter { all.indices.contains($0) && all[$0].computed == nil } : columns
      let copied = CopiedRows(format, columns: all.map(\.name), kept, table: tableName, count: rows)
      try await reader.forEachRow(from: first, through: last, columns: kept) { values in
        if let progress = try copied.add(values) { report(progress) }
      }
      return CopyText(text: try copied.finish(), title: title)
    }
  }

  private func copyOfValue(_ key: RowKey, _ column: Int, reader: RowReader) async throws -> CopyText {
    guard let value = try await reader.value(key, column: column) else { throw Problem.rowDeleted }
    return CopyText(value, title: title)
  }
}

/// The text of the copied rows.
private final class CopiedRows: Sendable {
  private let text: Text
  private let state: Mutex<State>
  private let count: Int?
  private let start = ContinuousClock.now

  private final class Text: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  private struct State {
    var exporter: RowExporter
    var rows = 0
  }

  /// The largest size of a text for the clipboard, in bytes; larger texts belong in a file.
  private static let limit = 64 << 20

  /// The number of rows after which progress is reported.
  private static let reportInterval = 10_000

  /// Starts a text.
  ///
  /// - Parameter count: The expected number of rows; nil if unknown.
  init(_ format: ExportFormat, columns: [String], _ indexes: [Int], table: String, count: Int?) {
    let text = Text()
    self.text = text
    self.count = count
    state = Mutex(
      State(
        exporter: RowExporter(format, columns: indexes.compactMap { columns.dropFirst($0).first }, table: table) { bytes in
          try text.bytes.withLock { text in
            text += bytes
            guard text.count <= Self.limit else { throw Problem("too large to copy (more than 64 MB): :export writes it to a file") }
          }
        }))
  }

  /// Adds a row; returns the progress at intervals.
  func add(_ values: [DatabaseValue]) throws -> RowProgress? {
    try state.withLock { state in
      try state.exporter.write(values)
      state.rows += 1
      return state.rows % Self.reportInterval == 0 ? RowProgress(rows: state.rows, total: count, elapsed: ContinuousClock.now - start) : nil
    }
  }

  /// Ends the text and returns it.
  func finish() throws -> String {
    try state.withLock { try $0.exporter.finish() }
    return String(decoding: text.bytes.withLock(\.self), as: UTF8.self)
  }
}

extension ExportFormat {
  /// The name of the format on the screen.
  var title: String {
    switch self {
    case .csv: "CSV"
    case .tsv: "TSV"
    case .json: "JSON"
    case .ndjson: "JSON lines"
    case .markdown: "Markdown"
    case .html: "HTML"
    case .sql: "INSERT"
    }
  }
}
