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
///   }
///   static let columns = Columns()
/// }
/// ```
public protocol Table {
  associatedtype Columns: Sendable

  /// The table's name, as the schema has it.
  static var tableName: String { get }

  static var columns: Columns { get }
}

/// The columns of a table within a query.
@dynamicMemberLookup
public struct TableColumns<Source: Table>: Sendable {
  /// The table's name in the query: its own or an alias.
  let name: String

  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output> {
    Column(Source.columns[keyPath: keyPath].name, of: name)
  }

  /// Returns the number of rows: `count(*)`.
  public func rowCount() -> Aggregate<Int, Int> {
    Aggregate("count", nil)
  }
}

/// The columns of a table that a left join adds: each is NULL where no row was found, and so its output is optional.
@dynamicMemberLookup
public struct OptionalTableColumns<Source: Table>: Sendable {
  /// The table's name in the query: its own or an alias.
  let name: String

  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Column<Output.QueryValue?> {
    Column(Source.columns[keyPath: keyPath].name, of: name)
  }
}
