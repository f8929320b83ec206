/// What a search in rows looks for.
public enum Needle: Hashable, Sendable {
  /// A part of a text or of a number as it is written, as LIKE finds it: the case of ASCII letters is ignored. Blobs have no text.
  case text(String)
  /// A whole value, of the same storage class.
  case value(DatabaseValue)
}

/// Where a search found something.
public struct RowMatch: Hashable, Sendable {
  /// The row.
  public var key: RowKey
  /// The first of the searched columns that matches.
  public var column: Int
  /// Whether the search went on from the other end of the rows.
  public var wrapped: Bool

  /// Makes a match.
  public init(key: RowKey, column: Int, wrapped: Bool) {
    self.key = key
    self.column = column
    self.wrapped = wrapped
  }
}

/// A search in rows: what is looked for, where, from which row on, and who is told how far it is.
struct RowSearch: Sendable {
  var needle: Needle
  /// The indices of the columns that are looked at.
  var columns: [Int]
  /// The row to go on from; nil to begin at the end of the rows.
  var start: RowKey?
  var direction: KeysetOrder.Direction
  var report: @Sendable (RowProgress) -> Void
}

extension Needle {
  /// The number of the first column that matches, else NULL: a CASE, since an OR of 2,000 columns is too deep for SQLite.
  func sql(_ columns: [(index: Int, name: String)]) -> String {
    "CASE " + columns.map { "WHEN \(condition($0.name)) THEN \($0.index) " }.joined() + "END"
  }

  private func condition(_ column: String) -> String {
    switch self {
    case .text: "typeof(\(column)) \(isOfNumber ? "<> 'blob'" : "= 'text'") AND \(column) LIKE ?1 ESCAPE '\\'"
    case .value(.text), .value(.blob), .value(.null): "\(column) IS ?1 COLLATE BINARY AND typeof(\(column)) = typeof(?1)"
    case .value(.integer), .value(.real): "\(column) IS ?1 AND typeof(\(column)) = typeof(?1)"
    }
  }

  /// Whether a number as it is written may hold it, such as `1.5e+300` or `-Inf`: to write each for nothing would take long.
  private var isOfNumber: Bool {
    guard case .text(let text) = self else { return false }
    return text.utf8.allSatisfy("0123456789+-.eEiInNfF".utf8.contains)
  }

  var argument: DatabaseValue {
    switch self {
    case .text(let text): .text("%" + text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] } + "%")
    case .value(let value): value
    }
  }
}
