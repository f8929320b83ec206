/// A writer to which expressions write their SQL, with the tables visible at the current position.
///
/// ```swift
/// func write(to sql: inout SQLWriter) {
///   sql.append("trim(")
///   sql.append(text)
///   sql.append(")")
/// }
/// // trim(title)
/// ```
///
/// It is the argument of ``QueryExpression/write(to:)``.
public struct SQLWriter {
  /// The SQL written so far.
  public private(set) var text = SQLText()
  /// The sources of each enclosing statement, the innermost last.
  private var scopes: [[VisibleSource]] = []
  /// The expressions that replace columns without a source, by lowercase name.
  private var substitutes: [String: any QueryExpression] = [:]
  /// The library that compiles the SQL.
  private let library: SQLiteVersion

  /// Creates a writer for a version of SQLite.
  package init(for library: SQLiteVersion = .linked) {
    self.library = library
  }

  /// Returns the SQL written outside any statement.
  package static func text(_ body: (inout SQLWriter) -> Void) -> SQLText {
    var writer = SQLWriter()
    body(&writer)
    return writer.text
  }

  /// Appends keywords, operators or punctuation from source code.
  ///
  /// ```swift
  /// sql.append(" COLLATE ")
  /// ```
  public mutating func append(_ keywords: StaticString) {
    text.append(keywords)
  }

  /// Appends a name, quoted if necessary.
  ///
  /// ```swift
  /// sql.append(identifier: "Order Details")  // "Order Details"
  /// ```
  public mutating func append(identifier: String) {
    text.append(identifier: identifier)
  }

  /// Appends a value to bind, NULL for nil.
  ///
  /// ```swift
  /// sql.append(value: "O'Brien")  // ?, with 'O''Brien' bound
  /// ```
  public mutating func append(value: (some DatabaseValueConvertible)?) {
    text.append(value: value)
  }

  /// Appends other SQL with its arguments.
  ///
  /// ```swift
  /// sql.append("json_extract(data, \(path))" as SQLText)  // json_extract(data, ?)
  /// ```
  @_disfavoredOverload
  public mutating func append(_ other: SQLText) {
    text.append(other)
  }

  /// Appends an expression.
  ///
  /// ```swift
  /// sql.append(Column<String>("title").length())  // length(title)
  /// ```
  public mutating func append(_ expression: any QueryExpression) {
    expression.write(to: &self)
  }

  /// Appends a term of ORDER BY or GROUP BY.
  mutating func append(term expression: any QueryExpression) {
    let start = text.count
    append(expression)
    text.endTerm(from: start)
  }

  /// Appends an operand of an operator that binds tighter than NOT, AND and OR.
  ///
  /// ```swift
  /// sql.append(operand: !Column<Bool>("isCompleted"))  // (NOT (isCompleted))
  /// ```
  public mutating func append(operand: any QueryExpression) {
    if operand.parenthesization == .needed { append(parenthesized: operand) } else { append(operand) }
  }

  /// Appends an operator between its operands, all in parentheses.
  mutating func append(_ left: any QueryExpression, _ keyword: StaticString, _ right: any QueryExpression) {
    append("(")
    append(operand: left)
    append(keyword)
    append(operand: right)
    append(")")
  }

  /// Appends an expression in parentheses, unless it has its own.
  mutating func append(parenthesized expression: any QueryExpression) {
    if expression.parenthesization == .own { return append(expression) }
    append("(")
    append(expression)
    append(")")
  }

  /// Appends each element with `body`, separated by `separator`.
  package mutating func append<Element>(
    _ elements: some Collection<Element>, separator: StaticString, _ body: (inout SQLWriter, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { append(separator) }
      body(&self, element)
    }
  }

  /// Refuses the SQL if the library is older than a version.
  ///
  /// - Parameter feature: What needs the version, as the beginning of a sentence.
  mutating func require(_ feature: StaticString, since version: SQLiteVersion) {
    guard library < version else { return }
    let message = "\(feature) requires SQLite \(version), and the library is \(library): use a newer library, or other SQL"
    text.refuse(DatabaseError(DatabaseError.SQLITE_ERROR, message))
  }

  /// Appends the name of a column, qualified by its source if the name alone could be ambiguous.
  mutating func append(column name: String, of source: VisibleSource?) {
    if source == nil, let substitute = substitutes[name.asciiLowercased] {
      return withColumns([:]) { $0.append(operand: substitute) }
    }
    if let source { checkVisible(source) }
    if let source = source?.name ?? sourceOfArguments, let scope = scopes.last, scope.count > 1 || scope.first?.name != source {
      append(identifier: source)
      append(".")
    }
    append(identifier: name)
  }

  /// Refuses the SQL if a column of an enclosing statement has the name of a source of a subquery, which would be read instead.
  private mutating func checkVisible(_ source: VisibleSource) {
    guard let depth = scopes.lastIndex(where: { $0.contains(source) }), source.id != nil else { return }
    guard scopes[(depth + 1)...].contains(where: { scope in scope.contains { $0.name == source.name } }) else { return }
    let clash = "a subquery of \(source.name) uses columns of \(source.name) outside it, where both have this name"
    text.refuse(DatabaseError(DatabaseError.SQLITE_ERROR, clash + ": rename one with as(_:)"))
  }

  /// The only source of the statement among whose table functions' arguments the position is; nil elsewhere.
  private var sourceOfArguments: String? {
    guard scopes.last == Self.tableFunction, let statement = scopes.dropLast().last, statement.count == 1 else { return nil }
    return statement.first?.name
  }

  private static let tableFunction = [VisibleSource(name: "json_each")]

  /// Writes SQL with expressions in place of some columns, by lowercase name.
  ///
  /// ```swift
  /// sql.withColumns(["total": Column<Int>("price").sum()]) { $0.append(Column<Int>("total") > 5) }  // (sum(price) > 5)
  /// ```
  package mutating func withColumns(_ columns: [String: any QueryExpression], _ body: (inout SQLWriter) -> Void) {
    let outer = substitutes
    substitutes = columns
    body(&self)
    substitutes = outer
  }

  /// Writes the arguments of `json_each`, whose columns hide unqualified ones of the statement.
  mutating func withinTableFunction(_ body: (inout SQLWriter) -> Void) {
    withScope(Self.tableFunction, body)
  }

  /// Writes a statement that reads from `sources`.
  mutating func withScope(_ sources: [VisibleSource], _ body: (inout SQLWriter) -> Void) {
    scopes.append(sources)
    body(&self)
    scopes.removeLast()
  }
}
