internal import QuarryEngine

extension FilterChecker {
  /// Checks an operation on values.
  mutating func operation(_ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    switch node.kind {
    case .negation(let operand): number(operand, room.inside(2)) { (value) throws(Incompatibility) in try value.opposite() }
    case .plus(let operand): value(operand, room.inside(2))?.plain()
    case .collated(let operand, let name): collated(operand, name, node, room)
    case .arithmetic(let symbol, let left, let right): arithmetic(symbol, left, right, node, room)
    case .concatenation(let parts): concatenation(parts, room)
    case .cast(let operand, let affinity): value(operand, room.inside(2))?.cast(to: affinity)
    default: nil
    }
  }

  private mutating func number(
    _ node: FilterSyntax, _ room: Room, _ make: (TypedExpression) throws(Incompatibility) -> TypedExpression
  ) -> TypedExpression? {
    guard let operand = value(node, room) else { return nil }
    infer(node, .numeric)
    do throws(Incompatibility) { return try make(operand) } catch {
      reports.noNumber(node, operand.type)
      return nil
    }
  }

  private mutating func arithmetic(
    _ symbol: ArithmeticSymbol, _ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    let (first, second) = (value(left, room.inside(1)), value(right, room.inside(3)))
    infer(left, .numeric)
    infer(right, .numeric)
    guard let first, let second else { return nil }
    if let result = try? first.arithmetic(symbol, second) { return result }
    if symbol == .plus, first.type == .text, second.type == .text {
      reports.addedTexts(left, right, node)
      return nil
    }
    for (operand, type) in [(left, first.type), (right, second.type)] where !type.isNumber { reports.noNumber(operand, type) }
    return nil
  }

  private mutating func collated(_ operand: FilterSyntax, _ name: String, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    guard let value = value(operand, room.inside(1)) else { return nil }
    guard ["binary", "nocase", "rtrim"].contains(name.lowercased()) else {
      reports.unknownCollation(name, operand, node)
      return nil
    }
    if let result = try? value.collated(Collation(rawValue: name.uppercased())) { return result }
    reports.noText(operand, value.type, "collate compares text")
    return nil
  }

  private static let mostParts = 400

  private mutating func concatenation(_ parts: [FilterSyntax], _ room: Room) -> TypedExpression? {
    if parts.count > Self.mostParts, let first = parts.first, let last = parts.last {
      let range = first.range.lowerBound..<last.range.upperBound
      reports.add(FilterError(.tooMany, range, "This joins \(parts.count) values; the maximum is \(Self.mostParts)."))
      return nil
    }
    let inner = room.inside(3, deeper: parts.count)
    var values: [TypedExpression] = []
    for part in parts {
      if let value = value(part, inner) { values.append(value) }
      infer(part, .text)
    }
    guard values.count == parts.count, checkTexts(parts, values), let first = values.first else { return nil }
    return try? values.dropFirst().reduce(first) { try $0.concatenated(with: $1) }
  }

  private mutating func checkTexts(_ parts: [FilterSyntax], _ values: [TypedExpression]) -> Bool {
    let count = errors.count
    let truths = values.map { $0.type == .boolean }
    for index in values.indices {
      if truths[index], index > 0, truths[index - 1] {
        reports.add(.joinedTruths(reports.operatorRange(between: parts[index - 1], and: parts[index]), in: bytes))
      } else if values[index].asText == nil, !(truths[index] && index + 1 < truths.count && truths[index + 1]) {
        reports.noText(parts[index], values[index].type, "|| joins text")
      }
    }
    return errors.count == count
  }

  // MARK: Functions

  /// SQLite accepts 127 operands, or only 100 in some builds.
  private static let mostOperands = 100

  mutating func call(_ name: String, _ operands: [FilterSyntax], _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    if let grain = FilterGrain(rawValue: name) { return self.grain(grain, operands, node, room) }
    guard let function = TypedFunction.named(name) else {
      for operand in operands { _ = value(operand, room.inside(5)) }
      reports.unknownFunction(name, operands, node)
      return nil
    }
    let values = operands.enumerated().map { index, operand in
      let value = value(operand, room.inside(5))
      infer(operand, function.parameter(at: index)?.inferred)
      return value
    }
    guard function.least...(function.isVariadic ? Self.mostOperands : function.parameters.count) ~= operands.count else {
      reports.wrongCount(function, operands.count, node)
      return nil
    }
    let known = values.compactMap(\.self)
    guard known.count == values.count, check(known, operands, of: function), checkDates(of: function, operands, known) else { return nil }
    do throws(Incompatibility) { return try function.call(known) } catch {
      reports.mixedOperands(operands, known, node)
      return nil
    }
  }

  private mutating func check(_ values: [TypedExpression], _ operands: [FilterSyntax], of function: TypedFunction) -> Bool {
    let count = errors.count
    for (index, value) in values.enumerated() {
      guard let parameter = function.parameter(at: index), !parameter.takes(value.type) else { continue }
      reports.wrongOperand(operands[index], value.type, parameter, of: function)
    }
    return errors.count == count
  }

  /// Records the expected type of a parameter, if the node is one.
  mutating func infer(_ node: FilterSyntax, _ type: ExpressionType?) {
    guard case .parameter = node.kind else { return }
    parameters.infer(at: node.range.lowerBound, type: type, column: nil)
  }
}

extension TypedFunction {
  func parameter(at index: Int) -> Parameter? {
    index < parameters.count ? parameters[index] : isVariadic ? parameters.last : nil
  }
}

extension TypedFunction.Parameter {
  /// The type of a filter parameter in this position.
  fileprivate var inferred: ExpressionType? {
    switch self {
    case .text, .textOrBlob: .text
    case .number: .numeric
    case .moment: .date
    case .any: nil
    }
  }
}

extension ExpressionType {
  /// Whether it is a valid arithmetic operand.
  var isNumber: Bool {
    switch self {
    case .integer, .real, .numeric, .any, .null: true
    case .text, .blob, .boolean, .date: false
    }
  }
}
