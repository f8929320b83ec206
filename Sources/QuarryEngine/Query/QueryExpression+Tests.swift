extension QueryExpression {
  /// Whether the expression is NULL.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.isNull }
  /// // SELECT * FROM reminders WHERE (priority IS NULL)
  /// ```
  public var isNull: Identity<QueryValue> { Identity(self, nil) }

  /// Whether the expression is not NULL.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.isNotNull }
  /// // SELECT * FROM reminders WHERE (priority IS NOT NULL)
  /// ```
  public var isNotNull: Identity<QueryValue> { Identity(self, nil, isNegated: true) }

  /// Returns whether the expression is the same as a value: `IS`, with nil as NULL.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.is(3) }
  /// // SELECT * FROM reminders WHERE (priority IS 3)
  /// ```
  public func `is`(_ value: QueryValue?) -> Identity<QueryValue> {
    Identity(self, value.map(Constant.init))
  }

  /// Returns whether the expression is the same as another: `IS`, for which NULL is the same as NULL.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.is($0.listID) }
  /// // SELECT * FROM reminders WHERE (priority IS listID)
  /// ```
  public func `is`(_ other: some QueryExpression<QueryValue>) -> Identity<QueryValue> {
    Identity(self, other)
  }

  /// Returns whether the expression is not the same as a value: `IS NOT`, which includes NULL, unlike `!=`.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.isNot(3) }
  /// // SELECT * FROM reminders WHERE (priority IS NOT 3)
  /// ```
  public func isNot(_ value: QueryValue?) -> Identity<QueryValue> {
    Identity(self, value.map(Constant.init), isNegated: true)
  }

  /// Returns whether the expression is not the same as another: `IS NOT`.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.isNot($0.listID) }
  /// // SELECT * FROM reminders WHERE (priority IS NOT listID)
  /// ```
  public func isNot(_ other: some QueryExpression<QueryValue>) -> Identity<QueryValue> {
    Identity(self, other, isNegated: true)
  }

  /// Returns whether the expression equals one of several values; false for an empty list.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.in([1, 3]) }
  /// // SELECT * FROM reminders WHERE (priority IN (1, 3))
  /// ```
  public func `in`(_ values: some Sequence<QueryValue>) -> Membership<QueryValue> {
    Membership(self, .list(values.map { Constant($0) }))
  }

  /// Returns whether the expression equals one of several values, or is NULL if nil is one of them.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.in([1, nil]) }
  /// // SELECT * FROM reminders WHERE ((priority IN (1)) OR (priority IS NULL))
  /// ```
  @_disfavoredOverload
  public func `in`(_ values: some Sequence<QueryValue?>) -> Logic {
    let values = Array(values)
    let constants = values.compactMap { $0.map { Constant($0) } }
    if constants.count == values.count { return Logic(.or, [Membership(self, .list(constants))]) }
    return Logic(.or, constants.isEmpty ? [isNull] : [Membership(self, .list(constants)), isNull])
  }

  /// Returns whether the expression equals one of the results of a query with one column.
  ///
  /// ```swift
  /// Reminder.where { $0.listID.in(List.where { $0.title == "Home" }.select { $0.id }) }
  /// // SELECT * FROM reminders WHERE (listID IN (SELECT id FROM lists WHERE (title = 'Home')))
  /// ```
  public func `in`<Member: QueryOutput, Sources>(_ query: Select<Member, Sources>) -> Membership<QueryValue>
  where Member.QueryValue == QueryValue {
    Membership(self, .query(query.statement))
  }
}

extension QueryExpression where QueryValue: OrderedOperand {
  /// Returns whether the expression is between two values, both included.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.between(1, and: 3) }
  /// // SELECT * FROM reminders WHERE (priority BETWEEN 1 AND 3)
  /// ```
  public func between(_ lower: QueryValue, and upper: QueryValue) -> Between<QueryValue> {
    Between(self, Constant(lower), Constant(upper))
  }

  /// Returns whether the expression is between two other expressions, both included.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.between($0.id, and: $0.id + 3) }
  /// // SELECT * FROM reminders WHERE (priority BETWEEN id AND (id + 3))
  /// ```
  public func between(_ lower: some QueryExpression<QueryValue>, and upper: some QueryExpression<QueryValue>) -> Between<QueryValue> {
    Between(self, lower, upper)
  }
}
