extension FilterSyntax {
  /// The first named column, as written; nil for none.
  public var firstColumn: String? { namedColumns?.first }

  /// The terms joined by `and` at the top; a text in parentheses is one term, even if it is the only one.
  var separateTerms: [FilterSyntax] {
    let isWhole = terms.first.map { $0.range.lowerBound > range.lowerBound } ?? false
    return terms.count > 1 && isWhole ? [self] : terms
  }

  /// The named columns, as written; nil if words are searched for in all columns.
  var namedColumns: [String]? {
    if case .anywhere = kind { return nil }
    if case .column(let name) = kind { return [name] }
    if case .path(let name, _) = kind { return [name] }
    if case .related(let names) = kind { return Array(names.prefix(1)) }
    if case .relatedPath(let names, _) = kind { return Array(names.prefix(1)) }
    var names: [String] = []
    for operand in operands {
      guard let found = operand.namedColumns else { return nil }
      names += found
    }
    return names
  }

  /// The operands of the node.
  private var operands: [FilterSyntax] {
    switch kind {
    case .literal, .column, .path, .related, .relatedPath, .aggregate, .parameter, .invalid: []
    case .negation(let operand), .plus(let operand), .collated(let operand, _), .cast(let operand, _), .anywhere(let operand),
      .not(let operand):
      [operand]
    case .arithmetic(_, let left, let right), .comparison(_, let left, let right), .identity(let left, let right, _),
      .match(_, let left, let right), .extraction(_, let left, let right), .fullText(let left, let right):
      [left, right]
    case .concatenation(let operands), .call(_, let operands), .all(let operands), .any(let operands): operands
    case .between(let operand, let lower, let upper, _): [operand, lower, upper]
    case .membership(let operand, let members, _): [operand] + members
    case .pattern(_, let operand, let pattern, let escape, _): [operand, pattern] + (escape.map { [$0] } ?? [])
    }
  }
}
