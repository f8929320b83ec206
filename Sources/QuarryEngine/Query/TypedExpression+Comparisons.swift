extension TypedExpression {
  /// Returns a comparison with another expression, `=` or `<>`; for NULL, `IS NULL` or `IS NOT NULL`.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.equals(TypedExpression(literal: .integer(3)))                 // (priority = 3)
  /// try priority.equals(TypedExpression(literal: .integer(3)), negated: true)  // (priority <> 3)
  /// try priority.equals(.null)                                                 // (priority IS NULL)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if their types cannot be compared.
  package func equals(_ other: TypedExpression, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if case .null = other { return isNull(negated: negated) }
    if case .null = self { return other.isNull(negated: negated) }
    return .boolean(try unified(with: [other]).equality(isNegated: negated))
  }

  /// Returns a comparison with another expression by SQL's `<>`, which is never true for NULL.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.differs(from: TypedExpression(literal: .integer(3)))  // (priority <> 3)
  /// try priority.differs(from: .null)                                  // (priority <> NULL)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if their types cannot be compared.
  package func differs(from other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [other]).equality(isNegated: true))
  }

  /// Returns a comparison with another expression by `IS` or `IS NOT`, for which NULL is the same as NULL.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.isSame(as: TypedExpression(literal: .integer(3)), negated: true)  // (priority IS NOT 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if their types cannot be compared.
  package func isSame(as other: TypedExpression, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if case .null = other { return isNull(negated: negated) }
    return .boolean(try unified(with: [other]).identity(isNegated: negated))
  }

  /// Returns an ordering comparison with another expression.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.compared(.atLeast, TypedExpression(literal: .integer(3)))  // (priority >= 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if their types cannot be compared, or have no order.
  package func compared(_ comparator: Comparator, _ other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [other]).comparison(comparator))
  }

  /// Returns whether the expression is between two other expressions, both included.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.between(TypedExpression(literal: .integer(1)), and: TypedExpression(literal: .integer(3)))
  /// // (priority BETWEEN 1 AND 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if their types cannot be compared, or have no order.
  package func between(
    _ lower: TypedExpression, and upper: TypedExpression, negated: Bool = false
  ) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [lower, upper]).between(isNegated: negated))
  }

  /// Returns whether the expression equals one of several expressions.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.isIn([TypedExpression(literal: .integer(1)), TypedExpression(literal: .integer(3))])
  /// // (priority IN (1, 3))
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if one of them cannot be compared with it, or if there are none.
  package func isIn(_ members: [TypedExpression], negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if members.isEmpty { throw .emptyList }
    return .boolean(try unified(with: members).membership(isNegated: negated))
  }
}
