extension Select {
  /// Returns the query with only the rows for which a predicate holds besides those that it has already.
  ///
  /// ```swift
  /// Reminder.all().where { !$0.isCompleted }.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))
  /// ```
  public func `where`(_ predicate: (repeat each Source) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(repeat each sources)
    return with { $0.predicates.append(predicate) }
  }

  /// Returns the query ordered by these keys after those that it has already.
  ///
  /// ```swift
  /// Reminder.all().order { ($0.priority.desc(), $0.title.collate(.nocase).asc()) }
  /// // SELECT * FROM reminders ORDER BY priority DESC, title COLLATE NOCASE ASC
  /// ```
  public func order<each Term: OrderingTerm>(_ terms: (repeat each Source) -> (repeat each Term)) -> Self {
    let terms = terms(repeat each sources)
    return with { statement in
      for term in repeat each terms { statement.orders.append(term.ordering) }
    }
  }

  /// Returns the query with one row for each group of rows in which these expressions are the same.
  ///
  /// ```swift
  /// Reminder.select { ($0.priority, $0.id.count()) }.group { $0.priority }
  /// // SELECT priority, count(id) FROM reminders GROUP BY priority
  /// ```
  public func group<each Expression: QueryExpression>(_ expressions: (repeat each Source) -> (repeat each Expression)) -> Self {
    let expressions = expressions(repeat each sources)
    return with { statement in
      for expression in repeat each expressions { statement.groups.append(expression) }
    }
  }

  /// Returns the query with only the groups for which a predicate holds.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.group { $0.priority }.having { $0.id.count() > 1 }
  /// // SELECT priority FROM reminders GROUP BY priority HAVING (count(id) > 1)
  /// ```
  public func having(_ predicate: (repeat each Source) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(repeat each sources)
    return with { $0.groupPredicates.append(predicate) }
  }

  /// Returns the query without rows that are the same as another.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.distinct()
  /// // SELECT DISTINCT priority FROM reminders
  /// ```
  public func distinct() -> Self {
    with { $0.isDistinct = true }
  }

  /// Returns the query with `count` rows at most, without the first `offset`.
  ///
  /// ```swift
  /// Reminder.all().limit(10, offset: 20)
  /// // SELECT * FROM reminders LIMIT 10 OFFSET 20
  /// ```
  public func limit(_ count: Int, offset: Int? = nil) -> Self {
    with { $0.limit = .init(count: count, offset: offset) }
  }

  /// Returns the query with an expression in the place of what it selects.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { $0.id }
  /// // SELECT id FROM reminders WHERE isCompleted
  /// ```
  public func select<Expression: QueryExpression>(
    _ expression: (repeat each Source) -> Expression
  ) -> Select<Expression.Output, repeat each Source> {
    let statement = selecting([expression(repeat each sources)])
    return Select<Expression.Output, repeat each Source>(statement, sources: (repeat each sources)) { row in try row[0] }
  }

  /// Returns the query with these expressions in the place of what it selects.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { ($0.id, $0.title) }
  /// // SELECT id, title FROM reminders WHERE isCompleted
  /// ```
  public func select<each Expression: QueryExpression>(
    _ expressions: (repeat each Source) -> (repeat each Expression)
  ) -> Select<(repeat (each Expression).Output), repeat each Source> {
    var selected: [any QueryExpression] = []
    let expressions = expressions(repeat each sources)
    for expression in repeat each expressions { selected.append(expression) }
    return Select<(repeat (each Expression).Output), repeat each Source>(selecting(selected), sources: (repeat each sources)) { row in
      var place = -1
      func next<Value: QueryOutput>(_ type: Value.Type) throws -> Value {
        place += 1
        return try row[place]
      }
      return (repeat try next((each Expression).Output.self))
    }
  }

  private func selecting(_ expressions: [any QueryExpression]) -> SelectStatement {
    var statement = statement
    statement.result = .expressions(expressions)
    return statement
  }

  private func with(_ change: (inout SelectStatement) -> Void) -> Self {
    var copy = self
    change(&copy.statement)
    return copy
  }
}
