public import QuarryEngine

/// An expression of the filter language over the columns of a row: `=UnitPrice * 1.1` in an edited cell, or a column of a view.
///
/// ```swift
/// let expression = try ColumnExpression.compile("upper(Name)", columns: columns)
/// expression.sqlText.queryString  // upper(Name)
/// ```
public struct ColumnExpression: Hashable, Sendable {
  /// The text as written, without the `=`, and without a name before it.
  public let text: String
  /// The name given to a column of a view; nil for a column that is named after its text.
  public let givenName: String?
  /// The syntax of the text, for use in filters and orders.
  public let syntax: FilterSyntax
  /// The expression as SQL with its arguments.
  public let sqlText: SQLText
  /// The type of the result.
  public let type: ExpressionType

  /// The foreign keys by which aggregates find the rows of other tables, for each row.
  let childKeys: Set<ChildKey>
  /// The columns of the row that foreign keys compare with those of other tables.
  let keyColumns: Set<String>

  /// The name of the column: the given name, or else the text.
  public var name: String { givenName ?? text }

  /// The text of the column in a view, with its name: `minutes = Milliseconds / 60000.0`.
  public var writtenText: String { givenName.map { "\(FilterFormatter.name($0)) = \(text)" } ?? text }

  /// Compiles a text against the columns that it names.
  ///
  /// - Throws: All errors of the text; parameters are errors, because there is no way to enter their values.
  public static func compile(_ text: String, columns: FilterColumns) throws(FilterErrors) -> ColumnExpression {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    return try compile(&parser, text: text, columns: columns)
  }

  /// Compiles the value at the position of a parser.
  static func compile(
    _ parser: inout FilterParser, text: String, name: String? = nil, columns: FilterColumns
  ) throws(FilterErrors) -> ColumnExpression {
    let syntax = parser.wholeValue()
    var checker = FilterChecker(parser.bytes, columns: columns, values: [:])
    let value = syntax.flatMap { checker.parameterlessValue($0) }
    if let errors = FilterErrors(parser.errors + checker.errors) { throw errors }
    let expression: (syntax: FilterSyntax, sql: SQLText, type: ExpressionType) =
      if let syntax, let value { (syntax, value.expression.sqlText, value.type) } else { (FilterSyntax(.literal(.null)), "NULL", .null) }
    return ColumnExpression(
      text: text, givenName: name, syntax: expression.syntax, sqlText: expression.sql, type: expression.type,
      childKeys: checker.childKeys, keyColumns: checker.keyColumns)
  }

  /// Returns whether the value depends on a column of the row, by its name or by a foreign key.
  package func reads(_ column: String) -> Bool {
    guard let named = syntax.namedColumns else { return true }
    return named.contains { $0.isSameIdentifier(as: column) } || keyColumns.contains { $0.isSameIdentifier(as: column) }
  }

  /// The expression with literals as arguments.
  var withLiterals: ColumnExpression {
    ColumnExpression(
      text: text, givenName: givenName, syntax: syntax, sqlText: "\(raw: sqlText.queryString)", type: type, childKeys: childKeys,
      keyColumns: keyColumns)
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
