/// A typed DELETE: an inert value that renders to SQL.
///
/// ```swift
/// Reminder.delete().where { $0.isCompleted }
/// // DELETE FROM reminders WHERE isCompleted
/// ```
public struct Delete<Source: Table>: Sendable {
  var statement: WriteStatement

  /// Returns the statement with only the rows for which a predicate holds besides those that it has already.
  ///
  /// ```swift
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
  /// Reminder.delete().where { $0.id == 3 }.sqlText.sql  // DELETE FROM reminders WHERE (id = ?)
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The statement with literals in the place of its values, to be read.
  ///
  /// ```swift
  /// Reminder.delete().where { $0.id == 3 }.queryString  // DELETE FROM reminders WHERE (id = 3)
  /// ```
  public var queryString: String { sqlText.queryString }

  /// Runs the statement, and returns the number of rows that it has deleted.
  ///
  /// ```swift
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
