public import QuarryEngine

/// A formatter that writes a tree as a text that parses to the same tree.
///
///     FilterSyntax(.match(.contains, name, text)).description   // Name ~ 'green day'
struct FilterFormatter {
  private(set) var text = ""
  /// The table whose name precedes columns.
  private var qualifier: String?

  /// The precedence of a node's outermost operator.
  private enum Binding: Comparable {
    case or, and, not, predicate, sum, product, concatenation, collated, signed, primary
  }

  static func string(_ node: FilterSyntax) -> String {
    var formatter = FilterFormatter()
    formatter.write(node)
    return formatter.text
  }

  /// Returns a text in single quotes.
  static func quoted(_ text: String) -> String { SQLIdentifier.delimited(text, by: "'") }

  /// Returns a column's name for a filter: quoted if the grammar requires it.
  static func name(_ name: String) -> String {
    isPlain(name) ? name : SQLIdentifier.delimited(name, by: "\"")
  }

  private static func isPlain(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, first.isNameStart else { return false }
    return bytes.allSatisfy { $0.isNamePart && $0 != UInt8(ascii: "$") } && FilterKeyword(bytes[...]) == nil
  }

  private mutating func write(_ node: FilterSyntax, atLeast least: Binding) {
    let needsParentheses = Self.binding(of: node) < least
    if needsParentheses { text += "(" }
    write(node)
    if needsParentheses { text += ")" }
  }

  private static func binding(of node: FilterSyntax) -> Binding {
    switch node.kind {
    case .any: .or
    case .all: .and
    case .not: .not
    case .comparison, .identity, .between, .membership, .pattern, .match, .fullText, .anywhere: .predicate
    case .arithmetic(let symbol, _, _): symbol == .plus || symbol == .minus ? .sum : .product
    case .concatenation, .extraction: .concatenation
    case .collated: .collated
    case .negation, .plus: .signed
    case .literal(let literal): literal.isMonth ? .sum : literal.isNegative ? .signed : .primary
    case .column, .path, .related, .relatedPath, .aggregate, .parameter, .call, .cast, .invalid: .primary
    }
  }

  private mutating func write(_ node: FilterSyntax) {
    switch node.kind {
    case .any(let terms): write(terms, separator: " or ", atLeast: .and)
    case .all(let terms): write(terms, separator: " and ", atLeast: .not)
    case .not(let operand):
      text += "not "
      write(operand, atLeast: .not)
    case .literal(let literal): text += literal.text
    case .column(let name): write(names: [name])
    case .path(let name, let path):
      write(names: [])
      text += path.filterText(in: name)
    case .related(let names): write(names: names)
    case .relatedPath(let names, let path):
      write(names: names)
      text += path.filterSuffix
    case .aggregate(let aggregate): write(aggregate)
    case .parameter(let token): text += token
    case .invalid: break
    case .comparison, .identity, .between, .membership, .pattern, .match, .fullText, .anywhere: writePredicate(node)
    default: writeValue(node)
    }
  }

  /// Writes the names of a path, after the name of the table that an aggregate reads.
  private mutating func write(names: [String]) {
    if let qualifier { text += Self.name(qualifier) + "." }
    text += names.map(Self.name).joined(separator: ".")
  }

  private mutating func write(_ aggregate: FilterAggregate) {
    let outer = qualifier
    defer { qualifier = outer }
    text += aggregate.function.rawValue + "("
    if let operand = aggregate.operand {
      if let key = aggregate.key { text += "\(Self.name(aggregate.table)).\(Self.name(key)), " }
      qualifier = aggregate.table
      write(operand, atLeast: .sum)
    } else {
      text += ([aggregate.table] + (aggregate.key.map { [$0] } ?? [])).map(Self.name).joined(separator: ".")
    }
    qualifier = nil
    if let condition = aggregate.condition {
      text += ", "
      write(condition)
    }
    text += ")"
  }

  private mutating func write(_ nodes: [FilterSyntax], separator: String, atLeast least: Binding) {
    for (index, node) in nodes.enumerated() {
      if index > 0 { text += separator }
      write(node, atLeast: least)
    }
  }

  private mutating func writePredicate(_ node: FilterSyntax) {
    switch node.kind {
    case .comparison(let comparison, let left, let right):
      write(left, " \(comparison.rawValue) ", right)
    case .identity(let left, let right, let isNegated):
      write(left, isNegated ? " is not " : " is ", right)
    case .between(let operand, let lower, let upper, let isNegated):
      write(operand, isNegated ? " not between " : " between ", lower)
      text += " and "
      write(upper, atLeast: .sum)
    case .membership(let operand, let members, let isNegated):
      write(operand, atLeast: .sum)
      text += isNegated ? " not in (" : " in ("
      write(members, separator: ", ", atLeast: .sum)
      text += ")"
    case .pattern(let kind, let operand, let pattern, let escape, let isNegated):
      write(operand, (isNegated ? " not " : " ") + kind.filterText + " ", pattern)
      guard let escape else { return }
      text += " escape "
      write(escape, atLeast: .sum)
    case .match(let match, let operand, let part):
      write(operand, atLeast: .sum)
      text += " \(match.rawValue) "
      writeMatched(part)
    case .fullText(let table, let words): write(table, " match ", words)
    case .anywhere(let part):
      text += "~ "
      writeMatched(part)
    default: break
    }
  }

  private mutating func write(_ left: FilterSyntax, _ symbol: String, _ right: FilterSyntax) {
    write(left, atLeast: .sum)
    text += symbol
    write(right, atLeast: .sum)
  }

  /// Writes an operand where a bare word would be a text: a column is quoted, and an operand that could begin with a word gets parentheses.
  private mutating func writeMatched(_ node: FilterSyntax) {
    switch node.kind {
    case .literal(.text), .parameter, .call, .aggregate, .cast: write(node)
    case .column(let name) where qualifier == nil: text += SQLIdentifier.delimited(name, by: "\"")
    default:
      text += "("
      write(node)
      text += ")"
    }
  }

  private mutating func writeValue(_ node: FilterSyntax) {
    switch node.kind {
    case .arithmetic(let symbol, let left, let right):
      let isSum = symbol == .plus || symbol == .minus
      // A month in an addition would be parsed as a subtraction.
      write(left, atLeast: isSum && !left.isMonth ? .sum : .product)
      text += " \(symbol.sign) "
      write(right, atLeast: isSum ? .product : .concatenation)
    case .concatenation(let parts): write(parts, separator: " || ", atLeast: .collated)
    case .extraction(let kind, let document, let path):
      write(document, atLeast: .concatenation)
      text += " \(kind.rawValue) "
      write(path, atLeast: .collated)
    case .collated(let operand, let name):
      write(operand, atLeast: .collated)
      text += " collate " + Self.name(name)
    case .negation(let operand): writeNegation(of: operand)
    case .plus(let operand):
      text += "+"
      write(operand, atLeast: .signed)
    case .call(let name, let operands):
      text += name.hasSuffix(GroupAggregate.distinct) ? "\(name.dropLast(GroupAggregate.distinct.count))(distinct " : name + "("
      write(operands, separator: ", ", atLeast: .sum)
      text += ")"
    case .cast(let operand, let affinity):
      text += "cast("
      write(operand, atLeast: .sum)
      text += " as \(affinity.rawValue))"
    default: break
    }
  }

  /// Writes a negation, with parentheses if the minus sign would belong to a number, or if two would begin a comment.
  private mutating func writeNegation(of operand: FilterSyntax) {
    text += "-"
    switch operand.kind {
    case .literal, .negation:
      text += "("
      write(operand)
      text += ")"
    default: write(operand, atLeast: .signed)
    }
  }
}

extension PatternMatch.Kind {
  /// The operator in a filter.
  var filterText: String {
    switch self {
    case .like: "like"
    case .glob: "glob"
    case .regexp: "=~"
    }
  }
}

extension FilterSyntax: CustomStringConvertible {
  /// The tree as a filter text.
  public var description: String { FilterFormatter.string(self) }
}

extension FilterSyntax {
  fileprivate var isMonth: Bool {
    if case .literal(let literal) = kind { literal.isMonth } else { false }
  }
}

extension FilterLiteral {
  /// Whether it is written like a subtraction: `2021-01`.
  fileprivate var isMonth: Bool {
    if case .date(let text) = self { text.utf8.count == 7 } else { false }
  }

  fileprivate var isNegative: Bool {
    switch self {
    case .integer(let value): value < 0
    case .real(let value): value.sign == .minus
    default: false
    }
  }

  /// Parses a number; nil if the text is not a number.
  init?(number text: String) {
    if let value = Int64(text) {
      self = .integer(value)
    } else if let value = Double(text), value.isFinite, text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }) {
      self = .real(value)
    } else {
      return nil
    }
  }

  /// The literal in a filter.
  var text: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): Self.text(value)
    case .text(let text): FilterFormatter.quoted(text)
    case .blob(let bytes): "x'" + bytes.hexadecimal() + "'"
    case .date(let date): date
    case .truth(let truth): truth ? "true" : "false"
    }
  }

  /// Returns the literal of a real; infinity is written as a number beyond the maximum.
  private static func text(_ value: Double) -> String {
    if value.isNaN { return "null" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return String(value)
  }
}

extension ArithmeticSymbol {
  var sign: String {
    switch self {
    case .plus: "+"
    case .minus: "-"
    case .times: "*"
    case .dividedBy: "/"
    case .remainder: "%"
    }
  }
}

extension JSONPath {
  /// Returns the value at the path in a column as written in a filter or sort text: `data.user.name`.
  public func filterText(in column: String) -> String { FilterFormatter.name(column) + filterSuffix }
}
