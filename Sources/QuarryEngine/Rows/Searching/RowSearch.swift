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
  /// The place among some columns of the first that matches, else NULL, with the needle as `?1`.
  func sql(_ columns: [String]) -> String {
    switch self {
    case .text(let text):
      TextFinder.sql(of: "?1", in: columns, seesNumbers: text.utf8.allSatisfy(Self.bytesOfNumbers.contains))
    case .value(let value):
      // A CASE, since an OR of 2,000 columns is too deep for SQLite.
      "CASE " + columns.indices.map { "WHEN \(Self.isSame(columns[$0], value)) THEN \($0) " }.joined() + "END"
    }
  }

  /// All that a number may be written with, such as `1.5e+300` or `-Inf`: to write each for nothing would take long.
  private static let bytesOfNumbers = Set("0123456789+-.eEiInNfF".utf8)

  private static func isSame(_ column: String, _ value: DatabaseValue) -> String {
    switch value {
    case .text, .blob, .null: "\(column) IS ?1 COLLATE BINARY AND typeof(\(column)) = typeof(?1)"
    case .integer, .real: "\(column) IS ?1 AND typeof(\(column)) = typeof(?1)"
    }
  }

  var argument: DatabaseValue {
    switch self {
    case .text(let text): .text(text.asciiLowercased)
    case .value(let value): value
    }
  }
}
