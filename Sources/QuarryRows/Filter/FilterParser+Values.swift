internal import QuarryEngine

extension FilterParser {
  /// The maximum depth of a tree, beyond which the stack could overflow.
  private static let longestChain = 64

  /// Rejects a long chain of operators, each of which nests the preceding one.
  private mutating func checkChain(_ length: inout Int, from start: Int) throws(Fault) {
    length += 1
    if length > Self.longestChain {
      throw reportLast(.tooMany, start..<token.end, "There are more than \(Self.longestChain) operators in a row.")
    }
  }

  mutating func sum() throws(Fault) -> FilterSyntax {
    let start = token.start
    var left = try product()
    var length = 0
    while case .symbol(let symbol) = token.kind, symbol == .plus || symbol == .minus {
      try checkChain(&length, from: start)
      position += 1
      let right = try product()
      left = FilterSyntax(.arithmetic(symbol == .plus ? .plus : .minus, left, right), range: start..<lastEnd)
    }
    return length == 1 ? month(left) ?? left : left
  }

  private mutating func product() throws(Fault) -> FilterSyntax {
    let start = token.start
    var left = try concatenation()
    var length = 0
    while case .symbol(let symbol) = token.kind, let arithmetic = symbol.product {
      try checkChain(&length, from: start)
      position += 1
      let right = try concatenation()
      left = FilterSyntax(.arithmetic(arithmetic, left, right), range: start..<lastEnd)
    }
    return left
  }

  private mutating func concatenation() throws(Fault) -> FilterSyntax {
    let start = token.start
    var left = try unary()
    var length = 0
    while case .symbol(let symbol) = token.kind, symbol == .concatenate || symbol == .json || symbol == .value {
      guard let kind = JSONExtraction.Kind(rawValue: symbol.rawValue) else {
        var parts = [left]
        while take(.concatenate) { parts.append(try unary()) }
        left = FilterSyntax(.concatenation(parts), range: start..<lastEnd)
        continue
      }
      try checkChain(&length, from: start)
      position += 1
      let path = try unary()
      left = FilterSyntax(.extraction(kind, left, path), range: start..<lastEnd)
    }
    return left
  }

  private mutating func unary() throws(Fault) -> FilterSyntax {
    let start = token.start
    var operand = try signed()
    var length = 0
    while take(.collate) {
      try checkChain(&length, from: start)
      expect(.collation)
      guard token.kind == .word || token.kind == .quotedName || token.kind == .bracketedName else {
        throw isAtEnd ? reportMissingCollation() : reportUnexpected()
      }
      let name = token.name(in: bytes)
      position += 1
      operand = FilterSyntax(.collated(operand, name), range: start..<lastEnd)
    }
    return operand
  }

  private mutating func reportMissingCollation() -> Fault {
    report(
      .missingValue, tokens[position - 1].range, "A collation is missing after collate.",
      hint: "The collations are binary, nocase and rtrim.")
  }

  private mutating func signed() throws(Fault) -> FilterSyntax {
    let start = token.start
    let isNegative = token.kind == .symbol(.minus)
    guard isNegative || token.kind == .symbol(.plus) else { return try primary() }
    position += 1
    if isNegative, token.isNumber {
      let literal = try number(isNegative: true, from: start)
      return FilterSyntax(.literal(literal), range: start..<lastEnd)
    }
    let operand = try nested(from: start) { (parser) throws(Fault) in try parser.signed() }
    return FilterSyntax(isNegative ? .negation(operand) : .plus(operand), range: start..<lastEnd)
  }

  private mutating func primary() throws(Fault) -> FilterSyntax {
    if !expectsValue { expect(.value(beside: nil)) }
    let token = token
    if token.kind == .word, let fault = reportSubstatement() { throw fault }
    switch token.kind {
    case .word where next.kind == .symbol(.leftParenthesis): return try call()
    case .bracketedName where isUnfinished(token), .quotedName where isUnfinished(token): throw Fault()
    case .word, .bracketedName: return try path(from: leaf(.column(canonical(token.name(in: bytes)))))
    case .quotedName:
      let name = token.name(in: bytes)
      return try path(from: leaf(columns.index(of: name.utf8).map { .column(columns.all[$0].name) } ?? .literal(.text(name))))
    case .text: return leaf(.literal(.text(token.name(in: bytes))))
    case .blob: return leaf(.literal(.blob(token.blob(in: bytes))))
    case .integer, .hexadecimal, .real:
      let literal = try number(isNegative: false, from: token.start)
      return FilterSyntax(.literal(literal), range: token.range)
    case .date: return try date()
    case .parameter: return leaf(.parameter(string(token.range)))
    case .keyword(.null): return leaf(.literal(.null))
    case .keyword(.true): return leaf(.literal(.truth(true)))
    case .keyword(.false): return leaf(.literal(.truth(false)))
    case .keyword(.cast): return try cast()
    case .symbol(.leftParenthesis): return try group()
    case .mixed: throw reportMixed()
    default: throw reportMissingValue()
    }
  }

  /// Returns whether the closing quote of a name is missing, which has already been reported.
  private func isUnfinished(_ name: FilterToken) -> Bool {
    name.end == bytes.count && errors.contains { $0.kind == .unfinishedName && $0.range.lowerBound == name.start }
  }

  /// Whether an operator has already recorded the tokens expected here.
  private var expectsValue: Bool {
    switch expectations.last?.expectation {
    case .value, .text: true
    default: false
    }
  }

  private mutating func leaf(_ kind: FilterSyntax.Kind) -> FilterSyntax {
    let range = token.range
    position += 1
    return FilterSyntax(kind, range: range)
  }

  /// Returns a column's name as spelled in the schema, if the column exists.
  private func canonical(_ name: String) -> String {
    columns.index(of: name.utf8).map { columns.all[$0].name } ?? name
  }

  private mutating func group() throws(Fault) -> FilterSyntax {
    let start = token.start
    var inner = try parenthesized { (parser) throws(Fault) in try parser.disjunction() }
    inner.range = start..<lastEnd
    return inner
  }

  private mutating func call() throws(Fault) -> FilterSyntax {
    if let aggregate = try aggregate() { return aggregate }
    let name = token
    var suffix = ""
    position += 1
    var operands: [FilterSyntax] = []
    if next.kind == .symbol(.rightParenthesis) {
      position += 2
    } else if next.kind == .symbol(.times), tokens[min(position + 2, tokens.count - 1)].kind == .symbol(.rightParenthesis) {
      position += 3  // `count(*)`, which the checker refuses by its name.
    } else {
      operands = try parenthesized { (parser) throws(Fault) in
        if parser.takeDistinct() { suffix = GroupAggregate.distinct }
        var operands = [try parser.sum()]
        while parser.take(.comma) { operands.append(try parser.sum()) }
        return operands
      }
    }
    return FilterSyntax(.call(string(name.range).lowercased() + suffix, operands), range: name.start..<lastEnd)
  }

  /// Parses `distinct` before the operand of an aggregate of a group.
  private mutating func takeDistinct() -> Bool {
    guard isOfGroups, token.kind == .word, string(token.range).lowercased() == "distinct", next.kind != .symbol(.rightParenthesis) else {
      return false
    }
    position += 1
    return true
  }

  private mutating func cast() throws(Fault) -> FilterSyntax {
    let start = token.start
    position += 1
    guard token.kind == .symbol(.leftParenthesis) else {
      throw report(.unexpected, tokens[position - 1].range, "cast is written cast(value as type).")
    }
    let (operand, affinity) = try parenthesized { (parser) throws(Fault) in
      let operand = try parser.sum()
      parser.expect(.words([.as]))
      guard parser.take(.as) else {
        throw parser.report(.unexpected, start..<parser.lastEnd, "cast is written cast(value as type).")
      }
      parser.expect(.type)
      return (operand, try parser.type())
    }
    return FilterSyntax(.cast(operand, affinity), range: start..<lastEnd)
  }

  private mutating func type() throws(Fault) -> ColumnSchema.Affinity {
    guard token.kind == .word || token.kind == .quotedName || token.kind == .bracketedName else {
      throw report(.unknownType, isAtEnd ? tokens[position - 1].range : token.range, Self.typeSentence)
    }
    let name = token.name(in: bytes).lowercased()
    if let affinity = ColumnSchema.Affinity(rawValue: name) {
      position += 1
      return affinity
    }
    let likely = ColumnSchema.Affinity(declaredType: name).rawValue
    throw report(
      .unknownType, token.range, "\(name) is not a type to cast to.", hint: Self.typeSentence,
      replacements: [FilterReplacement(token.range, likely)])
  }

  private static let typeSentence = "The types are integer, real, text, blob and numeric."

  // MARK: Literals

  private mutating func number(isNegative: Bool, from start: Int) throws(Fault) -> FilterLiteral {
    let token = token
    position += 1
    switch token.kind {
    case .real:
      let value = Double(string(token.range)) ?? Double(string(token.range) + "0") ?? 0
      return .real(isNegative ? -value : value)
    case .hexadecimal:
      guard let value = UInt64(string(token.start + 2..<token.end), radix: 16), !(isNegative && value == 1 << 63) else { break }
      return .integer(isNegative ? 0 &- Int64(bitPattern: value) : Int64(bitPattern: value))
    default:
      guard let value = Int64((isNegative ? "-" : "") + string(token.range)) else { break }
      return .integer(value)
    }
    throw reportGreatNumber(token, start..<token.end)
  }

  private mutating func reportGreatNumber(_ token: FilterToken, _ range: Range<Int>) -> Fault {
    let isDecimal = token.kind == .integer
    return report(
      .numberTooGreat, range, "\(string(range)) does not fit in a 64-bit integer.",
      hint: isDecimal ? "Write it with a decimal point as a real number, which is not exact." : nil,
      replacements: isDecimal ? [FilterReplacement(range, string(range) + ".0")] : [])
  }

  private mutating func reportMixed() -> Fault {
    let shown = string(token.range)
    if bytes[token.range].allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "_") }) {
      return report(
        .badNumber, token.range, "\(shown) is not a number. Write numbers without separators.",
        replacements: [FilterReplacement(token.range, shown.filter { $0 != "_" })])
    }
    return report(
      .badNumber, token.range, "\(shown) is neither a number nor a name.", hint: "Quote it: '…' for text, \"…\" for a column.",
      replacements: [FilterReplacement(token.range, FilterFormatter.quoted(shown))])
  }
}

extension FilterToken {
  var isNumber: Bool { kind == .integer || kind == .hexadecimal || kind == .real }
}

extension FilterSymbol {
  fileprivate var product: ArithmeticSymbol? {
    switch self {
    case .times: .times
    case .divide: .dividedBy
    case .remainder: .remainder
    default: nil
    }
  }
}

// MARK: - Dates

extension FilterParser {
  private mutating func date() throws(Fault) -> FilterSyntax {
    let token = token
    do throws(DateFault) {
      _ = try WrittenDate(string(token.range))
    } catch {
      position += 1
      throw report(.impossibleDate, token.range, error.sentence, replacements: error.suggestions.map { FilterReplacement(token.range, $0) })
    }
    return leaf(.literal(.date(string(token.range))))
  }

  /// Returns a month for a text with its format, `2021-01`, which is a subtraction unless it is compared with a date.
  private func month(_ sum: FilterSyntax) -> FilterSyntax? {
    guard case .arithmetic(.minus, _, _) = sum.kind, sum.range.count == 7, bytes[sum.range.lowerBound + 4] == UInt8(ascii: "-") else {
      return nil
    }
    let isMonth = sum.range.allSatisfy { $0 == sum.range.lowerBound + 4 || bytes[$0].isASCIIDigit }
    return isMonth ? FilterSyntax(.literal(.date(string(sum.range))), range: sum.range) : nil
  }
}
