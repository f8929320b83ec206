/// The sources of a query that combines the rows of several queries, as `union` does.
///
/// ```swift
/// Reminder.select { $0.title }.union(List.select { $0.title }).order { $0.title }
/// // SELECT title FROM reminders UNION SELECT title FROM lists ORDER BY title
/// ```
///
/// Only `order` can use their columns, and only the ones that the first query selects. Filter and group each query before it is combined.
public struct Compound<Sources: Sendable>: Sendable {
  let first: Sources
}

// Each function has an overload for a combination, so that a chain keeps the sources of its first query.
extension Select {
  /// Returns a query of the rows of this query or of another, without duplicates: UNION.
  ///
  /// ```swift
  /// Reminder.select { $0.title }.union(List.select { $0.title })
  /// // SELECT title FROM reminders UNION SELECT title FROM lists
  /// ```
  ///
  /// The columns of both queries have the same types.
  public func union<Other>(_ other: Select<Element, Other>) -> Select<Element, Compound<Sources>> {
    combined(.union, with: other)
  }

  /// Returns a query of the rows of this query or of another, without duplicates.
  public func union<First, Other>(_ other: Select<Element, Other>) -> Self where Sources == Compound<First> {
    changing { $0 = $0.combined(.union, with: other.statement) }
  }

  /// Returns a query of the rows of this query and then those of another, with duplicates: UNION ALL.
  ///
  /// ```swift
  /// Reminder.select { $0.title }.unionAll(List.select { $0.title })
  /// // SELECT title FROM reminders UNION ALL SELECT title FROM lists
  /// ```
  ///
  /// The columns of both queries have the same types.
  public func unionAll<Other>(_ other: Select<Element, Other>) -> Select<Element, Compound<Sources>> {
    combined(.unionAll, with: other)
  }

  /// Returns a query of the rows of this query and then those of another, with duplicates.
  public func unionAll<First, Other>(_ other: Select<Element, Other>) -> Self where Sources == Compound<First> {
    changing { $0 = $0.combined(.unionAll, with: other.statement) }
  }

  /// Returns a query of the rows that both this query and another return, without duplicates: INTERSECT.
  ///
  /// ```swift
  /// Reminder.select { $0.title }.intersect(List.select { $0.title })
  /// // SELECT title FROM reminders INTERSECT SELECT title FROM lists
  /// ```
  ///
  /// The columns of both queries have the same types.
  public func intersect<Other>(_ other: Select<Element, Other>) -> Select<Element, Compound<Sources>> {
    combined(.intersect, with: other)
  }

  /// Returns a query of the rows that both this query and another return, without duplicates.
  public func intersect<First, Other>(_ other: Select<Element, Other>) -> Self where Sources == Compound<First> {
    changing { $0 = $0.combined(.intersect, with: other.statement) }
  }

  /// Returns a query of the rows of this query that another does not return, without duplicates: EXCEPT.
  ///
  /// ```swift
  /// Reminder.select { $0.title }.except(List.select { $0.title })
  /// // SELECT title FROM reminders EXCEPT SELECT title FROM lists
  /// ```
  ///
  /// The columns of both queries have the same types.
  public func except<Other>(_ other: Select<Element, Other>) -> Select<Element, Compound<Sources>> {
    combined(.except, with: other)
  }

  /// Returns a query of the rows of this query that another does not return, without duplicates.
  public func except<First, Other>(_ other: Select<Element, Other>) -> Self where Sources == Compound<First> {
    changing { $0 = $0.combined(.except, with: other.statement) }
  }

  /// Returns the query of combined rows, ordered by columns that its first query selects.
  ///
  /// ```swift
  /// Reminder.select { $0.title }.union(List.select { $0.title }).order { $0.title.desc() }
  /// // SELECT title FROM reminders UNION SELECT title FROM lists ORDER BY title DESC
  /// ```
  ///
  /// SQLite refuses other expressions when the query is run.
  public func order<First, Key: OrderingTerm, each Further: OrderingTerm>(
    _ keys: (First) -> (Key, repeat each Further)
  ) -> Self where Sources == Compound<First> {
    ordered { keys($0.first) }
  }

  private func combined<Other>(
    _ symbol: SelectStatement.Combination.Operator, with other: Select<Element, Other>
  ) -> Select<Element, Compound<Sources>> {
    Select<Element, Compound<Sources>>(
      statement.combined(symbol, with: other.statement), sources: Compound(first: sources), decode: decode)
  }
}
