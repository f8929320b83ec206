/// A typed UPDATE, whose values may be made of what the rows have.
///
/// ```swift
/// Reminder.update { $0.priority = 3 }.where { $0.title == "Call" }
/// // UPDATE reminders SET priority = 3 WHERE (title = 'Call')
/// ```
///
/// A column takes a value of its own type, and NULL only where it is optional, or an expression of that type over the row as it was, whose
/// columns are the closure's second argument: `{ $0.title = $1.title.upper() }`.
public typealias Update<Source: Table> = NarrowedWrite<Source>

/// A typed DELETE.
///
/// ```swift
/// Reminder.delete().where { $0.isCompleted }
/// // DELETE FROM reminders WHERE isCompleted
/// ```
public typealias Delete<Source: Table> = NarrowedWrite<Source>

/// A typed UPDATE or DELETE, of all rows until a predicate narrows them: an inert value that renders to SQL.
public struct NarrowedWrite<Source: Table>: Sendable {
  var statement: WriteStatement

  /// Returns the statement with only the rows for which a predicate holds besides those that it has already.
  ///
  /// ```swift
  /// Reminder.update { $0.isCompleted = true }.where { $0.priority == 3 }.where { !$0.isCompleted }
  /// // UPDATE reminders SET isCompleted = 1 WHERE ((priority = 3) AND NOT (isCompleted))
  /// Reminder.delete().where { $0.isCompleted }.where { $0.priority == nil }
  /// // DELETE FROM reminders WHERE (isCompleted AND (priority IS NULL))
  /// ```
  public func `where`(_ predicate: (TableColumns<Source>) -> some QueryExpression<Bool>) -> Self {
    var copy = self
    copy.statement.predicates.append(predicate(TableColumns(name: Source.tableName)))
    return copy
  }

  /// The statement to run: its text, and the values to bind.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }.sqlText.sql  // UPDATE reminders SET priority = ?
  /// Reminder.delete().where { $0.id == 3 }.sqlText.sql  // DELETE FROM reminders WHERE (id = ?)
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The statement with literals in the place of its values, to be read.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }.queryString  // UPDATE reminders SET priority = 3
  /// Reminder.delete().where { $0.id == 3 }.queryString  // DELETE FROM reminders WHERE (id = 3)
  /// ```
  public var queryString: String { sqlText.queryString }

  /// Runs the statement, and returns the number of rows that it has changed or deleted.
  ///
  /// ```swift
  /// try Reminder.update { $0.priority = nil }.where { $0.isCompleted }.execute(db)
  /// // UPDATE reminders SET priority = NULL WHERE isCompleted
  /// let count = try Reminder.delete().where { $0.isCompleted }.execute(db)
  /// // DELETE FROM reminders WHERE isCompleted
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  @discardableResult
  public func execute(_ db: Database) throws -> Int {
    try db.execute(literal: sqlText)
    return db.changesCount
  }
}

extension Table {
  /// Returns a statement that gives columns of all rows other values.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }
  /// // UPDATE reminders SET priority = 3
  /// ```
  public static func update(_ changes: (inout UpdatedColumns<Self>) -> Void) -> Update<Self> {
    update { columns, _ in changes(&columns) }
  }

  /// Returns a statement that gives columns of all rows values that are made of what the rows have.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = $1.priority + 1 }
  /// // UPDATE reminders SET priority = (priority + 1)
  /// ```
  public static func update(_ changes: (inout UpdatedColumns<Self>, TableColumns<Self>) -> Void) -> Update<Self> {
    var columns = UpdatedColumns<Self>(statement: WriteStatement(verb: .update, table: tableName))
    changes(&columns, TableColumns(name: tableName))
    return Update(statement: columns.statement)
  }

  /// Returns a statement that deletes all rows, until a predicate narrows them.
  ///
  /// ```swift
  /// Reminder.delete()
  /// // DELETE FROM reminders
  /// ```
  public static func delete() -> Delete<Self> {
    Delete(statement: WriteStatement(verb: .delete, table: tableName))
  }
}

/// The columns of a table as an UPDATE gives them values; the row as it was is read by ``TableColumns``.
@dynamicMemberLookup
public struct UpdatedColumns<Source: Table> {
  var statement: WriteStatement

  /// Gives a column a value.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }
  /// // UPDATE reminders SET priority = 3
  /// ```
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Output {
    @available(*, unavailable) get { unreadable() }
    set { statement.assign(BoundValue(newValue), to: Source.columns[keyPath: keyPath].name) }
  }

  /// Gives a column what an expression yields for the row as it was.
  ///
  /// ```swift
  /// Reminder.update { $0.title = $1.title + "!" }
  /// // UPDATE reminders SET title = (title || '!')
  /// ```
  @_disfavoredOverload
  public subscript<Output>(
    dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>
  ) -> any QueryExpression<Output.QueryValue> {
    @available(*, unavailable) get { unreadable() }
    set { statement.assign(newValue, to: Source.columns[keyPath: keyPath].name) }
  }
}

/// Stands where Swift wants a getter that the compiler lets nobody call.
func unreadable() -> Never {
  fatalError("a column has no value before its statement has run")
}
