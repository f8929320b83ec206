import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// What is staged, by table and row, and the commit of it.
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
  /// The schemas of the tables and what their rows are called, as far as that has been read.
  private var names = LoadRowNames.Names()
  /// Whether that has been read.
  private var hasNames = false
  /// Why the last commit has written nothing.
  private(set) var refusal: CommitRefusal?
  /// What the commit will change besides, as far as that has been found out.
  private(set) var forecast = CommitForecast()
  /// The number of the changes that it is about.
  private var forecastRevision: Int?
  /// The number of the changes that the lines show.
  private var revision: Int?
  var height: Int { cursor.height }

  var current: Line? { lines.indices.contains(cursor.index) ? lines[cursor.index] : nil }

  /// The conflicts of the row under the cursor, of one column each.
  var conflicts: [Conflict] {
    guard let current, let row = current.row else { return [] }
    return refusal?.conflicts(of: row, in: current.table) ?? []
  }

  /// Lays the lines out anew where something else is staged by now.
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

  /// Returns whether a table with staged changes is no longer there.
  func isGone(_ table: TableReference) -> Bool { hasNames && schemas[table] == nil }

  /// Returns the columns of a change that its table no longer has.
  func goneColumns(of change: StagedRow, in table: TableReference) -> [String] {
    guard let schema = schemas[table] else { return [] }
    return change.columns.filter { name in !schema.columns.contains { $0.name == name } }
  }

  /// Shows why nothing was written, with the cursor on the first row that stands in the way.
  mutating func receive(_ refusal: CommitRefusal) {
    self.refusal = refusal
    guard let place = refusal.places.first else { return }
    if let line = lines.firstIndex(where: { $0.table == place.table && $0.row == place.row }) { move(to: line) }
  }

  mutating func forgetRefusal() { refusal = nil }

  /// Returns whether it is to be found out what other rows the commit will change; true once after each change of what is staged.
  mutating func needsForecast(revision: Int) -> Bool {
    defer { forecastRevision = revision }
    return forecastRevision != revision
  }

  mutating func receive(_ forecast: CommitForecast) { self.forecast = forecast }

  /// Takes note that conflicts have been resolved; returns how many are left.
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

  /// Returns what a row is known by whose key has several values; a row of a view has no key, and is told by its first values.
  private func words(for key: [DatabaseValue], in schema: TableSchema?) -> String {
    guard let schema else { return "" }
    let isKeyless = schema.primaryKey.isEmpty
    let columns = isKeyless ? schema.columns.filter { !$0.isHidden }.prefix(3).map(\.name) : schema.primaryKey
    return zip(columns, key).map { "\($0) \(isKeyless ? StagedValue.value($1).shortText : $1.plainText)" }.joined(separator: ", ")
  }

  /// Returns what a row is known by: `CustomerID ALFKI`, `new row`.
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
