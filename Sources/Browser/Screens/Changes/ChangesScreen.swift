import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// The staged changes, by table and row, and their commit.
struct ChangesScreen: Sendable {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    case table(TableReference)
    case row(TableReference, StagedRowID)
    case cell(TableReference, StagedRowID, column: String)

    var table: TableReference {
      switch self {
      case .table(let table), .row(let table, _), .cell(let table, _, _): table
      }
    }

    var row: StagedRowID? {
      switch self {
      case .table: nil
      case .row(_, let row), .cell(_, let row, _): row
      }
    }
  }

  private(set) var lines: [Line] = []
  private(set) var cursor = ListCursor()
  /// The schemas of the tables and the names of their rows, if they have been read.
  private var names = LoadRowNames.Names()
  /// Whether they have been read.
  private var hasNames = false
  /// The reason why the last commit has written nothing.
  private(set) var refusal: CommitRefusal?
  /// The additional effects of the commit that are known so far.
  private(set) var forecast = CommitForecast()
  /// The revision of the staged changes for the forecast.
  private var forecastRevision: Int?
  /// The revision of the staged changes in the list.
  private var revision: Int?
  var height: Int { cursor.height }

  var current: Line? { lines.indices.contains(cursor.index) ? lines[cursor.index] : nil }

  /// The conflicts of the row under the cursor, one per column.
  var conflicts: [Conflict] {
    guard let current, let row = current.row else { return [] }
    return refusal?.conflicts(of: row, in: current.table) ?? []
  }

  /// Updates the list if the staged changes have changed.
  mutating func show(_ staged: StagedChanges, revision: Int) {
    guard revision != self.revision else { return }
    self.revision = revision
    let before = current
    lines = staged.tables.flatMap { table in
      [Line.table(table)] + staged.rows(of: table).flatMap { row, change in Self.lines(of: row, in: table, change) }
    }
    let line = before.flatMap { line in lines.firstIndex(of: line) } ?? cursor.index
    move(to: line == 0 ? 1 : line)
  }

  private static func lines(of row: StagedRowID, in table: TableReference, _ change: StagedRow) -> [Line] {
    let columns = change.kind == .deleted ? [] : change.columns
    return [.row(table, row)] + columns.map { .cell(table, row, column: $0) }
  }

  mutating func move(by count: Int) { cursor.move(by: count, of: lines.count) }

  mutating func move(to line: Int) { cursor.move(to: line, of: lines.count) }

  mutating func scroll(by count: Int) { cursor.scroll(by: count, of: lines.count) }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: lines.count) }

  var schemas: [TableReference: TableSchema] { names.schemas }

  mutating func receive(_ names: LoadRowNames.Names) { (self.names, hasNames) = (names, true) }

  /// Returns whether a table with staged changes no longer exists.
  func isGone(_ table: TableReference) -> Bool { hasNames && schemas[table] == nil }

  /// Returns the columns of a change that its table no longer has.
  func goneColumns(of change: StagedRow, in table: TableReference) -> [String] {
    guard let schema = schemas[table] else { return [] }
    return change.columns.filter { name in !schema.columns.contains { $0.name == name } }
  }

  /// Shows the reason why nothing was written, with the cursor on the first row that caused it.
  mutating func receive(_ refusal: CommitRefusal) {
    self.refusal = refusal
    guard let place = refusal.places.first else { return }
    if let line = lines.firstIndex(where: { $0.table == place.table && $0.row == place.row }) { move(to: line) }
  }

  mutating func forgetRefusal() { refusal = nil }

  /// Returns whether a new forecast of the commit's other effects is needed; true only once per revision of the staged changes.
  mutating func needsForecast(revision: Int) -> Bool {
    defer { forecastRevision = revision }
    return forecastRevision != revision
  }

  mutating func receive(_ forecast: CommitForecast) { self.forecast = forecast }

  /// Records that conflicts have been resolved; returns the number of unresolved conflicts.
  mutating func settle(_ conflicts: [Conflict]) -> Int {
    refusal?.drop(conflicts)
    guard let rest = refusal?.conflicts.count, rest > 0 else {
      refusal = nil
      return 0
    }
    return rest
  }

  // MARK: Words

  /// Returns whether the name of a row has been read.
  func hasName(_ row: StagedRowID, in table: TableReference) -> Bool { names.rows[table]?[row] != nil }

  /// Returns the name of a row with a key of several values.
  ///
  /// A row of a view has no key and is named by its first values.
  private func words(for key: [DatabaseValue], in schema: TableSchema?) -> String {
    guard let schema else { return "" }
    let isKeyless = schema.primaryKey.isEmpty
    let columns = isKeyless ? schema.columns.filter { !$0.isHidden }.prefix(3).map(\.name) : schema.primaryKey
    return zip(columns, key).map { "\($0) \(isKeyless ? StagedValue.value($1).shortText : $1.plainText)" }.joined(separator: ", ")
  }

  /// Returns the name of a row: `CustomerID ALFKI`, `new row`.
  func words(for row: StagedRowID, in table: TableReference) -> String {
    if let name = names.rows[table]?[row] { return name }
    return switch row {
    case .new: "new row"
    case .stored(.rowID(let id)): "\(schemas[table]?.columns.first(where: \.isRowID)?.name ?? "rowid") \(id)"
    case .stored(.values(let values)):
      words(for: values, in: schemas[table])
    case .stored(.position(let position)): "row \(position + 1)"
    }
  }
}
