// See Select+Join.swift for the number of overloads.

/// The columns of a source, or of several sources, that a right or full join makes optional.
public protocol SourceColumns: Sendable {
  /// The columns with optional outputs.
  associatedtype Absent: SourceColumns

  /// The columns for a row of the joined table that matches no row of the source.
  var whereAbsent: Absent { get }
}

extension TableColumns: SourceColumns {
  /// The same columns, with optional outputs.
  public var whereAbsent: OptionalTableColumns<Source> { OptionalTableColumns(source: source) }
}

extension OptionalTableColumns: SourceColumns {
  /// The columns themselves.
  public var whereAbsent: Self { self }
}

extension Select {
  /// Returns the query right-joined with another table: all its rows, with NULL for the preceding sources if none of their rows matches.
  ///
  /// ```swift
  /// Reminder.all().rightJoin(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders RIGHT JOIN lists ON (reminders.listID = lists.id)
  /// // returns (String?, String)
  /// ```
  ///
  /// Without a `select`, the results are rows, because there may be no record of the first table. It requires SQLite 3.39; with an older
  /// library, making a statement of the query throws `SQLITE_ERROR`.
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, needed if the table already occurs in it.
  ///   - condition: The condition that joins two rows.
  public func rightJoin<Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (Sources.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (Sources.Absent, TableColumns<Other>)> where Sources: SourceColumns {
    outerJoining(table, alias, .right) { (condition($0.whereAbsent, $1), ($0.whereAbsent, $1)) }
  }

  /// Returns the query full-joined with another table: all rows of both sides, with NULL for a row without a match.
  ///
  /// ```swift
  /// Reminder.all().fullJoin(List.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
  /// // SELECT reminders.title, lists.title FROM reminders FULL JOIN lists ON (reminders.listID = lists.id)
  /// // returns (String?, String?)
  /// ```
  ///
  /// Without a `select`, the results are rows, because there may be no record of the first table. It requires SQLite 3.39; with an older
  /// library, making a statement of the query throws `SQLITE_ERROR`.
  ///
  /// - Parameters:
  ///   - table: The other table.
  ///   - alias: The other table's name within the query, needed if the table already occurs in it.
  ///   - condition: The condition that joins two rows.
  public func fullJoin<Other: Table>(
    _ table: Other.Type, as alias: String? = nil, on condition: (Sources.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (Sources.Absent, OptionalTableColumns<Other>)> where Sources: SourceColumns {
    outerJoining(table, alias, .full) { (condition($0.whereAbsent, $1), ($0.whereAbsent, $1)) }
  }

  /// Returns the query of two sources right-joined with another table.
  public func rightJoin<A: SourceColumns, B: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, TableColumns<Other>)> where Sources == (A, B) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b) = (sources.0.whereAbsent, sources.1.whereAbsent)
      return (condition(a, b, other), (a, b, other))
    }
  }

  /// Returns the query of two sources full-joined with another table.
  public func fullJoin<A: SourceColumns, B: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, OptionalTableColumns<Other>)> where Sources == (A, B) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b) = (sources.0.whereAbsent, sources.1.whereAbsent)
      return (condition(a, b, other), (a, b, other))
    }
  }

  /// Returns the query of three sources right-joined with another table.
  public func rightJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, TableColumns<Other>)> where Sources == (A, B, C) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b, c) = (sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent)
      return (condition(a, b, c, other), (a, b, c, other))
    }
  }

  /// Returns the query of three sources full-joined with another table.
  public func fullJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, OptionalTableColumns<Other>)> where Sources == (A, B, C) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b, c) = (sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent)
      return (condition(a, b, c, other), (a, b, c, other))
    }
  }

  /// Returns the query of four sources right-joined with another table.
  public func rightJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, TableColumns<Other>)> where Sources == (A, B, C, D) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b, c, d) = (sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent)
      return (condition(a, b, c, d, other), (a, b, c, d, other))
    }
  }

  /// Returns the query of four sources full-joined with another table.
  public func fullJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, OptionalTableColumns<Other>)> where Sources == (A, B, C, D) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b, c, d) = (sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent)
      return (condition(a, b, c, d, other), (a, b, c, d, other))
    }
  }

  /// Returns the query of five sources right-joined with another table.
  public func rightJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, TableColumns<Other>)> where Sources == (A, B, C, D, E) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b, c, d, e) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent
      )
      return (condition(a, b, c, d, e, other), (a, b, c, d, e, other))
    }
  }

  /// Returns the query of five sources full-joined with another table.
  public func fullJoin<A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, Other: Table>(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, OptionalTableColumns<Other>)> where Sources == (A, B, C, D, E) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b, c, d, e) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent
      )
      return (condition(a, b, c, d, e, other), (a, b, c, d, e, other))
    }
  }

  /// Returns the query of six sources right-joined with another table.
  public func rightJoin<
    A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, F: SourceColumns, Other: Table
  >(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, TableColumns<Other>)> where Sources == (A, B, C, D, E, F) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b, c, d, e, f) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent,
        sources.5.whereAbsent
      )
      return (condition(a, b, c, d, e, f, other), (a, b, c, d, e, f, other))
    }
  }

  /// Returns the query of six sources full-joined with another table.
  public func fullJoin<
    A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, F: SourceColumns, Other: Table
  >(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, OptionalTableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, OptionalTableColumns<Other>)>
  where Sources == (A, B, C, D, E, F) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b, c, d, e, f) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent,
        sources.5.whereAbsent
      )
      return (condition(a, b, c, d, e, f, other), (a, b, c, d, e, f, other))
    }
  }

  /// Returns the query of seven sources right-joined with another table.
  public func rightJoin<
    A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, F: SourceColumns, G: SourceColumns,
    Other: Table
  >(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, G.Absent, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, G.Absent, TableColumns<Other>)>
  where Sources == (A, B, C, D, E, F, G) {
    outerJoining(table, alias, .right) { sources, other in
      let (a, b, c, d, e, f, g) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent,
        sources.5.whereAbsent, sources.6.whereAbsent
      )
      return (condition(a, b, c, d, e, f, g, other), (a, b, c, d, e, f, g, other))
    }
  }

  /// Returns the query of seven sources full-joined with another table.
  public func fullJoin<
    A: SourceColumns, B: SourceColumns, C: SourceColumns, D: SourceColumns, E: SourceColumns, F: SourceColumns, G: SourceColumns,
    Other: Table
  >(
    _ table: Other.Type, as alias: String? = nil,
    on condition: (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, G.Absent, OptionalTableColumns<Other>) ->
      some QueryExpression<Bool>
  ) -> Select<Row, (A.Absent, B.Absent, C.Absent, D.Absent, E.Absent, F.Absent, G.Absent, OptionalTableColumns<Other>)>
  where Sources == (A, B, C, D, E, F, G) {
    outerJoining(table, alias, .full) { sources, other in
      let (a, b, c, d, e, f, g) = (
        sources.0.whereAbsent, sources.1.whereAbsent, sources.2.whereAbsent, sources.3.whereAbsent, sources.4.whereAbsent,
        sources.5.whereAbsent, sources.6.whereAbsent
      )
      return (condition(a, b, c, d, e, f, g, other), (a, b, c, d, e, f, g, other))
    }
  }

  private func outerJoining<Columns: JoinedColumns, Joined>(
    _ table: any Table.Type, _ alias: String?, _ join: SelectStatement.Source.Join,
    _ body: (Sources, Columns) -> (condition: any QueryExpression<Bool>, sources: Joined)
  ) -> Select<Row, Joined> {
    let joined = joining(table, alias, join, body)
    var statement = joined.statement
    if case .firstSource = statement.result { statement.result = .everything }
    return Select<Row, Joined>(statement, sources: joined.sources) { row, _ in try row.copy() }
  }
}
