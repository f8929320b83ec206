internal import QuarryEngine

/// A writer of expressions in Swift, with the tables whose rows are visible at the current position.
struct SwiftWriter {
  /// A closure whose argument is a row of a table.
  struct Scope {
    let table: Int
    /// The argument's name, if it has one.
    let variable: String
    /// The placeholder of the argument until the closure is complete.
    let mark: String
    /// Whether a closure within uses the argument, or the closure has several statements.
    var isNamed = false
    /// The constants that precede the result of the closure.
    var constants: [String] = []
    /// The constants for values that occur several times, by the values' names.
    var shared: [String: SwiftTerm] = [:]
    var names: SwiftNames
  }

  /// The declared tables, the one whose rows are returned first.
  private(set) var tables: [SwiftTable] = []
  private(set) var parameters: [SwiftParameter] = []
  private(set) var usesRetyped = false
  private(set) var usesSQL = false
  /// The reason why the rows cannot be expressed in Swift.
  var problem: String?
  /// The expressions that replace columns of groups, by lowercase name.
  var substitutes: [String: any QueryExpression] = [:]
  private var scopes: [Scope] = []
  private var types = SwiftNames(taken: SwiftNames.types)
  /// The names in the function outside of closures.
  private(set) var names = SwiftNames(taken: SwiftNames.values)
  private let values: [String: DatabaseValue]
  private var marks = 0

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - table: The table whose rows are returned.
  ///   - misfits: The columns with values that do not match their declared type.
  ///   - values: The values of the filter's parameters, by token or key.
  init(_ table: TableReference, _ columns: FilterColumns, misfits: Set<String>, values: [String: DatabaseValue]) {
    self.values = values
    tables = [SwiftTable(table, columns, misfits: misfits, names: &types)]
  }

  // MARK: Tables and parameters

  /// Returns the index of a table, which is declared with its first use.
  mutating func index(of table: TableReference) -> Int {
    if let index = tables.firstIndex(where: { $0.reference == table }) { return index }
    let graph = tables[0].columns.relations
    let place = graph?.tables.firstIndex { $0.reference == table }
    let columns = place.flatMap { graph?.columns(of: $0) } ?? FilterColumns([])
    tables.append(SwiftTable(table, columns, misfits: [], names: &types))
    return tables.count - 1
  }

  /// Declares a parameter of the filter as one of the function.
  mutating func declare(_ parameter: FilterParameter) {
    let value = values[parameter.identity] ?? values[parameter.key]
    let name = names.add(parameter.key, kind: "value")
    parameters.append(
      SwiftParameter(token: parameter.token, name: name, type: value.flatMap { SwiftType($0) } ?? .any, value: value))
  }

  /// Returns the parameter with a token.
  func parameter(_ token: String) -> SwiftTerm? {
    let index = parameters.firstIndex { $0.token == token }
    return index.map { SwiftTerm(content: .parameter($0), type: parameters[$0].type) }
  }

  // MARK: Closures

  /// Returns a closure over the rows of a table.
  ///
  ///     { $0.milliseconds > 300_000 }
  mutating func closure(over table: Int, _ body: (inout SwiftWriter) -> String) -> String {
    marks += 1
    var names = scopes.last?.names ?? names
    let variable = names.add(tables[table].variable, kind: "Row")
    scopes.append(Scope(table: table, variable: variable, mark: "\u{E000}\(marks)\u{E001}", names: names))
    let result = body(&self)
    let scope = scopes.removeLast()
    let lines = scope.constants + [(scope.constants.isEmpty ? "" : "return ") + result]
    let isNamed = scope.isNamed || !scope.constants.isEmpty
    let body = lines.joined(separator: "\n")
    let head = !body.contains(scope.mark) ? " _ in" : isNamed ? " \(variable) in" : ""
    let text = body.replacing(scope.mark, with: isNamed ? variable : "$0")
    // A subquery within a subquery is easier to read on lines of its own.
    let isNested = scopes.count > 0 && text.contains("{")
    if !text.contains("\n"), !isNested { return "{\(head) \(text) }" }
    return "{\(head)\n\(Self.indented(text))\n}"
  }

  /// Returns lines indented by two columns.
  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
  }

  /// Returns a column of the row in the innermost closure, or in one around it.
  mutating func column(_ name: String, outwards steps: Int = 0) -> SwiftTerm? {
    if steps == 0, let substitute = substitutes[name.asciiLowercased] {
      let outer = substitutes
      substitutes = [:]
      defer { substitutes = outer }
      return term(substitute)
    }
    let depth = scopes.count - 1 - steps
    guard scopes.indices.contains(depth) else { return nil }
    let scope = scopes[depth]
    let table = tables[scope.table]
    guard let index = table.columns.all.firstIndex(where: { $0.name.isSameIdentifier(as: name) }) else {
      problem = problem ?? "“\(name)” of “\(table.reference.name)” is not a column that Swift code can name"
      return nil
    }
    if steps > 0 { scopes[depth].isNamed = true }
    let column = table.columns.all[index]
    if column.isHidden { tables[scope.table].hidden.insert(index) }
    let type = table.type(of: column)
    var term = SwiftTerm.expression("\(scope.mark).\(table.properties[index])", type)
    term.isOptional = column.isNullable && type != .any
    return term
  }

  /// The row of the innermost closure.
  var rowVariable: String { scopes.last?.mark ?? "" }

  // MARK: Expressions

  /// Returns an expression in Swift: with functions of the query builder, otherwise as SQL.
  mutating func term(_ expression: any QueryExpression) -> SwiftTerm {
    let before = self
    if let term = (expression as? any SwiftWritten)?.swift(&self) { return term }
    self = before
    return sql(expression)
  }

  /// Returns an expression that Swift writes as SQL.
  ///
  ///     SQLExpression<Int>("json_array_length(\(identifier: "tags"))")
  private mutating func sql(_ expression: any QueryExpression) -> SwiftTerm {
    let database = tables[0].reference.database
    let text = SQLWriter.text { [substitutes] in $0.withColumns(substitutes) { $0.append(expression) } }
    if database != "main", text.sql.contains(SQLIdentifier.quoted(database) + ".") {
      problem = problem ?? "a path is part of an expression that only SQL can express, and its table is in “\(database)”"
    }
    usesSQL = true
    let type = Self.type(of: expression)
    return .expression("SQLExpression<\(type.rawValue)>(\"\(interpolated(text))\")", type)
  }

  private static func type(of expression: some QueryExpression) -> SwiftType {
    func type<Expression: QueryExpression>(_: Expression) -> SwiftType { SwiftType(Expression.QueryValue.self) }
    return type(expression)
  }

  /// Returns SQL as written between quotes, with an interpolation for each value.
  private mutating func interpolated(_ text: SQLText) -> String {
    let tokens = StatementTokens(text.sql)
    var (result, end, values) = ("", 0, text.values[...])
    for place in tokens.parameters {
      result += SwiftLiteral.contents(String(decoding: tokens.bytes[end..<place.range.lowerBound], as: UTF8.self))
      let token = String(decoding: tokens.bytes[place.range], as: UTF8.self)
      if case .parameter(let index)? = parameter(token)?.content {
        result += "\\(\(parameters[index].name))"
      } else {
        result += values.popFirst().map(Self.interpolation) ?? "NULL"
      }
      end = place.range.upperBound
    }
    return result + SwiftLiteral.contents(String(decoding: tokens.bytes[end...], as: UTF8.self))
  }

  private static func interpolation(_ value: DatabaseValue) -> String {
    switch value {
    case .null: "NULL"
    case .blob: "\\(\(SwiftLiteral.text(value, as: .blob) ?? "[]") as [UInt8])"
    case .real(let number) where number.isInfinite: "\\(\(number < 0 ? "-" : "")Double.infinity)"
    default: "\\(\(SwiftType(value).flatMap { SwiftLiteral.text(value, as: $0) } ?? "nil"))"
    }
  }

  /// Returns a term as an operand of a type: a plain value, or an expression.
  mutating func operand(_ term: SwiftTerm, as type: SwiftType, in precedence: SwiftTerm.Precedence = .none) -> String {
    if let value = plain(term, as: type) { return value }
    return expression(term, as: type, in: precedence)
  }

  /// Returns a term as a plain value; nil for an expression, or if the type cannot hold it.
  func plain(_ term: SwiftTerm, as type: SwiftType) -> String? {
    switch term.content {
    case .value(.integer(let value)) where type == .real:
      value.magnitude < 1 << 53 ? SwiftLiteral.text(.real(Double(value)), as: .real) : nil
    case .value(let value): SwiftLiteral.text(value, as: type)
    case .parameter(let index): parameters[index].text(as: type)
    case .expression: nil
    }
  }

  /// Returns a term as an expression of a type, in parentheses if its operator does not bind tighter than `precedence` allows.
  mutating func expression(_ term: SwiftTerm, as type: SwiftType? = nil, in precedence: SwiftTerm.Precedence = .none) -> String {
    let type = type ?? term.type
    guard case .expression(let text) = term.content else {
      if let value = plain(term, as: type) { return "Constant<\(type.rawValue)>(\(value))" }
      return retyped("Constant<\(term.type.rawValue)>(\(plain(term, as: term.type) ?? "nil"))", as: type)
    }
    if type != term.type { return retyped(text, as: type) }
    return term.precedence.rawValue > precedence.rawValue ? "(\(text))" : text
  }

  private mutating func retyped(_ text: String, as type: SwiftType) -> String {
    usesRetyped = true
    return "Retyped<\(type.rawValue)>(\(text))"
  }

  /// Returns a term without many operations: a constant of the closure stands for one with more than `limit`.
  mutating func light(_ term: SwiftTerm, limit: Int = 2) -> SwiftTerm {
    term.weight > limit ? constant(term, named: term.type == .boolean ? "condition" : "value") : term
  }

  /// Returns a constant of the closure that stands for a term, unless the term is a plain value.
  mutating func constant(_ term: SwiftTerm, named name: String) -> SwiftTerm {
    guard case .expression(let text) = term.content, let last = scopes.indices.last else { return term }
    let name = scopes[last].names.add(name, kind: term.type == .boolean ? "condition" : "value")
    scopes[last].constants.append("let \(name) = \(text)")
    var constant = term
    (constant.content, constant.precedence, constant.weight) = (.expression(name), .none, 0)
    return constant
  }

  /// Returns a constant of the closure for an expression, the same one whenever the closure uses the expression.
  mutating func shared(_ expression: any QueryExpression, named name: String) -> SwiftTerm {
    if let known = scopes.last?.shared[name] { return known }
    let constant = constant(term(expression), named: name)
    if let last = scopes.indices.last { scopes[last].shared[name] = constant }
    return constant
  }
}
