extension Select {
  /// Returns the query restricted to rows that also match this predicate.
  ///
  /// ```swift
  /// Reminder.all().where { !$0.isCompleted }.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))
  /// ```
  public func `where`(_ predicate: (Sources) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(sources)
    return with { $0.predicates.append(predicate) }
  }

  /// Returns the query ordered by its existing keys and then by these keys.
  ///
  /// ```swift
  /// Reminder.all().order { ($0.priority.desc(), $0.title.collate(.nocase).asc()) }
  /// // SELECT * FROM reminders ORDER BY priority DESC, title COLLATE NOCASE ASC
  /// ```
  public func order<Key: OrderingTerm, each Further: OrderingTerm>(
    _ keys: (Sources) -> (Key, repeat each Further)
  ) -> Self {
    ordered(by: keys)
  }

  /// Returns the query with one row for each group of rows with equal values of these expressions.
  ///
  /// ```swift
  /// Reminder.select { ($0.priority, $0.id.count()) }.group { $0.priority }
  /// // SELECT priority, count(id) FROM reminders GROUP BY priority
  /// ```
  public func group<Expression: QueryExpression, each Further: QueryExpression>(
    _ expressions: (Sources) -> (Expression, repeat each Further)
  ) -> Self {
    grouped(by: expressions)
  }

  /// Returns the query restricted to groups that match a predicate.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.group { $0.priority }.having { $0.id.count() > 1 }
  /// // SELECT priority FROM reminders GROUP BY priority HAVING (count(id) > 1)
  /// ```
  public func having(_ predicate: (Sources) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(sources)
    return with { $0.groupPredicates.append(predicate) }
  }

  /// Returns the query without duplicate rows.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.distinct()
  /// // SELECT DISTINCT priority FROM reminders
  /// ```
  public func distinct() -> Self {
    with { $0.isDistinct = true }
  }

  /// Returns the query with at most `count` rows after the first `offset` rows.
  ///
  /// ```swift
  /// Reminder.all().limit(10, offset: 20)
  /// // SELECT * FROM reminders LIMIT 10 OFFSET 20
  /// ```
  public func limit(_ count: Int, offset: Int? = nil) -> Self {
    with { $0.limit = .init(count: count, offset: offset) }
  }

  /// Returns the query that selects an expression instead.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { $0.id }
  /// // SELECT id FROM reminders WHERE isCompleted
  /// ```
  // Disfavored for the same reason as Table's function.
  @_disfavoredOverload
  public func select<Expression: QueryExpression>(_ expression: (Sources) -> Expression) -> Select<Expression.Output, Sources> {
    selecting(expression)
  }

  /// Returns the query that selects these expressions instead.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { ($0.id, $0.title) }
  /// // SELECT id, title FROM reminders WHERE isCompleted
  /// ```
  public func select<Expression: QueryExpression, each Further: QueryExpression>(
    _ expressions: (Sources) -> (Expression, repeat each Further)
  ) -> Select<(Expression.Output, repeat (each Further).Output), Sources> {
    selecting(expressions)
  }

  private func with(_ change: (inout SelectStatement) -> Void) -> Self {
    var copy = self
    change(&copy.statement)
    return copy
  }
}

// The implementation of the clauses above, after the compiler has seen a first term. If a lone pack were public, a closure that returns
// anything else would be accepted as one that returns no term.
extension Select {
  private func ordered<each Key: OrderingTerm>(by keys: (Sources) -> (repeat each Key)) -> Self {
    let keys = keys(sources)
    return with { statement in
      for key in repeat each keys { statement.orders.append(key.ordering) }
    }
  }

  private func grouped<each Expression: QueryExpression>(by expressions: (Sources) -> (repeat each Expression)) -> Self {
    let expressions = expressions(sources)
    return with { statement in
      for expression in repeat each expressions { statement.groups.append(expression) }
    }
  }

  private func selecting<each Expression: QueryExpression>(
    _ expressions: (Sources) -> (repeat each Expression)
  ) -> Select<(repeat (each Expression).Output), Sources> {
    let expressions = expressions(sources)
    var selected: [any QueryExpression] = []
    for expression in repeat each expressions { selected.append(expression) }
    var statement = statement
    statement.result = .expressions(selected)
    return Select<(repeat (each Expression).Output), Sources>(
      statement, sources: sources
    ) { row in
      var position = -1
      func next<Value: QueryOutput>(_ type: Value.Type) throws -> Value {
        position += 1
        return try row[position]
      }
      return (repeat try next((each Expression).Output.self))
    }
  }
}
