public import QuarryEngine

/// An expression of the filter language over the columns of a row: `=UnitPrice * 1.1` in an edited cell, or a column of a view.
///
/// ```swift
/// let expression = try ColumnExpression.compile("upper(Name)", columns: columns)
/// expression.sqlText.queryString  // upper(Name)
/// ```
public struct ColumnExpression: Hashable, Sendable {
  /// The text as written, without the `=`.
  public let text: String
  /// The syntax of the text, for use in filters and orders.
  public let syntax: FilterSyntax
  /// The expression as SQL with its arguments.
  public let sqlText: SQLText
  /// The type of the result.
  public let type: ExpressionType

  /// Compiles a text against the columns that it names.
  ///
  /// - Throws: All errors of the text; parameters are errors, because there is no way to enter their values.
  public static func compile(_ text: String, columns: FilterColumns) throws(FilterErrors) -> ColumnExpression {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    let syntax = parser.wholeValue()
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    let value = syntax.flatMap { checker.parameterlessValue($0) }
    if let errors = FilterErrors(parser.errors + checker.errors) { throw errors }
    guard let syntax, let value else {
      return ColumnExpression(text: text, syntax: FilterSyntax(.literal(.null)), sqlText: "NULL", type: .null)
    }
    return ColumnExpression(text: text, syntax: syntax, sqlText: value.expression.sqlText, type: value.type)
  }

  /// The expression with literals as arguments.
  var withLiterals: ColumnExpression {
    ColumnExpression(text: text, syntax: syntax, sqlText: "\(raw: sqlText.queryString)", type: type)
  }
}

extension FilterChecker {
  fileprivate mutating func parameterlessValue(_ node: FilterSyntax) -> TypedExpression? {
    let count = parameters.all.count
    let value = value(node, Room())
    guard parameters.all.count > count else { return value }
    reports.add(FilterError(.missingParameter, node.range, "Parameters are not allowed here: nothing asks for their values."))
    return nil
  }
}
