internal import QuarryEngine

/// A compiled text of a ``GroupShape``.
struct GroupTerm {
  /// The name of its column.
  var name: String
  /// The place of the name in the text, or of the whole text if it is named after itself.
  var nameRange: Range<Int>
  var syntax: FilterSyntax
  var value: TypedExpression
  /// The parts of a pivot that it needs.
  var scope: GroupScope

  /// Compiles a text.
  ///
  /// - Throws: All errors of the text.
  init(_ text: String, _ scope: GroupScope, in columns: FilterColumns) throws(FilterErrors) {
    do throws(FilterErrors) {
      self = try Self.read(text, scope, in: columns)
    } catch {
      let columns = columns.withoutNearestNames
      throw error.withProvenOffers(on: text) { (mended) throws(FilterErrors) in _ = try Self.read(mended, scope, in: columns) }
    }
  }

  private init(name: String, nameRange: Range<Int>, syntax: FilterSyntax, value: TypedExpression, scope: GroupScope) {
    (self.name, self.nameRange, self.syntax, self.value, self.scope) = (name, nameRange, syntax, value, scope)
  }

  private static func read(_ text: String, _ scope: GroupScope, in columns: FilterColumns) throws(FilterErrors) -> GroupTerm {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    parser.isOfGroups = true
    let name = parser.columnName()
    guard let syntax = parser.wholeValue() else { throw Self.missing(scope, in: columns, at: name?.range ?? 0..<0) }
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    checker.groups = scope
    let value = parser.errors.isEmpty ? checker.value(syntax, .init()) : nil
    var errors = parser.errors + checker.errors
    if let value, errors.isEmpty { errors = Self.errors(of: syntax, value, scope, checker) }
    if let errors = FilterErrors(errors) { throw errors }
    return GroupTerm(
      name: name?.name ?? Self.name(of: syntax, bytes), nameRange: name?.range ?? syntax.range, syntax: syntax, value: value ?? .null,
      scope: checker.groups ?? scope)
  }

  private static func name(of syntax: FilterSyntax, _ bytes: [UInt8]) -> String {
    if syntax.isName { return syntax.columnName?.lowercased() == "count" ? "count" : syntax.columnName ?? syntax.description }
    if syntax.kind == .call("count", []) { return "count" }
    return GroupShape.trimmed(bytes[syntax.range.clamped(to: bytes.indices)])
  }

  private static func missing(_ scope: GroupScope, in columns: FilterColumns, at range: Range<Int>) -> FilterErrors {
    let column = columns.offered.first { $0.type.isNumber }.map { columns.written($0.name) } ?? "x"
    let example = scope.place == .level ? columns.offered.first.map { columns.written($0.name) } ?? "x" : "sum(\(column))"
    return FilterErrors(first: FilterError(.missingValue, range, "A value is missing.", hint: "For example \(example)."))
  }

  /// Returns the errors of a value that has the right type for a row, but not for a group.
  private static func errors(
    of syntax: FilterSyntax, _ value: TypedExpression, _ scope: GroupScope, _ checker: FilterChecker
  ) -> [FilterError] {
    let text = checker.source(syntax)
    if !checker.parameters.all.isEmpty {
      return [FilterError(.missingParameter, syntax.range, "Parameters are not allowed here: nothing asks for their values.")]
    }
    if syntax.isLiteral {
      let hint = scope.place == .level ? "Group by a column, or by a value computed from columns." : "Show an aggregate, such as count."
      return [FilterError(.unexpected, syntax.range, "\(text) is the same for every group.", hint: hint)]
    }
    if scope.place == .level, value.type == .blob {
      let offers = ["length", "hex"].map { FilterReplacement(syntax.range, "\($0)(\(text))") }
      return [
        FilterError(
          .wrongOperand, syntax.range, "\(text) holds blobs, which cannot be shown as groups. Group by their length or digits.",
          replacements: offers)
      ]
    }
    return []
  }
}

extension GroupTerm {
  /// Returns the column of the result, for filters and orders of the groups.
  func column(in columns: FilterColumns) -> FilterColumn {
    var operand = syntax
    if case .call("min", let operands) = syntax.kind, operands.count == 1 { operand = operands[0] }
    if case .call("max", let operands) = syntax.kind, operands.count == 1 { operand = operands[0] }
    let isCount = scope.place == .group && operand == syntax
    guard !isCount, var column = columns.compared(with: operand) else { return FilterColumn(name, type: value.type) }
    column.name = name
    column.isHidden = false
    column.isNullable = true
    return column
  }
}

extension FilterParser {
  /// Parses the name before `=`: `revenue = sum(UnitPrice)`; nil if the text has none.
  mutating func columnName() -> (name: String, range: Range<Int>)? {
    guard token.isName, next.kind == .symbol(.equal) else { return nil }
    defer { position += 2 }
    return (token.name(in: bytes), token.range)
  }
}
