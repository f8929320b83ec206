public import QuarryEngine

/// The text or value for which rows are searched.
public enum Needle: Hashable, Sendable {
  /// A part of a text or of a number in its text form, matched as with LIKE: the case of ASCII letters and all blobs are ignored.
  case text(String)
  /// A whole value of the same storage class.
  case value(DatabaseValue)
}

/// The position of a match.
public struct RowMatch: Hashable, Sendable {
  /// The key of the row.
  public var key: RowKey
  /// The first searched column that matches.
  public var column: Int
  /// Whether the search wrapped around to the other end of the rows.
  public var wrapped: Bool

  /// Creates a match.
  public init(key: RowKey, column: Int, wrapped: Bool) {
    self.key = key
    self.column = column
    self.wrapped = wrapped
  }
}

/// A search in rows: the text or value, the columns, and the starting row.
public struct RowSearch: Hashable, Sendable {
  /// The text or value to search for.
  public var needle: Needle
  /// The indices of the columns to search, from 0.
  public var columns: [Int]
  /// The row to continue from; nil to begin at the end of the rows.
  public var start: RowKey?
  /// Whether to search the preceding rows, nearest first.
  public var backwards = false

  package var direction: KeysetOrder.Direction { backwards ? .backward : .forward }
}

extension RowSet {
  /// Returns the rows of the set that match, in their order; nil if no column can match.
  ///
  /// ```swift
  /// RowSet(.table(track)).finding(.text("love"), in: ["Name"])?.sqlText.queryString   // SELECT * FROM Track WHERE (Name LIKE '%love%')
  /// ```
  ///
  /// - Parameter columns: The names of the columns to search.
  public func finding(_ needle: Needle, in columns: [String]) -> RowSet? {
    let conditions = columns.compactMap { name -> TypedExpression? in
      let column = TypedExpression(columnNamed: name, type: .any)
      return switch needle {
      case .text(let text): try? column.has(.text(Constant(text)), at: .anywhere)
      case .value(let value): try? column.isSame(as: TypedExpression(literal: value))
      }
    }
    guard !conditions.isEmpty, let found = try? TypedExpression.joined(conditions, by: .or).asTruth else { return nil }
    var set = self
    set.filter = RowFilter(filter.map { Logic(.and, [$0.expression, found]) } ?? found)
    return set
  }
}

extension Needle {
  /// Returns the SQL of the index of the first column that matches; NULL if none does.
  ///
  ///     CASE WHEN Name IS ? COLLATE BINARY AND typeof(Name) = 'text' THEN ? WHEN Composer IS … END
  package func sql(_ columns: [SQLText]) -> SQLText {
    switch self {
    case .text(let text):
      return TextFinder.sql(of: text.asciiLowercased, in: columns, seesNumbers: mayBeInNumbers)
    case .value(let value):
      // A CASE, because an OR of 2,000 columns is too deep for SQLite.
      let cases = columns.enumerated().map { "WHEN \(Self.isSame($1, value)) THEN \($0)" as SQLText }
      return "CASE \(cases.joined(by: " ")) END"
    }
  }

  /// Whether it is a text that may be a part of a number in its text form.
  package var mayBeInNumbers: Bool {
    guard case .text(let text) = self else { return false }
    return text.utf8.allSatisfy(Self.bytesOfNumbers.contains)
  }

  /// The characters of numbers in text form, such as `1.5e+300` or `-Inf`; a text with any other character is not searched for in numbers.
  private static let bytesOfNumbers = Set("0123456789+-.eEiInNfF".utf8)

  private static func isSame(_ column: SQLText, _ value: DatabaseValue) -> SQLText {
    switch value {
    case .null: "\(column) IS NULL"
    case .text: "\(column) IS \(value) COLLATE BINARY AND typeof(\(column)) = 'text'"
    case .blob: "\(column) IS \(value) AND typeof(\(column)) = 'blob'"
    case .integer: "\(column) IS \(value) AND typeof(\(column)) = 'integer'"
    case .real: "\(column) IS \(value) AND typeof(\(column)) = 'real'"
    }
  }
}
