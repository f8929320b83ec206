public import QuarryEngine

/// An expression of the filter language over the columns of a row: `=UnitPrice * 1.1` in an edited cell, or a column of a view.
///
/// ```swift
/// let expression = try ColumnExpression.compile("upper(Name)", columns: columns)
/// expression.sqlText.queryString  // upper(Name)
/// ```
public struct ColumnExpression: Hashable, Sendable {
  /// The text as it was written, without the `=`.
  public let text: String
  /// What the text says, of which filters and orders are made.
  public let syntax: FilterSyntax
  /// The expression as SQL with its arguments.
  public let sqlText: SQLText
  /// The type of what it yields.
  public let type: ExpressionType

  /// Compiles a text against the columns that it names.
  ///
  /// - Throws: All that is wrong with the text; parameters are, since nothing would ask for their values.
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

  /// The expression with literals in the place of its arguments.
  var withLiterals: ColumnExpression {
    ColumnExpression(text: text, syntax: syntax, sqlText: "\(raw: sqlText.queryString)", type: type)
  }
}

extension FilterChecker {
  fileprivate mutating func parameterlessValue(_ node: FilterSyntax) -> TypedExpression? {
    let count = parameters.all.count
    let value = value(node, Room())
    guard parameters.all.count > count else { return value }
    reports.add(FilterError(.missingParameter, node.range, "There are no parameters here: nothing would ask for their values."))
    return nil
  }
}
