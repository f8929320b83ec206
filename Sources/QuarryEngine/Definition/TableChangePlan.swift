/// The statements that make a ``TableChange``, as SQLite has accepted them in an empty copy of the schema.
///
/// ```swift
/// let plan = try change.plan(in: db)
/// plan.method       // .rebuild
/// plan.statements   // PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; CREATE TABLE …
/// for check in plan.checks { print(check.sentence(try db.rowCount(of: check))) }
/// ```
///
/// The plan is a value: it can be shown, compared and counted. Its rows are counted with ``RowCheck``.
public struct TableChangePlan: Hashable, Sendable {
  /// The ways to change a table.
  public enum Method: Hashable, Sendable {
    /// Nothing changes.
    case nothing
    /// `CREATE TABLE`.
    case create
    /// `ALTER TABLE`, `CREATE INDEX` and `DROP INDEX`.
    case alter
    /// A new table, into which the rows are copied; see <https://www.sqlite.org/lang_altertable.html#otheralter>.
    case rebuild
  }

  /// One statement of a plan.
  public struct Step: Hashable, Sendable {
    /// The effects of a statement.
    public enum Kind: Hashable, Sendable {
      /// The schema changes.
      case schema
      /// All rows are copied into the new table.
      case copy
      /// SQLite's own tables are changed: the AUTOINCREMENT counter, the statistics of ANALYZE.
      case bookkeeping
      /// A setting of the connection changes.
      case setting
    }

    /// The effect of the statement.
    public var kind: Kind
    /// The statement, without a semicolon.
    public var sql: String

    init(_ kind: Kind, _ sql: String) {
      (self.kind, self.sql) = (kind, sql)
    }
  }

  /// The change that the plan makes.
  public let change: TableChange
  /// The way in which the table is changed.
  public let method: Method
  /// The statements between BEGIN and COMMIT, in order.
  public let steps: [Step]
  /// The reasons why the change cannot be made, one sentence each: a view that would no longer compile.
  public let problems: [String]
  /// The remarks about the change, one sentence each: a view that does not compile now either.
  public let remarks: [String]
  /// The conditions under which rows would be refused, lost or converted, to be counted before the change.
  public let checks: [RowCheck]

  /// All statements as a script for any program, with the transaction and the final checks.
  ///
  /// ```sql
  /// PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; …; PRAGMA foreign_key_check; COMMIT; PRAGMA foreign_keys = ON
  /// ```
  public var statements: [String] {
    switch method {
    case .nothing: []
    case .create where steps.count == 1: steps.map(\.sql)
    case .create, .alter: steps.count == 1 ? steps.map(\.sql) : ["BEGIN IMMEDIATE"] + steps.map(\.sql) + ["COMMIT"]
    case .rebuild:
      ["PRAGMA foreign_keys = OFF", "BEGIN IMMEDIATE"] + steps.map(\.sql) + [
        "PRAGMA foreign_key_check(\(SQLIdentifier.quoted(change.new.name)))",
        "PRAGMA integrity_check(\(SQLIdentifier.quoted(change.new.name)))", "COMMIT", "PRAGMA foreign_keys = ON",
      ]
    }
  }
}
