/// The response of an authorizer to an ``AuthorizationRequest``.
public enum Authorization: Hashable, Sendable {
  /// Allows the action.
  case allow
  /// Compiles the statement without the action: a column that it reads is NULL, and a change is not made.
  ///
  /// The corresponding C code is `SQLITE_IGNORE`.
  case ignore
  /// Rejects the statement with the error `SQLITE_AUTH`.
  ///
  /// The corresponding C code is `SQLITE_DENY`.
  case deny
}

/// An action of a statement, for which SQLite requests authorization while it compiles the SQL.
///
/// ```swift
/// try db.setAuthorizer { request in
///   request.action == .read && request.second == "salary" ? .ignore : .allow
/// }
/// ```
///
/// The meaning of ``first`` and ``second`` depends on the action; see <https://www.sqlite.org/c3ref/c_alter_table.html>.
public struct AuthorizationRequest: Hashable, Sendable {
  /// The requested action.
  public let action: Action
  /// The object of the action: the name of a table for most actions, of a pragma, or of the file for ATTACH; nil if the action has none.
  public let first: String?
  /// A detail of the action: a column's name, the table of an index, the value of a pragma, the name of a function.
  ///
  /// Nil if the action has no detail.
  public let second: String?
  /// The name of the database, such as `main`; nil if the action has no database.
  public let database: String?
  /// The innermost trigger or view responsible for the action; nil if the statement itself is.
  public let source: String?
}

extension AuthorizationRequest {
  /// A kind of action, with SQLite's number.
  public struct Action: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: Int32

    /// Creates an action from SQLite's number.
    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// CREATE INDEX: index, table.
    public static let createIndex = Action(rawValue: 1)
    /// CREATE TABLE: table.
    public static let createTable = Action(rawValue: 2)
    /// CREATE INDEX on a temporary table: index, table.
    public static let createTemporaryIndex = Action(rawValue: 3)
    /// CREATE TEMP TABLE: table.
    public static let createTemporaryTable = Action(rawValue: 4)
    /// CREATE TEMP TRIGGER: trigger, table.
    public static let createTemporaryTrigger = Action(rawValue: 5)
    /// CREATE TEMP VIEW: view.
    public static let createTemporaryView = Action(rawValue: 6)
    /// CREATE TRIGGER: trigger, table.
    public static let createTrigger = Action(rawValue: 7)
    /// CREATE VIEW: view.
    public static let createView = Action(rawValue: 8)
    /// DELETE: table.
    public static let delete = Action(rawValue: 9)
    /// DROP INDEX: index, table.
    public static let dropIndex = Action(rawValue: 10)
    /// DROP TABLE: table.
    public static let dropTable = Action(rawValue: 11)
    /// DROP INDEX on a temporary table: index, table.
    public static let dropTemporaryIndex = Action(rawValue: 12)
    /// DROP TABLE of a temporary table: table.
    public static let dropTemporaryTable = Action(rawValue: 13)
    /// DROP TRIGGER of a temporary trigger: trigger, table.
    public static let dropTemporaryTrigger = Action(rawValue: 14)
    /// DROP VIEW of a temporary view: view.
    public static let dropTemporaryView = Action(rawValue: 15)
    /// DROP TRIGGER: trigger, table.
    public static let dropTrigger = Action(rawValue: 16)
    /// DROP VIEW: view.
    public static let dropView = Action(rawValue: 17)
    /// INSERT: table.
    public static let insert = Action(rawValue: 18)
    /// PRAGMA: its name, and its value if any.
    public static let pragma = Action(rawValue: 19)
    /// Reading a column: table, column; the column is empty if no column of the table is read.
    public static let read = Action(rawValue: 20)
    /// SELECT.
    public static let select = Action(rawValue: 21)
    /// BEGIN, COMMIT or ROLLBACK, which is `first`.
    public static let transaction = Action(rawValue: 22)
    /// UPDATE of a column: table, column.
    public static let update = Action(rawValue: 23)
    /// ATTACH: the file.
    public static let attach = Action(rawValue: 24)
    /// DETACH: the database.
    public static let detach = Action(rawValue: 25)
    /// ALTER TABLE: database, table.
    public static let alterTable = Action(rawValue: 26)
    /// REINDEX: index.
    public static let reindex = Action(rawValue: 27)
    /// ANALYZE: table.
    public static let analyze = Action(rawValue: 28)
    /// CREATE VIRTUAL TABLE: table, module.
    public static let createVirtualTable = Action(rawValue: 29)
    /// DROP TABLE of a virtual table: table, module.
    public static let dropVirtualTable = Action(rawValue: 30)
    /// A function call: its name is `second`.
    public static let function = Action(rawValue: 31)
    /// SAVEPOINT, RELEASE or ROLLBACK TO, which is `first`; the name is `second`.
    public static let savepoint = Action(rawValue: 32)
    /// A recursive common table expression.
    public static let recursive = Action(rawValue: 33)
  }
}
