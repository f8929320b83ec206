// A join has an overload for each number of preceding sources, up to eight in all. With a parameter pack, the compiler could not determine
// the sources of a chain before it has tried every interpretation. A query of more tables reads from a view, or is written as SQL.

extension Select {
  /// Returns the query joined with the rows of another table that match a condition.
  ///
  /// ```swift
  /// Reminder.all().join(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders JOIN lists ON (reminders.listID = lists.id)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, needed if the table already occurs in it.
  ///   - condition: The condition that joins two rows.
  public func join<Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (Sources, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (Sources, TableColumns<Other>)> {
    joining(table, alias, .inner) { (condition($0, $1), ($0, $1)) }
  }

  /// Returns the query left-joined with the rows of another table that match a condition; NULL if no row matches.
  ///
  /// ```swift
  /// Reminder.all().leftJoin(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders LEFT JOIN lists ON (reminders.listID = lists.id)
  /// // returns (String, String?)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, needed if the table already occurs in it.
  ///   - condition: The condition that joins two rows.
  public func leftJoin<Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (Sources, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (Sources, OptionalTableColumns<Other>)> {
    joining(table, alias, .left) { (condition($0, $1), ($0, $1)) }
  }

  /// Returns the query of two sources with another table joined.
  public func join<A, B, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, TableColumns<Other>)> where Sources == (A, B) {
    joining(table, alias, .inner) { (condition($0.0, $0.1, $1), ($0.0, $0.1, $1)) }
  }

  /// Returns the query of two sources with another table left-joined.
  public func leftJoin<A, B, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, OptionalTableColumns<Other>)> where Sources == (A, B) {
    joining(table, alias, .left) { (condition($0.0, $0.1, $1), ($0.0, $0.1, $1)) }
  }

  /// Returns the query of three sources with another table joined.
  public func join<A, B, C, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, TableColumns<Other>)> where Sources == (A, B, C) {
    joining(table, alias, .inner) { (condition($0.0, $0.1, $0.2, $1), ($0.0, $0.1, $0.2, $1)) }
  }

  /// Returns the query of three sources with another table left-joined.
  public func leftJoin<A, B, C, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, OptionalTableColumns<Other>)> where Sources == (A, B, C) {
    joining(table, alias, .left) { (condition($0.0, $0.1, $0.2, $1), ($0.0, $0.1, $0.2, $1)) }
  }

  /// Returns the query of four sources with another table joined.
  public func join<A, B, C, D, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, TableColumns<Other>)> where Sources == (A, B, C, D) {
    joining(table, alias, .inner) { (condition($0.0, $0.1, $0.2, $0.3, $1), ($0.0, $0.1, $0.2, $0.3, $1)) }
  }

  /// Returns the query of four sources with another table left-joined.
  public func leftJoin<A, B, C, D, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, OptionalTableColumns<Other>)> where Sources == (A, B, C, D) {
    joining(table, alias, .left) { (condition($0.0, $0.1, $0.2, $0.3, $1), ($0.0, $0.1, $0.2, $0.3, $1)) }
  }

  /// Returns the query of five sources with another table joined.
  public func join<A, B, C, D, E, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, E, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, TableColumns<Other>)> where Sources == (A, B, C, D, E) {
    joining(table, alias, .inner) { (condition($0.0, $0.1, $0.2, $0.3, $0.4, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $1)) }
  }

  /// Returns the query of five sources with another table left-joined.
  public func leftJoin<A, B, C, D, E, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, E, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, OptionalTableColumns<Other>)> where Sources == (A, B, C, D, E) {
    joining(table, alias, .left) { (condition($0.0, $0.1, $0.2, $0.3, $0.4, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $1)) }
  }

  /// Returns the query of six sources with another table joined.
  public func join<A, B, C, D, E, F, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, E, F, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, F, TableColumns<Other>)> where Sources == (A, B, C, D, E, F) {
    joining(table, alias, .inner) { (condition($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $1)) }
  }

  /// Returns the query of six sources with another table left-joined.
  public func leftJoin<A, B, C, D, E, F, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A, B, C, D, E, F, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, F, OptionalTableColumns<Other>)> where Sources == (A, B, C, D, E, F) {
    joining(table, alias, .left) { (condition($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $1)) }
  }

  /// Returns the query of seven sources with another table joined.
  public func join<A, B, C, D, E, F, G, Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (A, B, C, D, E, F, G, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, F, G, TableColumns<Other>)> where Sources == (A, B, C, D, E, F, G) {
    joining(table, alias, .inner) {
      (condition($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $1))
    }
  }

  /// Returns the query of seven sources with another table left-joined.
  public func leftJoin<A, B, C, D, E, F, G, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A, B, C, D, E, F, G, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Element, (A, B, C, D, E, F, G, OptionalTableColumns<Other>)> where Sources == (A, B, C, D, E, F, G) {
    joining(table, alias, .left) {
      (condition($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $1), ($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $1))
    }
  }

  func joining<Columns: JoinedColumns, Joined>(
    _ table: any Table.Type, _ alias: String?, _ join: SelectStatement.Source.Join,
    _ body: (Sources, Columns) -> (condition: any QueryExpression<Bool>, sources: Joined)
  ) -> Select<Element, Joined> {
    let source = VisibleSource(name: alias ?? table.tableName, id: SourceID())
    let (condition, sources) = body(sources, Columns(source: source))
    var statement = statement.core
    statement.sources.append(.init(origin: .table(table.tableName), shown: source, join: join, condition: condition))
    return Select<Element, Joined>(statement, sources: sources, decode: decode)
  }
}

/// The columns that a join passes to later closures for the table that it adds.
protocol JoinedColumns: Sendable {
  init(source: VisibleSource)
}

extension TableColumns: JoinedColumns {}
extension OptionalTableColumns: JoinedColumns {}
