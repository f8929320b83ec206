package import QuarryEngine
package import QuarryRows

/// A table of two databases, with the differences that have been found so far.
package struct ComparedTable: Hashable, Sendable {
  /// The state of the comparison of a table.
  package enum State: Hashable, Sendable {
    case waiting
    /// Rows are being compared; the number includes the rows of both sides that have been passed.
    case running(rows: Int)
    case compared
    /// The rows cannot be compared, for this reason.
    case notCompared(String)
  }

  /// A column with its names in both databases, or nil if a database does not have it.
  package struct Column: Hashable, Sendable {
    package var old: String?
    package var new: String?
    /// The number of changed rows in which the values of the column differ.
    package var changes = 0

    /// The name in the second database, or in the first if the second does not have the column.
    package var name: String { new ?? old ?? "" }
  }

  package let name: String
  package internal(set) var state = State.waiting
  /// The numbers of different rows.
  package internal(set) var counts: TableDifference
  /// The columns, those of the key first.
  package private(set) var columns: [Column] = []
  /// The number of key columns, or 0 if whole rows are matched.
  package private(set) var keyCount = 0
  /// Whether only the first or only the second database has the table.
  package private(set) var isRemoved = false
  package private(set) var isAdded = false
  /// The number of stored differences: equal rows that only one side has are stored once.
  package private(set) var stored = 0
  /// The columns that a filter can name, once there are differences.
  package internal(set) var filterColumns: FilterColumns?

  /// Creates a table that has not been compared yet.
  package init(name: String) {
    self.name = name
    counts = TableDifference(table: name)
  }

  /// Whether the table has too many columns for its differences to be stored, so that they are only counted.
  package var isTooWide: Bool { columns.count > Self.mostColumns }

  /// A SELECT of both sides has at most 2,000 columns.
  private static let mostColumns = 990

  /// Whether more differences may be found.
  package var isUnfinished: Bool {
    switch state {
    case .waiting, .running: true
    case .compared, .notCompared: false
    }
  }

  mutating func begin(_ table: DiffTable) {
    state = .running(rows: 0)
    let keys = zip(table.key.names(in: table.before ?? table.after), table.key.names(in: table.after ?? table.before))
    let pairs = keys.map { (old: Optional($0), new: Optional($1)) } + table.columns.map { (old: $0.from, new: $0.to) }
    columns = pairs.map { Column(old: table.before == nil ? nil : $0.old, new: table.after == nil ? nil : $0.new) }
    keyCount = table.key.kind == .wholeRows ? 0 : table.key.columns.count
    (isRemoved, isAdded) = (table.after == nil, table.before == nil)
  }

  mutating func add(_ differences: [RowDifference], of table: DiffTable) {
    for difference in differences {
      counts.add(difference)
      guard difference.change == .changed, let old = difference.old, let new = difference.new else { continue }
      for index in columns.indices where old[index] != new[index] { columns[index].changes += 1 }
    }
    stored += isTooWide ? 0 : differences.count
  }
}

/// A difference of a row, read from a store.
package struct StoredDifference: Hashable, Sendable {
  /// The number of the difference in its table, from 1.
  package var number: Int
  package var change: DiffChange
  /// The values in the first database, or nil if it does not have the row.
  package var old: [StoredValue]?
  /// The values in the second database, or nil if it does not have the row.
  package var new: [StoredValue]?
  /// The numbers of equal rows on both sides if whole rows are matched.
  package var counts: RowCounts

  /// The numbers of equal rows in both databases.
  package struct RowCounts: Hashable, Sendable {
    package var old: Int
    package var new: Int
  }

  /// The number of bytes of its texts and blobs.
  var byteCount: Int { ((old ?? []) + (new ?? [])).reduce(0) { $0 + $1.byteCount } }

  /// Whether the values of a column differ in a row that both databases have.
  package func isChanged(_ column: Int) -> Bool {
    guard change == .changed, let old, let new else { return false }
    return old[column] != new[column]
  }

  /// The number of equal rows that only one database has.
  package var surplus: Int { change == .changed ? 1 : max(1, abs(counts.new - counts.old)) }

  /// Reads a row of a store: number, change, counts, the numbers of the rows on both sides, then the old and the new values.
  init(_ statement: Statement, width: Int) throws {
    number = Int(try statement.columnInteger(at: 0))
    change = DiffChange(rawValue: try statement.columnText(at: 1)) ?? .changed
    counts = RowCounts(old: Int(try statement.columnInteger(at: 2)), new: Int(try statement.columnInteger(at: 3)))
    let sides = try [(4, 6), (5, 6 + width)].map { number, start -> [StoredValue]? in
      try statement.isColumnNull(at: number) ? nil : try (start..<start + width).map { try statement.storedValue(at: $0) }
    }
    (old, new) = (sides[0], sides[1])
  }
}

/// The columns that a filter of differences can name.
enum DifferenceColumns {
  /// Returns the columns of both sides, as `old.Total` and `new.Total`, and the kind of change.
  static func filterColumns(of table: DiffTable, _ diff: DatabaseDiff) async throws -> FilterColumns {
    let oldNames = table.key.names(in: table.before ?? table.after).map(Optional.some) + table.columns.map(\.from)
    let newNames = table.key.names(in: table.after ?? table.before).map(Optional.some) + table.columns.map(\.to)
    let old = try await columns(oldNames, of: table.before, "old", diff.from)
    let new = try await columns(newNames, of: table.after, "new", diff.to)
    return FilterColumns(new + old + [FilterColumn("change", type: .text, isNullable: false)], qualifiers: ["old", "new"])
  }

  private static func columns(
    _ names: [String?], of schema: TableSchema?, _ qualifier: String, _ side: any DiffSide
  ) async throws -> [FilterColumn] {
    guard let schema else { return [] }
    let columns = try await side.schema { FilterColumns(of: schema, in: $0) }
    return names.compactMap { name in
      guard let name, var column = columns.named(name) else { return nil }
      column.name = "\(qualifier).\(name)"
      (column.isHidden, column.isNullable) = (false, true)
      return column
    }
  }
}

extension DiffTable {
  /// The collation of each column, the key's first: that of the second database, where SQLite itself has it.
  var collations: [String] {
    names.map { name in
      let collation = (after ?? before)?.column(named: name)?.collation.uppercased() ?? "BINARY"
      return ["NOCASE", "RTRIM"].contains(collation) ? collation : "BINARY"
    }
  }
}

extension StoredValue {
  /// The number of bytes of a text or a blob.
  fileprivate var byteCount: Int {
    switch self {
    case .value(.text(let text)): text.utf8.count
    case .value(.blob(let bytes)), .rawText(let bytes): bytes.count
    case .value: 0
    }
  }
}
