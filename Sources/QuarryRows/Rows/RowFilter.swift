public import QuarryEngine

/// The filter of a row set: an expression that must be true, with its bound values.
///
/// ```swift
/// RowFilter(Column<Int>("priority") > 3)  // WHERE (priority > 3)
/// ```
///
/// Two filters are equal if they have the same SQL and values.
public struct RowFilter: Sendable {
  /// The expression that must be true for a row.
  public let expression: any QueryExpression<Bool>
  /// The expression as written after WHERE.
  public let sqlText: SQLText

  /// Creates a filter from a predicate.
  ///
  /// ```swift
  /// RowFilter(Column<String>("title").contains("call"))  // WHERE (title LIKE '%call%')
  /// ```
  public init(_ expression: any QueryExpression<Bool>) {
    self.expression = expression
    sqlText = SQLWriter.text { $0.append(operand: expression) }
  }
}

extension RowFilter: Hashable {
  /// Returns whether both have the same SQL and values.
  public static func == (left: RowFilter, right: RowFilter) -> Bool {
    left.sqlText == right.sqlText
  }

  /// Hashes the SQL and its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sqlText)
  }
}

extension RowFilter: CustomStringConvertible {
  /// The filter as SQL, with literals as values.
  public var description: String { sqlText.queryString }
}

/// The order of the rows of a set.
///
/// ```swift
/// RowOrder([Column<Int?>("amount").desc(nulls: .last)])
/// // ORDER BY amount DESC NULLS LAST, rowid
/// ```
///
/// Every order is total: rows with equal keys stay in the order of the source. That is the rowid, the key of a WITHOUT ROWID table, or the
/// position in a view or query. Two orders are equal if they have the same SQL and values.
public struct RowOrder: Sendable {
  /// The sort keys, the primary one first, without the keys that make the order total.
  public let keys: [Ordering]
  /// The keys as written in ORDER BY, without the keys that make the order total.
  public let sqlText: SQLText

  /// The order of the source itself.
  public static let natural = RowOrder([])

  /// Creates an order from keys, the primary one first.
  ///
  /// ```swift
  /// RowOrder([Column<Int?>("priority").desc(), Column<String>("title")])
  /// // ORDER BY priority DESC, title
  /// ```
  public init(_ keys: [any OrderingTerm]) {
    let keys = keys.map(\.ordering)
    self.keys = keys
    sqlText = SQLWriter.text { $0.append(keys, separator: ", ") { $1.write(to: &$0) } }
  }

  /// Whether there are no keys, so that the order is that of the source.
  public var isNatural: Bool { keys.isEmpty }
}

extension RowOrder: Hashable {
  /// Returns whether both have the same SQL and values.
  public static func == (left: RowOrder, right: RowOrder) -> Bool {
    left.sqlText == right.sqlText
  }

  /// Hashes the SQL and its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sqlText)
  }
}

extension RowOrder: CustomStringConvertible {
  /// The keys as SQL, with literals as values.
  public var description: String { sqlText.queryString }
}
