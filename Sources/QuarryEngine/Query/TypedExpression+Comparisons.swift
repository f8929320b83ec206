extension TypedExpression {
  /// Returns whether the expression equals another, or differs from it; NULL is asked for by IS.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.equals(TypedExpression(literal: .integer(3)))                 // (priority = 3)
  /// try priority.equals(TypedExpression(literal: .integer(3)), negated: true)  // (priority <> 3)
  /// try priority.equals(.null)                                                 // (priority IS NULL)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where their types cannot be compared.
  package func equals(_ other: TypedExpression, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if case .null = other { return isNull(negated: negated) }
    if case .null = self { return other.isNull(negated: negated) }
    return .boolean(try unified(with: [other]).equality(isNegated: negated))
  }

  /// Returns whether the expression differs from another, as SQL has it, `<>`: never where one of them is NULL.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.differs(from: TypedExpression(literal: .integer(3)))  // (priority <> 3)
  /// try priority.differs(from: .null)                                  // (priority <> NULL)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where their types cannot be compared.
  package func differs(from other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [other]).equality(isNegated: true))
  }

  /// Returns whether the expression is the same as another, or is not, NULL being the same as NULL: `IS`.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.isSame(as: TypedExpression(literal: .integer(3)), negated: true)  // (priority IS NOT 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where their types cannot be compared.
  package func isSame(as other: TypedExpression, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if case .null = other { return isNull(negated: negated) }
    return .boolean(try unified(with: [other]).identity(isNegated: negated))
  }

  /// Returns which of two expressions comes first.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.compared(.atLeast, TypedExpression(literal: .integer(3)))  // (priority >= 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where their types cannot be compared, or have no order.
  package func compared(_ comparator: Comparator, _ other: TypedExpression) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [other]).comparison(comparator))
  }

  /// Returns whether the expression lies between two others, both included.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.between(TypedExpression(literal: .integer(1)), and: TypedExpression(literal: .integer(3)))
  /// // (priority BETWEEN 1 AND 3)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where their types cannot be compared, or have no order.
  package func between(
    _ lower: TypedExpression, and upper: TypedExpression, negated: Bool = false
  ) throws(Incompatibility) -> TypedExpression {
    .boolean(try unified(with: [lower, upper]).between(isNegated: negated))
  }

  /// Returns whether the expression is one of several.
  ///
  /// ```swift
  /// let priority = TypedExpression(columnNamed: "priority", type: .integer)
  /// try priority.isIn([TypedExpression(literal: .integer(1)), TypedExpression(literal: .integer(3))])
  /// // (priority IN (1, 3))
  /// ```
  ///
  /// - Throws: ``Incompatibility`` where one cannot be compared with it, or there is none.
  package func isIn(_ members: [TypedExpression], negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    if members.isEmpty { throw .emptyList }
    return .boolean(try unified(with: members).membership(isNegated: negated))
  }
}
