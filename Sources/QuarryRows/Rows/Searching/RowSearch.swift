public import QuarryEngine

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

/// A search in rows: what is looked for, in which columns, and from which row on.
public struct RowSearch: Hashable, Sendable {
  /// What is looked for.
  public var needle: Needle
  /// The indices of the columns that are looked at, from 0.
  public var columns: [Int]
  /// The row to go on from; nil to begin at the end of the rows.
  public var start: RowKey?
  /// Whether rows before are looked through, from the nearest on.
  public var backwards = false

  package var direction: KeysetOrder.Direction { backwards ? .backward : .forward }
}

extension RowSet {
  /// Returns the rows of the set in which something is found, in their order; nil where no column can have it.
  ///
  /// ```swift
  /// RowSet(.table(track)).finding(.text("love"), in: ["Name"])?.sqlText.queryString   // SELECT * FROM Track WHERE (Name LIKE '%love%')
  /// ```
  ///
  /// - Parameter columns: The names of the columns that are looked at.
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
  /// Returns the index of the first of some columns that matches, else NULL.
  ///
  ///     CASE WHEN Name IS ? COLLATE BINARY AND typeof(Name) = 'text' THEN ? WHEN Composer IS … END
  package func sql(_ columns: [SQLText]) -> SQLText {
    switch self {
    case .text(let text):
      return TextFinder.sql(of: text.asciiLowercased, in: columns, seesNumbers: mayBeInNumbers)
    case .value(let value):
      // A CASE, since an OR of 2,000 columns is too deep for SQLite.
      let cases = columns.enumerated().map { "WHEN \(Self.isSame($1, value)) THEN \($0)" as SQLText }
      return "CASE \(cases.joined(by: " ")) END"
    }
  }

  /// Whether it is a text that may be a part of a number as it is written.
  package var mayBeInNumbers: Bool {
    guard case .text(let text) = self else { return false }
    return text.utf8.allSatisfy(Self.bytesOfNumbers.contains)
  }

  /// The characters that a number may be written with, as in `1.5e+300` or `-Inf`: a needle with any other is not looked for in numbers.
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
