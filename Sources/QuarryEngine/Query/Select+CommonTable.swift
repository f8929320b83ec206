extension Select {
  /// Returns the query with a common table expression: a table that exists only within the query, and has the rows of another query.
  ///
  /// ```swift
  /// struct Tag: Table {
  ///   static let tableName = "tag"
  ///   struct Columns { let id = Column<Int>("id"), name = Column<String>("name") }
  ///   static let columns = Columns()
  /// }
  /// Tag.where { $0.name == "Home" }
  ///   .with(Tag.self, columns: { ($0.id, $0.name) }, as: List.select { ($0.id, $0.title) })
  /// // WITH tag (id, name) AS (SELECT id, title FROM lists) SELECT * FROM tag WHERE (name = 'Home')
  /// ```
  ///
  /// The columns must have the types of the query's results, so `Column<Int?>` for `max()`. A query that reads the table itself is recursive:
  ///
  /// ```swift
  /// Level.all().with(
  ///   Level.self, columns: { ($0.id, $0.depth) },
  ///   as: Category.where { $0.parentID == nil }.select { ($0.id, Constant(0)) }
  ///     .unionAll(Category.all().join(Level.self) { $0.parentID == $1.id }.select { ($0.id, $1.depth + 1) }))
  /// // WITH RECURSIVE level (id, depth) AS (SELECT id, 0 FROM categories WHERE (parentID IS NULL) UNION ALL SELECT …) SELECT * FROM level
  /// ```
  ///
  /// Another table can read the preceding ones.
  ///
  /// - Parameters:
  ///   - table: The table, whose name need not exist in the schema; if it does, it is hidden.
  ///   - columns: The columns of the table, in the order of the query's.
  ///   - query: The query of its rows.
  public func with<Common: Table, First, each Further, Other>(
    _ table: Common.Type, columns: (Common.Columns) -> (Column<First>, repeat Column<each Further>),
    as query: Select<(First, repeat each Further), Other>
  ) -> Self {
    adding(table, names(columns, of: Common.columns), query.statement)
  }

  /// Returns the query with a common table expression of one column.
  @_disfavoredOverload
  public func with<Common: Table, Value, Other>(
    _ table: Common.Type, columns column: (Common.Columns) -> Column<Value>, as query: Select<Value, Other>
  ) -> Self {
    adding(table, [column(Common.columns).name], query.statement)
  }

  /// Returns the names of columns; see Select+Clauses.swift for the reason of the lone pack.
  private func names<Columns, each Value>(_ columns: (Columns) -> (repeat Column<each Value>), of all: Columns) -> [String] {
    let columns = columns(all)
    var names: [String] = []
    for column in repeat each columns { names.append(column.name) }
    return names
  }

  private func adding(_ table: any Table.Type, _ columns: [String], _ query: SelectStatement) -> Self {
    changing { $0.commonTables.append(.init(name: table.tableName, columns: columns, query: query)) }
  }
}
