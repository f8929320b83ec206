extension TypedExpression {
  /// Returns an arithmetic operation on two numbers.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.arithmetic(.plus, TypedExpression(literal: .real(0.5)))  // (priority + 0.5), a real
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if one of them is not a number.
  package func arithmetic(_ symbol: ArithmeticSymbol, _ other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    try checkNumber(at: 0)
    try other.checkNumber(at: 1)
    return switch try unified(with: [other]) {
    case let both as OrderedOperands<Int>: .integer(Arithmetic(both.first, symbol, both.rest.first ?? both.first))
    case let both as OrderedOperands<Double>: .real(Arithmetic(both.first, symbol, both.rest.first ?? both.first))
    case let both as OrderedOperands<Number>: .numeric(Arithmetic(both.first, symbol, both.rest.first ?? both.first))
    default: .any(Arithmetic(asValue, symbol, other.asValue))
    }
  }

  /// Returns a number with the opposite sign.
  ///
  /// ```swift
  /// try TypedExpression(columnNamed: "priority", type: .integer).opposite()
  /// // -(priority)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if the expression is not a number.
  package func opposite() throws(Incompatibility) -> TypedExpression {
    switch self {
    case .integer(let expression): .integer(Negative(operand: expression))
    case .real(let expression): .real(Negative(operand: expression))
    case .numeric(let expression): .numeric(Negative(operand: expression))
    case .any, .null: .any(Negative(operand: asValue))
    default: throw .notNumber(type, operand: 0)
    }
  }

  /// Returns the value without the affinity of its column: `+x`.
  ///
  /// ```swift
  /// TypedExpression(columnNamed: "priority", type: .integer).plain()
  /// // +(priority)
  /// ```
  package func plain() -> TypedExpression {
    switch self {
    case .integer(let expression): .integer(UnaryPlus(operand: expression))
    case .real(let expression): .real(UnaryPlus(operand: expression))
    case .numeric(let expression): .numeric(UnaryPlus(operand: expression))
    case .text(let expression): .text(UnaryPlus(operand: expression))
    case .blob(let expression): .blob(UnaryPlus(operand: expression))
    case .boolean(let expression): .boolean(UnaryPlus(operand: expression))
    case .date(let expression): .date(UnaryPlus(operand: expression))
    case .any(let expression): .any(UnaryPlus(operand: expression))
    case .null: .null
    }
  }

  /// Returns a text followed by another: SQL's `||`.
  ///
  /// ```swift
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try title.concatenated(with: TypedExpression(literal: .text("!")))  // (title || '!')
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if one of them is not a text, with a specific reason for two Booleans.
  package func concatenated(with other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    if case (.boolean, .boolean) = (self, other) { throw .joinedTruths }
    return .text(Concatenation([try textOperand(at: 0), try other.textOperand(at: 1)]))
  }

  /// Returns the expression with a collation for comparisons.
  ///
  /// ```swift
  /// try TypedExpression(columnNamed: "title", type: .text).collated(.nocase)
  /// // title COLLATE NOCASE
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if it is not a text.
  package func collated(_ collation: Collation) throws(Incompatibility) -> TypedExpression {
    switch self {
    case .text(let expression): .text(Collated<String?>(operand: expression, collation: collation))
    case .date(let expression): .date(Collated<DateText?>(operand: expression, collation: collation))
    case .any, .null: .any(Collated<DatabaseValue?>(operand: asValue, collation: collation))
    default: throw .notText(type, operand: 0)
    }
  }

  /// Returns the value converted to another type by SQLite's rules: `CAST`.
  ///
  /// ```swift
  /// TypedExpression(columnNamed: "title", type: .text).cast(to: .integer)
  /// // CAST(title AS INTEGER)
  /// ```
  package func cast(to affinity: ColumnSchema.Affinity) -> TypedExpression {
    switch affinity {
    case .integer: .integer(Cast<Int>(operand: expression))
    case .real: .real(Cast<Double>(operand: expression))
    case .numeric: .numeric(Cast<Number>(operand: expression))
    case .text: .text(Cast<String>(operand: expression))
    case .blob: .blob(Cast<[UInt8]>(operand: expression))
    }
  }

  private func checkNumber(at index: Int) throws(Incompatibility) {
    switch type {
    case .integer, .real, .numeric, .any, .null: break
    case .text, .blob, .boolean, .date: throw .notNumber(type, operand: index)
    }
  }

  func textOperand(at index: Int) throws(Incompatibility) -> any QueryExpression<String> {
    guard let text = asText else { throw .notText(type, operand: index) }
    return text
  }
}

extension TypedExpression {
  /// Returns whether a text matches a LIKE, GLOB or REGEXP pattern, optionally negated.
  ///
  /// ```swift
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try title.matches(.like, TypedExpression(literal: .text("Get%")), negated: true)  // (title NOT LIKE 'Get%')
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if an operand is not a text.
  package func matches(
    _ kind: PatternMatch.Kind, _ pattern: TypedExpression, escape: TypedExpression? = nil, negated: Bool = false
  ) throws(Incompatibility) -> TypedExpression {
    let text = try textOperand(at: 0)
    let escape = try escape?.textOperand(at: 2)
    return .boolean(PatternMatch(text, kind, try pattern.textOperand(at: 1), escape: escape, isNegated: negated))
  }

  /// Returns whether a text contains, starts or ends with another text literally; a negated match includes rows whose text is NULL.
  ///
  /// ```swift
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try title.has(TypedExpression(literal: .text("50%")), at: .start)
  /// // (title LIKE '50\%%' ESCAPE '\')
  /// try title.has(TypedExpression(literal: .text("a")), at: .anywhere, negated: true)
  /// // ((title NOT LIKE '%a%' ESCAPE '\') OR (title IS NULL))
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if an operand is not a text.
  package func has(_ part: TypedExpression, at position: MatchPosition, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    try has(part, at: position, negated: negated, isServed: false)
  }

  /// Returns the match of ``has(_:at:negated:)``; if `isServed` is true, with SQLite's built-in functions only, for a server.
  package func has(
    _ part: TypedExpression, at position: MatchPosition, negated: Bool = false, isServed: Bool
  ) throws(Incompatibility) -> TypedExpression {
    let text = try textOperand(at: 0)
    let match: any QueryExpression<Bool>
    if case .text(let constant as Constant<String>) = part, let literal = constant.value {
      let plain: (any QueryExpression<Bool>)? = isServed ? PlainTextMatch(text, has: literal, at: position, isNegated: negated) : nil
      match = plain ?? PatternMatch(text, has: literal, at: position, isNegated: negated, looksBehindNUL: true)
    } else {
      match = PatternMatch(text, has: try part.textOperand(at: 1), at: position, isNegated: negated)
    }
    return .boolean(negated ? Logic(.or, [match, Identity(text, nil)]) : match)
  }
}
