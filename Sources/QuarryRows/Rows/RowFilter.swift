public import QuarryEngine

/// What keeps rows of a set: an expression that is to be true, with the values that it binds.
///
/// ```swift
/// RowFilter(Column<Int>("priority") > 3)  // WHERE (priority > 3)
/// ```
///
/// Two filters are equal where they are the same SQL with the same values.
public struct RowFilter: Sendable {
  /// What is to be true of a row.
  public let expression: any QueryExpression<Bool>
  /// The expression as it stands after WHERE.
  public let sqlText: SQLText

  /// Makes a filter of a predicate.
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
  /// Returns whether both are the same SQL with the same values.
  public static func == (left: RowFilter, right: RowFilter) -> Bool {
    left.sqlText == right.sqlText
  }

  /// Hashes the SQL and its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sqlText)
  }
}

extension RowFilter: CustomStringConvertible {
  /// The filter as SQL, with literals in the place of its values.
  public var description: String { sqlText.queryString }
}

/// By what the rows of a set are ordered.
///
/// ```swift
/// RowOrder([Column<Int?>("amount").desc(nulls: .last)])
/// // ORDER BY amount DESC NULLS LAST, rowid
/// ```
///
/// Every order is total: rows that its keys do not tell apart follow one another as they do in the source, which is by rowid, by the key
/// of a WITHOUT ROWID table, or by the place in a view or query. Two orders are equal where they are the same SQL with the same values.
public struct RowOrder: Sendable {
  /// The keys, the first deciding first, without what makes the order total.
  public let keys: [Ordering]
  /// The keys as they stand in ORDER BY, without what makes the order total.
  public let sqlText: SQLText

  /// The order of the source itself.
  public static let natural = RowOrder([])

  /// Makes an order of keys, the first deciding first.
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

  /// Whether there is no key, so that the order is the source's.
  public var isNatural: Bool { keys.isEmpty }
}

extension RowOrder: Hashable {
  /// Returns whether both are the same SQL with the same values.
  public static func == (left: RowOrder, right: RowOrder) -> Bool {
    left.sqlText == right.sqlText
  }

  /// Hashes the SQL and its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sqlText)
  }
}

extension RowOrder: CustomStringConvertible {
  /// The keys as SQL, with literals in the place of their values.
  public var description: String { sqlText.queryString }
}
