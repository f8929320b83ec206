/// A column that a row set has besides those of its source: an expression that SQLite computes for each row.
///
/// ```swift
/// RowSet(.table(track), computed: [try ComputedColumn.compile("length(Name)", columns: columns)])
/// // SELECT TrackId, Name, …, length(Name) FROM main.Track
/// ```
///
/// Such columns come after all others, and cannot be changed.
public struct ComputedColumn: Hashable, Sendable {
  /// The column's name: the text that it was made of.
  public let name: String
  /// What the text says, of which filters and orders are made.
  public let syntax: FilterSyntax
  /// What SQLite computes.
  public let expression: SQLText

  private init(name: String, syntax: FilterSyntax, expression: SQLText) {
    self.name = name
    self.syntax = syntax
    self.expression = expression
  }

  /// The column with literals in the place of the expression's values.
  var withLiterals: ComputedColumn { ComputedColumn(name: name, syntax: syntax, expression: "\(raw: expression.queryString)") }
}

extension ComputedColumn {
  /// Compiles a value of the filter language.
  ///
  /// ```swift
  /// try ComputedColumn.compile("length(Name)", columns: columns).expression.queryString  // length(Name)
  /// ```
  ///
  /// - Throws: All that is wrong with the text; parameters are, since nothing would ask for their values.
  public static func compile(_ text: String, columns: FilterColumns) throws(FilterErrors) -> ComputedColumn {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    let syntax = parser.valueAlone()
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    let value = syntax.flatMap { checker.computedValue($0) }
    if let errors = FilterErrors(parser.errors + checker.errors) { throw errors }
    guard let syntax, let value else { return ComputedColumn(name: text, syntax: FilterSyntax(.literal(.null)), expression: "NULL") }
    return ComputedColumn(name: String(text.trimmingBlanks), syntax: syntax, expression: value.expression.sqlText)
  }
}

extension FilterParser {
  /// Reads one value and nothing after it; nil where there is a fault, which is reported.
  fileprivate mutating func valueAlone() -> FilterSyntax? {
    do throws(Fault) {
      let value = try sum()
      if isAtEnd { return value }
      if token.kind != .fault {
        _ = report(.unexpected, token.range, "\(string(token.range)) cannot stand here: a column is one value.", replacements: [])
      }
    } catch {
      // What is wrong has been reported.
    }
    return nil
  }
}

extension FilterChecker {
  fileprivate mutating func computedValue(_ node: FilterSyntax) -> TypedExpression? {
    let count = parameters.all.count
    let value = value(node, Room())
    if parameters.all.count > count {
      errors.append(FilterError(.missingParameter, node.range, "A column takes no parameters: nothing would ask for their values."))
    }
    return value
  }
}
