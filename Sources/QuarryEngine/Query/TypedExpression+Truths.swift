extension TypedExpression {
  /// Returns the expression as a predicate.
  ///
  /// - Throws: ``Incompatibility`` where it is no truth.
  public func truth() throws(Incompatibility) -> any QueryExpression<Bool> {
    guard let truth = asTruth else { throw .notTruth(type, operand: 0) }
    return truth
  }

  /// Returns truths joined by AND or OR, as one flat node.
  ///
  /// - Throws: ``Incompatibility`` where one of them is no truth.
  public static func joined(_ operands: [TypedExpression], by joiner: Logic.Joiner) throws(Incompatibility) -> TypedExpression {
    var terms: [any QueryExpression<Bool>] = []
    for (index, operand) in operands.enumerated() {
      guard let term = operand.asTruth else { throw .notTruth(operand.type, operand: index) }
      terms.append(term)
    }
    return .boolean(Logic(joiner, terms))
  }

  /// Returns the opposite of a truth: `NOT`.
  ///
  /// - Throws: ``Incompatibility`` where the expression is no truth.
  public func negated() throws(Incompatibility) -> TypedExpression {
    .boolean(Negation(try truth()))
  }

  /// Returns whether a truth is true or false, or is not: `IS TRUE`.
  ///
  /// - Throws: ``Incompatibility`` where the expression is no truth.
  public func isTruth(_ value: Bool, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    .boolean(TruthTest(operand: try truth(), truth: value, isNegated: negated))
  }

  /// Returns whether the expression is NULL, or is not.
  public func isNull(negated: Bool = false) -> TypedExpression {
    .boolean(Identity(asValue, nil, isNegated: negated))
  }
}
