/// A typed UPDATE, whose values may be expressions over the rows.
///
/// ```swift
/// Reminder.update { $0.priority = 3 }.where { $0.title == "Call" }
/// // UPDATE reminders SET priority = 3 WHERE (title = 'Call')
/// ```
///
/// A column accepts a value of its own type, NULL if it is optional, or an expression of that type over the row before the update. The
/// columns of that row are the closure's second argument: `{ $0.title = $1.title.upper() }`.
public typealias Update<Source: Table> = NarrowedWrite<Source>

/// A typed DELETE.
///
/// ```swift
/// Reminder.delete().where { $0.isCompleted }
/// // DELETE FROM reminders WHERE isCompleted
/// ```
public typealias Delete<Source: Table> = NarrowedWrite<Source>

/// A typed UPDATE or DELETE of all rows, or of the rows that match a predicate; a value that renders to SQL.
public struct NarrowedWrite<Source: Table>: Sendable {
  var statement: WriteStatement

  /// Returns the statement restricted to rows that also match this predicate.
  ///
  /// ```swift
  /// Reminder.update { $0.isCompleted = true }.where { $0.priority == 3 }.where { !$0.isCompleted }
  /// // UPDATE reminders SET isCompleted = 1 WHERE ((priority = 3) AND NOT (isCompleted))
  /// Reminder.delete().where { $0.isCompleted }.where { $0.priority == nil }
  /// // DELETE FROM reminders WHERE (isCompleted AND (priority IS NULL))
  /// ```
  public func `where`(_ predicate: (TableColumns<Source>) -> some QueryExpression<Bool>) -> Self {
    var copy = self
    copy.statement.predicates.append(predicate(TableColumns(source: statement.source)))
    return copy
  }

  /// The SQL of the statement, with the values to bind.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }.sqlText.sql  // UPDATE reminders SET priority = ?
  /// Reminder.delete().where { $0.id == 3 }.sqlText.sql  // DELETE FROM reminders WHERE (id = ?)
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The SQL with literals instead of bound values, for display.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }.queryString  // UPDATE reminders SET priority = 3
  /// Reminder.delete().where { $0.id == 3 }.queryString  // DELETE FROM reminders WHERE (id = 3)
  /// ```
  public var queryString: String { sqlText.queryString }

  /// Runs the statement and returns the number of changed or deleted rows.
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
  /// Returns a statement that sets columns of all rows to values.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }
  /// // UPDATE reminders SET priority = 3
  /// Reminder.update { $0.priority += 1 }
  /// // UPDATE reminders SET priority = (priority + 1)
  /// ```
  public static func update(_ changes: (inout UpdatedColumns<Self>) -> Void) -> Update<Self> {
    update { columns, _ in changes(&columns) }
  }

  /// Returns a statement that sets columns of all rows to expressions over the rows.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = $1.priority + 1 }
  /// // UPDATE reminders SET priority = (priority + 1)
  /// ```
  public static func update(_ changes: (inout UpdatedColumns<Self>, TableColumns<Self>) -> Void) -> Update<Self> {
    let statement = WriteStatement(verb: .update, table: tableName)
    var columns = UpdatedColumns<Self>(draft: UpdateDraft(statement))
    changes(&columns, TableColumns(source: statement.source))
    return Update(statement: columns.draft.statement)
  }

  /// Returns a statement that deletes all rows, or those of a later `where`.
  ///
  /// ```swift
  /// Reminder.delete()
  /// // DELETE FROM reminders
  /// ```
  public static func delete() -> Delete<Self> {
    Delete(statement: WriteStatement(verb: .delete, table: tableName))
  }
}
