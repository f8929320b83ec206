extension Select {
  /// Returns the query with each row beside every row of another table for which a condition holds.
  ///
  /// ```swift
  /// Reminder.all().join(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders JOIN lists ON (reminders.listID = lists.id)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, where it is there already.
  ///   - condition: Which rows belong together.
  public func join<Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (repeat each Source, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Output, repeat each Source, TableColumns<Other>> {
    let columns = TableColumns<Other>(name: alias ?? Other.tableName)
    let statement = joining(Other.tableName, as: columns.name, .inner)
    return Select<Output, repeat each Source, TableColumns<Other>>(statement, sources: (repeat each sources, columns), decode: decode)
      .joined(on: condition)
  }

  /// Returns the query with each row beside every row of another table for which a condition holds, or beside NULL where there is none.
  ///
  /// ```swift
  /// Reminder.all().leftJoin(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders LEFT JOIN lists ON (reminders.listID = lists.id)
  /// // yields (String, String?)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, where it is there already.
  ///   - condition: Which rows belong together.
  public func leftJoin<Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (repeat each Source, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Output, repeat each Source, OptionalTableColumns<Other>> {
    let columns = OptionalTableColumns<Other>(name: alias ?? Other.tableName)
    let statement = joining(Other.tableName, as: columns.name, .left)
    return Select<Output, repeat each Source, OptionalTableColumns<Other>>(
      statement, sources: (repeat each sources, columns), decode: decode
    ).joined(on: condition)
  }

  private func joining(_ table: String, as name: String, _ join: SelectStatement.Source.Join) -> SelectStatement {
    var statement = statement
    statement.sources.append(.init(table: table, name: name, join: join))
    return statement
  }

  /// Sets the condition of the last source: here it is one of `Source`, so that the whole pack can be handed on.
  private func joined(on condition: (repeat each Source) -> some QueryExpression<Bool>) -> Self {
    var copy = self
    copy.statement.sources[copy.statement.sources.count - 1].condition = condition(repeat each sources)
    return copy
  }
}

extension Select {
  /// Returns whether the query yields any row, as an expression of another.
  ///
  /// ```swift
  /// List.where { list in Reminder.where { $0.listID == list.id }.exists() }
  /// // SELECT * FROM lists WHERE EXISTS (SELECT * FROM reminders WHERE (listID = lists.id))
  /// ```
  public func exists() -> Existence {
    Existence(query: statement)
  }
}
