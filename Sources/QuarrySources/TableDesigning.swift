public import QuarryChanges
public import QuarryEngine

/// Creates tables and changes their definitions.
public protocol TableDesigning: Sendable {
  /// Reads the definition of a table in `main` with its indexes, and the types that the columns of all tables declare.
  ///
  /// - Parameter table: The name of the table, or nil for the types only.
  func design(of table: String?) async throws -> StoredDesign
  /// Makes the plan of a change, and counts the rows that it would refuse, lose or convert.
  ///
  /// Nothing is written.
  func plan(_ change: TableChange) async throws -> CountedPlan
  /// Executes a plan in one transaction, completely or not at all.
  ///
  /// - Parameter progress: Called before each step, and up to a hundred times while rows are copied.
  /// - Throws: ``TableChangeFailure`` if rows or the schema prevent it.
  func run(
    _ plan: TableChangePlan, progress: @escaping @Sendable (TableChangeProgress) -> Void
  ) async throws -> TableChangeResult
}

/// A table as it is stored, for a form that changes it.
public struct StoredDesign: Hashable, Sendable {
  /// The definition, or nil if no table was requested.
  public var definition: TableDefinition?
  /// The types that columns of the database declare, the most frequent first.
  public var types: [String]
  /// The tables that a foreign key can refer to, with their keys.
  public var tables: [Table]

  /// A table that a foreign key can refer to.
  public struct Table: Hashable, Sendable {
    /// The table's name.
    public var name: String
    /// The columns of its primary key and of its other unique keys; empty if it has no key.
    public var keys: [[String]]

    /// Creates a table.
    public init(name: String, keys: [[String]]) {
      (self.name, self.keys) = (name, keys)
    }
  }

  /// Creates a design.
  public init(definition: TableDefinition? = nil, types: [String] = [], tables: [Table] = []) {
    (self.definition, self.types, self.tables) = (definition, types, tables)
  }
}

/// A plan with the numbers of rows that its checks have found.
public struct CountedPlan: Hashable, Sendable {
  /// The plan.
  public var plan: TableChangePlan
  /// The checks with at least one row.
  public var findings: [TableChangeFailure.CountedCheck]

  /// Creates a counted plan.
  public init(plan: TableChangePlan, findings: [TableChangeFailure.CountedCheck] = []) {
    (self.plan, self.findings) = (plan, findings)
  }

  /// Whether nothing prevents the change.
  public var isPossible: Bool { plan.problems.isEmpty && !findings.contains { $0.check.effect == .refused } }
}

extension SQLiteDataSource {
  /// Reads a definition from `sqlite_schema`.
  ///
  /// See ``Database/tableDefinition(_:)``.
  public func design(of table: String?) async throws -> StoredDesign {
    try await schemaConnection().read { db in
      let types = """
        SELECT upper(column.type) FROM main.sqlite_schema AS t, pragma_table_xinfo(t.name, 'main') AS column
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND column.type <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 30
        """
      let catalog = try db.catalog().databases.first { $0.name == "main" }?.entries ?? []
      let tables = try catalog.filter { $0.kind == .table }.prefix(500).map { entry in
        StoredDesign.Table(name: entry.reference.name, keys: try db.uniqueKeys(of: entry.reference.name))
      }
      return StoredDesign(
        definition: try table.map { try db.tableDefinition(TableReference(name: $0)) }, types: try String.fetchAll(db, sql: types),
        tables: tables)
    }
  }

  /// Makes a plan on the connection for background reads.
  ///
  /// See ``TableChange/plan(in:)``.
  public func plan(_ change: TableChange) async throws -> CountedPlan {
    try await background.read { db in
      let plan = try change.plan(in: db)
      let counted = try plan.checks.map { TableChangeFailure.CountedCheck(check: $0, count: try db.rowCount(of: $0)) }
      return CountedPlan(plan: plan, findings: counted.filter { $0.count > 0 })
    }
  }

  /// Executes a plan on the connection of statements, and records the commit.
  ///
  /// Waits for a lock until the task is cancelled.
  public func run(
    _ plan: TableChangePlan, progress: @escaping @Sendable (TableChangeProgress) -> Void
  ) async throws -> TableChangeResult {
    try await writingAlone { script, db in
      try script.noting(in: db) { try plan.run(in: db, recorder: script.recorder, progress: progress) }
    }
  }
}

extension Database {
  /// Returns the columns of a table's primary key, and of its other keys that are unique in all rows.
  ///
  ///     SELECT name FROM pragma_table_xinfo('place', 'main') WHERE pk > 0 ORDER BY pk
  fileprivate func uniqueKeys(of table: String) throws -> [[String]] {
    let primary = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE pk > 0 ORDER BY pk"
    let unique = """
      SELECT i.name, c.name FROM pragma_index_list(?, 'main') AS i, pragma_index_info(i.name, 'main') AS c
      WHERE i."unique" AND i.origin <> 'pk' AND NOT i.partial ORDER BY i.seq DESC, c.seqno
      """
    var keys: [(index: String, columns: [String?])] = []
    for row in try Row.fetchAll(self, sql: unique, arguments: [table]) {
      let index = try row.schemaText(at: 0) ?? ""
      if keys.last?.index != index { keys.append((index, [])) }
      keys[keys.count - 1].columns.append(try row.schemaText(at: 1))
    }
    // The column of an expression has no name.
    let others = keys.filter { !$0.columns.contains(nil) }.map { $0.columns.compactMap(\.self) }
    let first = try String.fetchAll(self, sql: primary, arguments: [table])
    return (first.isEmpty ? [] : [first]) + others.filter { $0 != first }
  }
}
