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
