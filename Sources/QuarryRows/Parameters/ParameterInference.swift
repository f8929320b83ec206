internal import QuarryEngine

/// Infers the types of a statement's parameters from their positions and from the schema.
///
///     SELECT * FROM Track AS t WHERE t.Milliseconds > :min AND t.Name LIKE :name LIMIT :count
///     -- :min has the type of Milliseconds, :name is a text, :count an integer
///
/// It examines the tokens near each parameter and never fails; syntax that it does not know is ignored.
struct ParameterInference {
  let syntax: StatementSyntax
  let tokens: StatementTokens
  let schemas: SchemaLookup
  private let effort = Effort()
  private var depth = 0

  /// The limit on the work for one statement, however complex it is.
  private final class Effort {
    var rest = 2000
  }

  init(_ syntax: StatementSyntax, in database: Database) {
    self.syntax = syntax
    tokens = syntax.tokens
    schemas = SchemaLookup(database)
  }

  /// The same inference within a nested part; nil if the limit has been reached.
  var deeper: ParameterInference? {
    effort.rest -= 1
    guard depth < 40, effort.rest > 0 else { return nil }
    var deeper = self
    deeper.depth += 1
    return deeper
  }

  /// Sets the properties of a parameter inferred from its positions.
  func infer(_ parameter: inout StatementParameter, at indexes: [Int]) {
    let found = indexes.map(evidence)
    let evidence = found.compactMap(\.self)
    // `||` accepts any value, so it determines the type only if the parameter occurs nowhere else.
    parameter.type = evidence.count(where: \.isConcatenated) < found.count ? evidence.filter { !$0.isConcatenated }.type : evidence.type
    parameter.inferredValueType = evidence.lazy.compactMap(\.valueType).first
    let column = evidence.first { $0.column != nil }
    parameter.column = column?.column
    parameter.choices = column?.choices
    parameter.isNew = column?.isNew == true
  }

  private func evidence(at index: Int) -> ParameterEvidence? {
    let operand = operand(around: index)
    return clauseEvidence(operand) ?? operatorEvidence(operand) ?? comparisonEvidence(operand) ?? listEvidence(operand)
  }

  /// Extends a parameter to the whole operand, with its signs, its collation, and parentheses that contain nothing else.
  func operand(around index: Int) -> ClosedRange<Int> {
    var operand = index...index
    while true {
      let (before, after) = (operand.lowerBound - 1, operand.upperBound + 1)
      if tokens.keyword(after) == .collate {
        operand = operand.lowerBound...after + 1
      } else if isSign(before) {
        operand = before...operand.upperBound
      } else if tokens.isSymbol(before, "("), tokens.isSymbol(after, ")"), !isList(before) {
        operand = before...after
      } else {
        return operand
      }
    }
  }

  /// Returns whether a token is a sign before a value, not an operator between two.
  func isSign(_ index: Int) -> Bool {
    ["-", "+", "~"].contains(tokens.symbol(index)) && !tokens.endsOperand(index - 1)
  }

  /// Returns whether a parenthesis begins a list: arguments, values of IN, a row, columns.
  private func isList(_ index: Int) -> Bool {
    isFunctionName(index - 1) || [.in, .values, .cast].contains(tokens.keyword(index - 1)) || isInValues(index)
  }

  /// Returns whether a parenthesis begins one of the rows after VALUES.
  func isInValues(_ index: Int) -> Bool {
    (tokens.keyword(index - 1) == .values || tokens.isSymbol(index - 1, ",")) && syntax.clause(at: index)?.keyword == .values
  }

  /// Returns whether a token names a function where a parenthesis follows.
  func isFunctionName(_ index: Int) -> Bool {
    guard tokens.isSymbol(index + 1, "("), tokens.keyword(index - 1) != .into, tokens[index]?.kind != .text else { return false }
    return tokens.plainName(index) != nil || [.replace, .like, .glob, .if].contains(tokens.keyword(index))
  }
}
