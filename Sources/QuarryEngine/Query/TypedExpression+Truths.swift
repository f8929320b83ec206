extension TypedExpression {
  /// Returns the expression as a predicate.
  ///
  /// ```swift
  /// let isCompleted = TypedExpression(columnNamed: "isCompleted", type: .boolean)
  /// RowFilter(try isCompleted.truth())  // WHERE isCompleted
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if it is not a Boolean.
  package func truth() throws(Incompatibility) -> any QueryExpression<Bool> {
    guard let truth = asTruth else { throw .notTruth(type, operand: 0) }
    return truth
  }

  /// Returns conditions joined by AND or OR, as one flat node.
  ///
  /// ```swift
  /// let isCompleted = TypedExpression(columnNamed: "isCompleted", type: .boolean)
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try TypedExpression.joined([isCompleted, title.isNull()], by: .or)
  /// // (isCompleted OR (title IS NULL))
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if one of them is not a Boolean.
  package static func joined(_ operands: [TypedExpression], by joiner: Logic.Joiner) throws(Incompatibility) -> TypedExpression {
    var terms: [any QueryExpression<Bool>] = []
    for (index, operand) in operands.enumerated() {
      guard let term = operand.asTruth else { throw .notTruth(operand.type, operand: index) }
      terms.append(term)
    }
    return .boolean(Logic(joiner, terms))
  }

  /// Returns whether the expression is NULL, or is not NULL.
  ///
  /// ```swift
  /// TypedExpression(columnNamed: "title", type: .text).isNull(negated: true)
  /// // (title IS NOT NULL)
  /// ```
  package func isNull(negated: Bool = false) -> TypedExpression {
    .boolean(Identity(asValue, nil, isNegated: negated))
  }
}
