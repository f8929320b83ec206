extension Select {
  /// Returns the query restricted to rows that also match this predicate.
  ///
  /// ```swift
  /// Reminder.all().where { !$0.isCompleted }.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))
  /// ```
  public func `where`(_ predicate: (Sources) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(sources)
    return changingCore { $0.predicates.append(predicate) }
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

  /// Returns the query ordered by its existing keys and then by this key.
  ///
  /// ```swift
  /// Reminder.all().order { $0.title.collate(.nocase) }
  /// // SELECT * FROM reminders ORDER BY title COLLATE NOCASE
  /// ```
  // For a call on a subquery, whose type the compiler cannot infer for a tuple; disfavored for the same reason as Table's function.
  @_disfavoredOverload
  public func order<Key: OrderingTerm>(_ key: (Sources) -> Key) -> Self {
    ordered(by: key)
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

  /// Returns the query with one row for each group of rows with equal values of this expression.
  ///
  /// ```swift
  /// Reminder.select { $0.id.count() }.group { $0.title.collate(.nocase) }
  /// // SELECT count(id) FROM reminders GROUP BY title COLLATE NOCASE
  /// ```
  // For the same reason as the key of an order.
  @_disfavoredOverload
  public func group<Expression: QueryExpression>(_ expression: (Sources) -> Expression) -> Self {
    grouped(by: expression)
  }

  /// Returns the query restricted to groups that match a predicate.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.group { $0.priority }.having { $0.id.count() > 1 }
  /// // SELECT priority FROM reminders GROUP BY priority HAVING (count(id) > 1)
  /// ```
  public func having(_ predicate: (Sources) -> some QueryExpression<Bool>) -> Self {
    let predicate = predicate(sources)
    return changingCore { $0.groupPredicates.append(predicate) }
  }

  /// Returns the query without duplicate rows.
  ///
  /// ```swift
  /// Reminder.select { $0.priority }.distinct()
  /// // SELECT DISTINCT priority FROM reminders
  /// ```
  public func distinct() -> Self {
    changingCore { $0.isDistinct = true }
  }

  /// Returns the query with at most `count` rows after the first `offset` rows; nil for all rows.
  ///
  /// ```swift
  /// Reminder.all().limit(10, offset: 20)
  /// // SELECT * FROM reminders LIMIT 10 OFFSET 20
  /// Reminder.all().limit(nil, offset: 20)
  /// // SELECT * FROM reminders LIMIT -1 OFFSET 20
  /// ```
  public func limit(_ count: Int?, offset: Int? = nil) -> Self {
    // A negative limit is none, and SQL has no OFFSET without a LIMIT.
    changing { $0.limit = count == nil && offset == nil ? nil : .init(count: count ?? -1, offset: offset) }
  }

  /// Returns the query that selects an expression, or a source as a record, instead.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { $0.id }
  /// // SELECT id FROM reminders WHERE isCompleted
  /// ```
  // Disfavored for the same reason as Table's function.
  @_disfavoredOverload
  public func select<Term: SelectTerm>(_ term: (Sources) -> Term) -> Select<Term.Output, Sources> {
    selecting(term)
  }

  /// Returns the query that selects these expressions, or sources as records, instead.
  ///
  /// ```swift
  /// Reminder.where { $0.isCompleted }.select { ($0.id, $0.title) }
  /// // SELECT id, title FROM reminders WHERE isCompleted
  /// Reminder.all().join(List.self) { $0.listID == $1.id }.select { ($0, $1) }
  /// // SELECT reminders.*, lists.* FROM reminders JOIN lists ON (reminders.listID = lists.id)
  /// ```
  public func select<Term: SelectTerm, each Further: SelectTerm>(
    _ terms: (Sources) -> (Term, repeat each Further)
  ) -> Select<(Term.Output, repeat (each Further).Output), Sources> {
    selecting(terms)
  }

  func changing(_ change: (inout SelectStatement) -> Void) -> Self {
    var copy = self
    change(&copy.statement)
    return copy
  }

  /// Returns the query with a clause changed that belongs to a single SELECT.
  private func changingCore(_ change: (inout SelectStatement) -> Void) -> Self {
    changing { statement in
      statement = statement.core
      change(&statement)
    }
  }
}

// The implementation of the clauses above, after the compiler has seen a first term. If a lone pack were public, a closure that returns
// anything else would be accepted as one that returns no term.
extension Select {
  func ordered<each Key: OrderingTerm>(by keys: (Sources) -> (repeat each Key)) -> Self {
    let keys = keys(sources)
    return changing { statement in
      for key in repeat each keys { statement.orders.append(key.ordering) }
    }
  }

  private func grouped<each Expression: QueryExpression>(by expressions: (Sources) -> (repeat each Expression)) -> Self {
    let expressions = expressions(sources)
    return changingCore { statement in
      for expression in repeat each expressions { statement.groups.append(expression) }
    }
  }

  private func selecting<each Term: SelectTerm>(
    _ terms: (Sources) -> (repeat each Term)
  ) -> Select<(repeat (each Term).Output), Sources> {
    let terms = terms(sources)
    var selected: [Selection] = []
    for term in repeat each terms { selected.append(term.selectTerm) }
    var statement = statement.core
    statement.result = .terms(selected)
    return Select<(repeat (each Term).Output), Sources>(statement, sources: sources) { row, starts in
      var index = -1
      func next<Next: SelectTerm>(_ type: Next.Type) throws -> Next.Output {
        index += 1
        return try Next.selected(from: row, at: starts[index]..<starts[index + 1])
      }
      return (repeat try next((each Term).self))
    }
  }
}
