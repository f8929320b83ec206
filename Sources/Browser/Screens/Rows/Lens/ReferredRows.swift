import QuarryEngine
import QuarryRows

/// The rows that values refer to by foreign keys, as far as they have been read.
struct ReferredRows: Hashable, Sendable {
  /// The values of a foreign key, by its index among the table's.
  struct Reference: Hashable, Sendable {
    var key: Int
    var values: [DatabaseValue]
  }

  private(set) var rows: [Reference: ReferredRow] = [:]
  /// The references that have been requested.
  private var asked: Set<Reference> = []
  /// The number of changes of the file and of the label columns that this includes.
  private var nameChanges: Int

  init(nameChanges: Int = 0) { self.nameChanges = nameChanges }

  /// The maximum number of references held in memory.
  private static let limit = 20_000

  /// Has everything read again after a change of the file or of the label columns, and returns whether there was one.
  ///
  /// The known rows stay until then.
  mutating func turn(to nameChanges: Int) -> Bool {
    guard self.nameChanges != nameChanges else { return false }
    self.nameChanges = nameChanges
    renew()
    return true
  }

  /// Returns the references that have to be read, and marks them as requested; none where all are known or on their way.
  mutating func demand(_ references: Set<Reference>) -> Set<Reference> {
    guard !references.isSubset(of: asked) else { return [] }
    // References that were still being read are requested again, because the new request supersedes the running one.
    let missing = references.subtracting(asked.intersection(rows.keys))
    asked = asked.intersection(rows.keys).union(references)
    return missing
  }

  /// Has everything read again; the known rows stay until then.
  mutating func renew() { asked = [] }

  /// Forgets the requests that have not been answered.
  mutating func dropRequests() { asked.formIntersection(rows.keys) }

  /// Adds rows that have been read.
  mutating func receive(_ read: [Reference: ReferredRow]) {
    if rows.count > Self.limit { (rows, asked) = ([:], Set(read.keys)) }
    rows.merge(read) { $1 }
  }
}

extension ReferredRow {
  /// The name of the row, or why it has none: `Big Ones`; nil for a row without a label.
  var name: (text: String, role: Role)? {
    switch self {
    case .row(let label?): (label, .textValue)
    case .missing: ("no such row", .warning)
    case .noTable: ("no such table", .warning)
    case .row(nil): nil
    }
  }

  /// Returns the name as it follows a value that references the row: ` · Big Ones`; nil for a row without a label.
  func text(glyphs: Glyphs) -> (text: String, role: Role)? {
    name.map { (glyphs.separator + $0.text, $0.role) }
  }
}

/// The names of the rows that the values of columns refer to, where a foreign key consists of one column.
struct ColumnNames: Hashable, Sendable {
  /// The foreign keys of the table whose columns are shown.
  private var keys: [ForeignKeySchema] = []
  private var referred = ReferredRows()
  /// Whether a request has not been answered: while values keep coming, it is not begun again for each of them.
  private var isAwaiting = false

  /// Returns the index of the foreign key of a column.
  private func key(of column: String) -> Int? {
    keys.firstIndex { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: column) }
  }

  private func reference(_ value: DatabaseValue, of column: String) -> ReferredRows.Reference? {
    guard value != .null, let key = key(of: column) else { return nil }
    return ReferredRows.Reference(key: key, values: [value])
  }

  /// Returns the foreign key to the rows that contain the names of a column; nil if there is no such key.
  func foreignKey(of column: String) -> ForeignKeySchema? { key(of: column).map { keys[$0] } }

  /// Returns the row that a value of a column refers to; nil if it refers to no row, or if the row is not known yet.
  func row(_ value: DatabaseValue?, of column: String) -> ReferredRow? {
    value.flatMap { reference($0, of: column) }.flatMap { referred.rows[$0] }
  }

  /// Returns the request for the names of values that have not been read; nil where all have been, or are being read.
  ///
  /// - Parameters:
  ///   - values: The values by column.
  ///   - grid: The grid of the table.
  ///   - slot: The slot of the request.
  mutating func request(
    for values: [(column: String, value: DatabaseValue)], of grid: GridPane?, in slot: RequestSlot, _ environment: ScreenEnvironment
  ) -> LoadReferredRows? {
    let known = grid?.schema?.foreignKeys ?? []
    if known != keys { (keys, referred, isAwaiting) = (known, ReferredRows(), false) }
    guard !keys.isEmpty, !isAwaiting else { return nil }
    _ = referred.turn(to: environment.workspace.source.nameChanges)
    let missing = referred.demand(Set(values.compactMap { reference($0.value, of: $0.column) }))
    isAwaiting = !missing.isEmpty
    return isAwaiting ? LoadReferredRows(keys: keys, references: missing, labels: environment.options.labels, in: slot) : nil
  }

  /// Adds the rows that a request has read, unless it was about another table.
  mutating func receive(_ result: Result<LoadReferredRows.Answer, Problem>, to request: LoadReferredRows) {
    guard request.keys == keys else { return }
    isAwaiting = false
    if case .success(let rows) = result { referred.receive(rows) }
  }
}
