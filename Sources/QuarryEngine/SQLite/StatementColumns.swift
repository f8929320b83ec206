internal import CSQLite

/// What is known of the columns of a statement, which change when SQLite compiles it anew after a change of the schema.
struct StatementColumns {
  private(set) var count: Int
  private var labels: ColumnLabels?
  private var compilations: Int32 = 0

  init(_ statement: OpaquePointer) {
    count = Int(sqlite3_column_count(statement))
  }

  /// Looks, after the first step of a run, whether the columns are still the same.
  mutating func refresh(_ statement: OpaquePointer) {
    let compilations = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard compilations != self.compilations else { return }
    self.compilations = compilations
    count = Int(sqlite3_column_count(statement))
    labels = nil
  }

  mutating func labels(of statement: OpaquePointer, isClosed: Bool) -> ColumnLabels {
    if let labels { return labels }
    guard !isClosed else { return ColumnLabels([]) }
    let names = (0..<Int32(count)).map { index in
      sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    }
    let made = ColumnLabels(names)
    labels = made
    return made
  }
}

/// The names of a row's columns, shared by all rows of a run.
final class ColumnLabels: Sendable {
  let names: [String]
  /// By name in lower case; only where there are so many that looking at each would be felt.
  private let indexes: [String: Int]?

  init(_ names: [String]) {
    self.names = names
    indexes = names.count > 16 ? Dictionary(zip(names.map(\.asciiLowercased), names.indices), uniquingKeysWith: min) : nil
  }

  /// The index of the leftmost column of that name, in whatever case.
  func index(of name: String) -> Int? {
    if let indexes { return indexes[name.asciiLowercased] }
    return names.firstIndex { $0 == name || $0.isSameIdentifier(as: name) }
  }
}
