internal import QuarryEngine

/// The query of a Swift file: the calls that follow the name of its table.
struct SwiftQuery {
  /// The name of the function that runs the query.
  let function: String
  /// The calls, without their periods: `where { $0.milliseconds > 300_000 }`.
  private(set) var clauses: [String] = []
  /// The type of a row: `(Int, String?)`.
  private(set) var output = ""

  /// A result of the query.
  struct Result {
    var expression: any QueryExpression
    /// The name of a constant for it; nil if none is needed.
    var name: String?
    /// The values in some rows.
    var sample: [CellValue]
  }

  /// Writes a query without calls.
  init(function: String) { self.function = function }

  /// Writes the query of some columns of the rows.
  init(_ rows: RowSet, _ view: CompiledRowView, _ shown: [RowSetColumn], _ sample: [[CellValue]], _ writer: inout SwiftWriter) {
    var names = SwiftNames(taken: SwiftNames.values)
    function = names.add("\(writer.tables[0].reference.name) rows", kind: "table")
    addConditions(rows, view, &writer)
    addOrder(view.sort.totalOrderings, &writer)
    addSelection(
      shown.enumerated().map { index, column in
        Result(expression: Self.expression(of: column, in: view.columns), sample: sample.map { $0[index] })
      }, &writer)
  }

  /// Adds the conditions on the rows of a table.
  mutating func addConditions(_ rows: RowSet, _ view: CompiledRowView, _ writer: inout SwiftWriter) {
    for match in rows.matching {
      let condition = Identity(
        Column<DatabaseValue>(match.column), match.value == .null ? nil : Constant(match.value))
      add("where", condition, &writer)
    }
    addFilter("where", view, &writer)
  }

  /// Adds the conditions of a filter, each as a call of its own.
  mutating func addFilter(_ call: String, _ view: CompiledRowView, _ writer: inout SwiftWriter) {
    for condition in view.filter.expression.map(Self.conditions) ?? [] { add(call, condition, &writer) }
  }

  /// Returns conditions joined by AND.
  private static func conditions(of condition: any QueryExpression<Bool>) -> [any QueryExpression<Bool>] {
    guard let logic = condition as? Logic, logic.joiner == .and else { return [condition] }
    return logic.terms
  }

  private mutating func add(_ call: String, _ condition: any QueryExpression<Bool>, _ writer: inout SwiftWriter) {
    let closure = writer.closure(over: 0) { writer in writer.result(writer.term(condition), as: .boolean) }
    // A table has no such function.
    if clauses.isEmpty, call == "having" { clauses.append("all()") }
    clauses.append("\(call) \(closure)")
  }

  /// Adds the expressions by which rows are grouped.
  mutating func addGroups(_ levels: [any QueryExpression], _ writer: inout SwiftWriter) {
    guard !levels.isEmpty else { return }
    let closure = writer.closure(over: 0) { writer in
      let terms = levels.map { writer.term($0) }
      return Self.tuple(terms.map { writer.expression(terms.count > 1 ? writer.light($0) : $0) })
    }
    if clauses.isEmpty { clauses.append("all()") }
    clauses.append("group \(closure)")
  }

  /// Adds sort keys.
  mutating func addOrder(_ keys: [Ordering], _ writer: inout SwiftWriter) {
    guard !keys.isEmpty else { return }
    let closure = writer.closure(over: 0) { writer in
      let terms = keys.map { key in (key, writer.term(key.expression)) }
      let written = terms.map { key, term in Self.key(key, writer.expression(writer.light(term, limit: terms.count > 1 ? 2 : 5))) }
      return written.count == 1 ? written[0] : "(\(written.joined(separator: ", ")))"
    }
    clauses.append("order \(closure)")
  }

  /// Returns a sort key with its direction.
  private static func key(_ key: Ordering, _ text: String) -> String {
    let nulls = key.nulls.map { $0 == .first ? "nulls: .first" : "nulls: .last" } ?? ""
    if key.direction == .descending { return "\(text).desc(\(nulls))" }
    return nulls.isEmpty ? text : "\(text).asc(\(nulls))"
  }

  /// Returns the expression of a column.
  static func expression(of column: RowSetColumn, in columns: FilterColumns) -> any QueryExpression {
    guard let computed = column.computed else { return Column<DatabaseValue>(column.name) }
    var checker = FilterChecker(Array(computed.text.utf8), columns: columns, values: [:])
    return checker.value(computed.syntax, .init())?.expression ?? Constant<DatabaseValue>(nil)
  }

  /// Adds the result: the terms, as values of any type if some of their values do not match their type.
  mutating func addSelection(_ results: [Result], _ writer: inout SwiftWriter) {
    var outputs: [String] = []
    let closure = writer.closure(over: 0) { writer in
      let terms = results.map { result in
        let term = writer.term(result.expression)
        return result.name.map { writer.constant(term, named: $0) } ?? term
      }
      // The compiler is slower if a tuple has several subqueries.
      let isHeavy = terms.count > 1 && terms.reduce(0) { $0 + $1.weight } > 4
      let written = zip(terms, results).map { term, result in
        let term = isHeavy ? writer.light(term) : term
        let isMatching = result.sample.allSatisfy { term.type.holds($0) && ($0 != .null || term.isOptional || term.type == .any) }
        let type = isMatching ? term.type : .any
        let isOptional = !term.isExpression || type != term.type || term.isOptional
        outputs.append(type.rawValue + (isOptional ? "?" : ""))
        return writer.result(term, as: type)
      }
      return Self.tuple(written)
    }
    clauses.append("select \(closure)")
    output = outputs.count == 1 ? outputs[0] : "(\(Self.lines(of: outputs)))"
  }

  /// Returns types separated by commas, with line breaks if there are many.
  private static func lines(of outputs: [String]) -> String {
    var (text, width) = ("", 40)
    for (index, output) in outputs.enumerated() {
      let isWide = width + output.count > 100
      text += index == 0 ? output : isWide ? ",\n    \(output)" : ", \(output)"
      width = isWide ? output.count : width + output.count + 2
    }
    return text
  }

  /// Returns a tuple, on several lines if it is long.
  private static func tuple(_ terms: [String]) -> String {
    if terms.count == 1 { return terms[0] }
    let line = "(\(terms.joined(separator: ", ")))"
    if line.count <= 110, !line.contains("\n") { return line }
    return "(\n\(SwiftWriter.indented(terms.joined(separator: ",\n")))\n)"
  }
}
