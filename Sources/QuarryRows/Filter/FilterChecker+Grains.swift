internal import QuarryEngine

/// Calls that put nearby values together: `month(InvoiceDate)`, `range(UnitPrice, 10)`.
extension FilterChecker {
  /// Checks a call of such a function.
  mutating func grain(_ grain: FilterGrain, _ operands: [FilterSyntax], _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    let count = grain == .range ? 2 : 1
    let values = operands.map { value($0, room.inside(12, deeper: 4)) }
    guard operands.count == count else {
      let example = example(of: grain, operands)
      reports.add(
        .wrongCount, node.range, "\(grain.rawValue) expects \(grain.operands), but there \(Self.number(of: operands)).",
        hint: "For example \(example).")
      return nil
    }
    guard let first = values[0] else { return nil }
    if grain == .range { return range(of: first, operands, room) }
    return storage(of: operands[0], first, grain).map { grain.call(first.expression, in: $0) }
  }

  /// Returns a call with the first operand, or else with a column that has suitable values.
  private func example(of grain: FilterGrain, _ operands: [FilterSyntax]) -> String {
    let types: [ExpressionType] = grain == .range ? [.integer, .real, .numeric] : [.date, .text]
    let column = types.lazy.compactMap { type in columns.offered.first { $0.type == type } }.first
    let value = operands.first.map(source) ?? column.map { columns.written($0.name) } ?? "x"
    return grain == .range ? "range(\(value), 10)" : "\(grain.rawValue)(\(value))"
  }

  private static func number(of operands: [FilterSyntax]) -> String {
    operands.count == 1 ? "is 1 argument" : "are \(operands.count) arguments"
  }

  private mutating func range(of value: TypedExpression, _ operands: [FilterSyntax], _ room: Room) -> TypedExpression? {
    guard value.type.isNumber else {
      reports.noNumber(operands[0], value.type)
      return nil
    }
    guard case .literal(let literal) = operands[1].kind, let width = RangeWidth(literal) else {
      reports.add(
        .wrongOperand, operands[1].range, "The width of ranges is a number greater than 0, with at most six decimals.",
        hint: "For example range(\(source(operands[0])), 10).")
      return nil
    }
    if value.type == .integer, width.divisor == 1 { return .integer(NumberRangeValue(operand: value.expression, width: width)) }
    return .numeric(NumberRangeValue(operand: value.expression, width: width))
  }

  /// Returns the storage format of a date; reports any other value.
  private mutating func storage(of node: FilterSyntax, _ value: TypedExpression, _ grain: FilterGrain) -> DateStorage? {
    let column = columns.compared(with: node)
    switch value.type {
    case .date: return column?.dates ?? .text
    case .text, .any:
      guard let sample = column?.sample, sample.hasNumbers, !sample.hasTexts else { return .text }
      return sample.unit ?? .text
    case .integer, .real, .numeric:
      if let sample = column?.sample, sample.hasNumbers, let unit = sample.unit { return unit }
      let text = source(node)
      reports.add(
        .wrongOperand, node.range, "\(grain.rawValue) expects a date, but \(text) is \(value.type.phrase).",
        hint: "Convert seconds since 1970 by datetime, and put other numbers into ranges.",
        ["datetime(\(text), 'unixepoch')"])
      return nil
    case .blob, .boolean, .null:
      reports.add(.wrongOperand, node.range, "\(grain.rawValue) expects a date, but \(source(node)) is \(value.type.phrase).")
      return nil
    }
  }
}
