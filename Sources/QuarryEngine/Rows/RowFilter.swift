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
    var writer = SQLWriter()
    writer.append(operand: expression)
    sqlText = writer.text
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
