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
    indexes = names.count > 16 ? Dictionary(zip(names.map(Self.folded), names.indices), uniquingKeysWith: min) : nil
  }

  /// The index of the leftmost column of that name, in whatever case.
  func index(of name: String) -> Int? {
    if let indexes { return indexes[Self.folded(name)] }
    return names.firstIndex { $0 == name || Self.matches($0, name) }
  }

  /// ASCII letters only, as SQLite compares names.
  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map(lowered), as: UTF8.self)
  }

  private static func matches(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count && zip(first.utf8, second.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: byte
    }
  }
}
