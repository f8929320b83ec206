/// A column of a table being defined; each method adds a constraint and returns the column.
///
/// ```swift
/// t.column("name", .text).notNull().unique().collate(.nocase)
/// // name TEXT NOT NULL UNIQUE COLLATE NOCASE
/// ```
public final class ColumnBuilder {
  private let table: TableBuilder
  private let index: Int

  init(_ table: TableBuilder, at index: Int) {
    self.table = table
    self.index = index
  }

  /// Rejects NULL.
  ///
  /// ```swift
  /// t.column("name", .text).notNull()
  /// // name TEXT NOT NULL
  /// ```
  @discardableResult
  public func notNull(onConflict: ConflictResolution? = nil) -> Self {
    append(.notNull(onConflict: onConflict))
  }

  /// Rejects duplicate values.
  ///
  /// ```swift
  /// t.column("email", .text).unique(onConflict: .ignore)
  /// // email TEXT UNIQUE ON CONFLICT IGNORE
  /// ```
  @discardableResult
  public func unique(onConflict: ConflictResolution? = nil) -> Self {
    append(.unique(onConflict: onConflict))
  }

  /// Makes the column the primary key.
  ///
  /// ```swift
  /// t.column("code", .text).primaryKey()
  /// // code TEXT PRIMARY KEY
  /// ```
  ///
  /// - Parameters:
  ///   - onConflict: The conflict resolution for a row with an existing value; by default SQLite aborts the statement.
  ///   - autoincrement: Whether values are never reused, which SQLite supports only for an INTEGER column.
  @discardableResult
  public func primaryKey(onConflict: ConflictResolution? = nil, autoincrement: Bool = false) -> Self {
    append(.primaryKey(.init(onConflict: onConflict, isAutoIncremented: autoincrement)))
  }

  /// Sets the default value of the column.
  ///
  /// ```swift
  /// t.column("score", .integer).defaults(to: 0)
  /// // score INTEGER DEFAULT 0
  /// ```
  ///
  /// If SQLite cannot store the value, creating the table throws ``DefinitionError/unstorableDefault(column:table:reason:)``.
  @discardableResult
  public func defaults(to value: some DatabaseValueConvertible) -> Self {
    do {
      let literal = try value.databaseValue.sqlLiteral
      return append(.defaults(literal.hasPrefix("(") || literal.hasPrefix("char") ? .expression(sql: literal) : .literal(sql: literal)))
    } catch {
      return append(.defaults(.unstorable(reason: "\(error)")))
    }
  }

  /// Sets the default value of the column to an SQL expression.
  ///
  /// ```swift
  /// t.column("creationDate", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
  /// // creationDate DATETIME DEFAULT (CURRENT_TIMESTAMP)
  /// ```
  @discardableResult
  public func defaults(sql: String) -> Self {
    append(.defaults(.expression(sql: sql)))
  }

  /// Rejects values for which an expression over the column is false.
  ///
  /// ```swift
  /// t.column("score", .integer).check { $0 > 0 }
  /// // score INTEGER CHECK (score > 0)
  /// ```
  @discardableResult
  public func check(_ condition: (Column<DatabaseValue>) -> some QueryExpression<Bool>) -> Self {
    check(sql: condition(Column(table.definition.columns[index].name)).definitionSQL)
  }

  /// Rejects values for which an expression over the column, with a given type, is false.
  ///
  /// ```swift
  /// t.column("name", .text).check { (name: Column<String>) in name.length() > 0 }
  /// // name TEXT CHECK (length(name) > 0)
  /// ```
  @discardableResult
  public func check<Output: QueryOutput>(_ condition: (Column<Output>) -> some QueryExpression<Bool>) -> Self {
    check(sql: condition(Column(table.definition.columns[index].name)).definitionSQL)
  }

  /// Rejects values for which an SQL expression is false.
  ///
  /// ```swift
  /// t.column("score", .integer).check(sql: "score > 0")
  /// // score INTEGER CHECK (score > 0)
  /// ```
  @discardableResult
  public func check(sql: String) -> Self {
    append(.check(sql: sql))
  }

  /// Sets the collation of the column's texts.
  ///
  /// ```swift
  /// t.column("name", .text).collate(.nocase)
  /// // name TEXT COLLATE NOCASE
  /// ```
  @discardableResult
  public func collate(_ collation: Collation) -> Self {
    append(.collation(collation))
  }

  /// Makes the column a foreign key to another table, or to this one.
  ///
  /// ```swift
  /// t.column("authorID", .integer).references("author", onDelete: .cascade)
  /// // authorID INTEGER REFERENCES author (id) ON DELETE CASCADE
  /// ```
  ///
  /// - Parameters:
  ///   - table: The referenced table.
  ///   - column: The referenced column; by default the other table's primary key.
  ///   - onDelete: The action when the referenced row is deleted.
  ///   - onUpdate: The action when the referenced value changes.
  ///   - deferred: Whether the foreign key is checked at the end of the transaction.
  @discardableResult
  public func references(
    _ table: String, column: String? = nil, onDelete: ForeignKeyDefinition.Action? = nil, onUpdate: ForeignKeyDefinition.Action? = nil,
    deferred: Bool = false
  ) -> Self {
    let key = ForeignKeyDefinition(
      columns: [self.table.definition.columns[index].name], table: table, referencedColumns: column.map { [$0] }, onDelete: onDelete,
      onUpdate: onUpdate, isDeferred: deferred)
    return append(.references(key))
  }

  /// Computes the column from other columns with SQL.
  ///
  /// ```swift
  /// t.column("total", .integer).generatedAs(sql: "score + bonus", .stored)
  /// // total INTEGER GENERATED ALWAYS AS (score + bonus) STORED
  /// ```
  @discardableResult
  public func generatedAs(sql: String, _ generation: ColumnSchema.Generation = .virtual) -> Self {
    append(.generated(sql: sql, generation))
  }

  /// Computes the column from other columns with an expression.
  ///
  /// ```swift
  /// t.column("total", .integer).generatedAs(Column<Int>("score") * 2, .stored)
  /// // total INTEGER GENERATED ALWAYS AS (score * 2) STORED
  /// ```
  @discardableResult
  public func generatedAs(_ expression: some QueryExpression, _ generation: ColumnSchema.Generation = .virtual) -> Self {
    generatedAs(sql: expression.definitionSQL, generation)
  }

  /// Creates an index on the column together with the table.
  ///
  /// ```swift
  /// t.column("email", .text).indexed()
  /// // CREATE INDEX player_on_email ON player (email)
  /// ```
  @discardableResult
  public func indexed() -> Self {
    let definition = table.definition
    let name = definition.columns[index].name
    let options: IndexDefinition.Options = definition.options.contains(.ifNotExists) ? .ifNotExists : []
    table.definition.indexes.append(
      IndexDefinition("\(definition.name)_on_\(name)", on: definition.name, columns: [name], options: options))
    return self
  }

  private func append(_ kind: ColumnConstraint.Kind) -> Self {
    table.definition.columns[index].constraints.append(ColumnConstraint(kind))
    return self
  }
}
