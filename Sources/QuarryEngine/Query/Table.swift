/// A table for typed queries, with its name and its typed columns.
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
/// Other examples use this table and `List`, which describes the table `lists` with the columns `id` and `title`.
public protocol Table {
  /// The type with a ``Column`` for each column used in queries.
  associatedtype Columns: Sendable

  /// The table's name in the schema.
  static var tableName: String { get }

  /// The columns.
  static var columns: Columns { get }
}

/// The columns of a table within a query.
///
/// ```swift
/// Reminder.as("other").where { $0.isCompleted }
/// // SELECT * FROM reminders AS other WHERE isCompleted
/// ```
///
/// It is the argument of a query's closures and provides the columns of ``Table/columns``, each bound to its source.
@dynamicMemberLookup
public struct TableColumns<Source: Table>: Sendable {
  /// The table's name in the query, its own or an alias, and its identity.
  let source: VisibleSource

  /// Returns the column with this name in ``Table/columns``.
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output> {
    Column(Source.columns[keyPath: keyPath].name, in: source)
  }
}

/// The columns of a table added by a left join; their output is optional, because they are NULL if no row matches.
///
/// ```swift
/// Reminder.all().leftJoin(List.self) { $0.listID == $1.id }.select { $1.title }
/// // SELECT lists.title FROM reminders LEFT JOIN lists ON (reminders.listID = lists.id)
/// // returns String?
/// ```
@dynamicMemberLookup
public struct OptionalTableColumns<Source: Table>: Sendable {
  /// The table's name in the query, its own or an alias, and its identity.
  let source: VisibleSource

  /// Returns the column with this name in ``Table/columns``, with an optional output.
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output.QueryValue?> {
    Column(Source.columns[keyPath: keyPath].name, in: source)
  }
}

extension Table where Self: FetchableRecord & SendableMetatype {
  /// Returns a query of all rows, each as a record.
  ///
  /// ```swift
  /// Reminder.all()
  /// // SELECT * FROM reminders
  /// ```
  public static func all() -> Select<Self, TableColumns<Self>> {
    self.as(tableName)
  }

  /// Returns a query of all rows of the table under another name, each as a record.
  ///
  /// ```swift
  /// Reminder.as("r").where { $0.isCompleted }
  /// // SELECT * FROM reminders AS r WHERE isCompleted
  /// ```
  public static func `as`(_ alias: String) -> Select<Self, TableColumns<Self>> {
    let source = VisibleSource(name: alias, id: SourceID())
    let statement = SelectStatement(result: .firstSource, sources: [.init(origin: .table(tableName), shown: source)])
    return Select(statement, sources: TableColumns(source: source)) { row, _ in try Self(row: row) }
  }

  /// Returns a query of the records that match a predicate.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public static func `where`(_ predicate: (TableColumns<Self>) -> some QueryExpression<Bool>) -> Select<Self, TableColumns<Self>> {
    all().where(predicate)
  }

  /// Returns a query of all records, sorted by keys.
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
