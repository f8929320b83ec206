/// A table that typed queries are made for: its name, and its columns with their types.
///
/// ```swift
/// struct Reminder: Table {
///   static let tableName = "reminders"
///   struct Columns {
///     let id = Column<Int>("id")
///     let title = Column<String>("title")
///     let isCompleted = Column<Bool>("isCompleted")
///     let priority = Column<Int?>("priority")
///     let listID = Column<Int?>("listID")
///   }
///   static let columns = Columns()
/// }
/// ```
///
/// Other examples use this table, and `List`, which is that of the table `lists` with the columns `id` and `title`.
public protocol Table {
  /// The type that holds a ``Column`` for each column that queries name.
  associatedtype Columns: Sendable

  /// The table's name, as the schema has it.
  static var tableName: String { get }

  /// The columns.
  static var columns: Columns { get }
}

/// The columns of a table within a query.
///
/// ```swift
/// Reminder.all(as: "other").where { $0.isCompleted }
/// // SELECT * FROM reminders AS other WHERE isCompleted
/// ```
///
/// The argument of a query's closures: it has the columns of ``Table/columns``, each bound to its source.
@dynamicMemberLookup
public struct TableColumns<Source: Table>: Sendable {
  /// The table's name in the query: its own or an alias.
  let name: String

  /// Returns the column of that name in ``Table/columns``.
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output> {
    Column(Source.columns[keyPath: keyPath].name, of: name)
  }

  /// Returns the number of rows: `count(*)`.
  ///
  /// ```swift
  /// Reminder.select { $0.rowCount() }
  /// // SELECT count(*) FROM reminders
  /// ```
  public func rowCount() -> Aggregate<Int, Int> {
    Aggregate("count", nil)
  }
}

/// The columns of a table that a left join adds: each is NULL where no row was found, and so its output is optional.
///
/// ```swift
/// Reminder.all().leftJoin(List.self) { $0.listID == $1.id }.select { $1.title }
/// // SELECT lists.title FROM reminders LEFT JOIN lists ON (reminders.listID = lists.id)
/// // yields String?
/// ```
@dynamicMemberLookup
public struct OptionalTableColumns<Source: Table>: Sendable {
  /// The table's name in the query: its own or an alias.
  let name: String

  /// Returns the column of that name in ``Table/columns``, whose output is optional here.
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output.QueryValue?> {
    Column(Source.columns[keyPath: keyPath].name, of: name)
  }
}

extension Table where Self: FetchableRecord & SendableMetatype {
  /// Returns a query of all rows, each as a record.
  ///
  /// ```swift
  /// Reminder.all()
  /// // SELECT * FROM reminders
  /// ```
  ///
  /// - Parameter alias: The table's name within the query, where it meets itself in a join or a sub-query.
  public static func all(as alias: String? = nil) -> Select<Self, TableColumns<Self>> {
    let name = alias ?? tableName
    let statement = SelectStatement(result: .firstSource, sources: [.init(table: tableName, name: name)])
    return Select(statement, sources: TableColumns(name: name)) { row in try Self(row: row) }
  }

  /// Returns a query of the records for which a predicate holds.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public static func `where`(_ predicate: (TableColumns<Self>) -> some QueryExpression<Bool>) -> Select<Self, TableColumns<Self>> {
    all().where(predicate)
  }

  /// Returns a query of all records in an order.
  ///
  /// ```swift
  /// Reminder.order { $0.title }
  /// // SELECT * FROM reminders ORDER BY title
  /// ```
  public static func order<Key: OrderingTerm, each Further: OrderingTerm>(
    _ keys: (TableColumns<Self>) -> (Key, repeat each Further)
  ) -> Select<Self, TableColumns<Self>> {
    all().order(keys)
  }
}
