/// What an authorizer answers to an ``AuthorizationRequest``.
public enum Authorization: Hashable, Sendable {
  /// The statement may do it.
  case allow
  /// The statement compiles without it: a column that is read is NULL, and what would be changed stays as it is.
  ///
  /// The corresponding C code is `SQLITE_IGNORE`.
  case ignore
  /// The statement does not compile, and throws `SQLITE_AUTH`.
  ///
  /// The corresponding C code is `SQLITE_DENY`.
  case deny
}

/// One thing that a statement would do, as SQLite asks about it while it compiles the SQL.
///
/// ```swift
/// try db.setAuthorizer { request in
///   request.action == .read && request.second == "salary" ? .ignore : .allow
/// }
/// ```
///
/// What ``first`` and ``second`` are depends on the action; see <https://www.sqlite.org/c3ref/c_alter_table.html>.
public struct AuthorizationRequest: Hashable, Sendable {
  /// What is to be done.
  public let action: Action
  /// What it is done to: a table's name for most actions, a pragma's, a file's for ATTACH; nil where there is no such thing.
  public let first: String?
  /// More of it: a column's name, the table of an index, the value of a pragma, the name of a function; nil where there is no such thing.
  public let second: String?
  /// The name of the database, such as `main`; nil where the action belongs to none.
  public let database: String?
  /// The innermost trigger or view that does it; nil where the statement itself does.
  public let source: String?
}

extension AuthorizationRequest {
  /// A kind of thing that a statement does, by SQLite's number.
  public struct Action: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: Int32

    /// Creates the action of one of SQLite's numbers.
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
    /// PRAGMA: its name, and its value where it has one.
    public static let pragma = Action(rawValue: 19)
    /// Reading a column: table, column; an empty column where a table is read and no column of it.
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
    /// A call of a function: its name is `second`.
    public static let function = Action(rawValue: 31)
    /// SAVEPOINT, RELEASE or ROLLBACK TO, which is `first`: the name is `second`.
    public static let savepoint = Action(rawValue: 32)
    /// A recursive common table expression.
    public static let recursive = Action(rawValue: 33)
  }
}
