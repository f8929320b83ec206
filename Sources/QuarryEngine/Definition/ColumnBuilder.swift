/// A column of a table that is being defined; each call refines it and returns it.
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

  /// Refuses NULL.
  ///
  /// ```swift
  /// t.column("name", .text).notNull()
  /// // name TEXT NOT NULL
  /// ```
  @discardableResult
  public func notNull(onConflict: ConflictResolution? = nil) -> Self {
    append(.notNull(onConflict: onConflict))
  }

  /// Refuses a value that another row has.
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
  ///   - onConflict: What becomes of a row whose value is there already; SQLite aborts the statement where it is left out.
  ///   - autoincrement: Whether a value is never used again, which SQLite takes for an INTEGER column only.
  @discardableResult
  public func primaryKey(onConflict: ConflictResolution? = nil, autoincrement: Bool = false) -> Self {
    append(.primaryKey(.init(onConflict: onConflict, isAutoIncremented: autoincrement)))
  }

  /// Gives a value to rows that are inserted without one.
  ///
  /// ```swift
  /// t.column("score", .integer).defaults(to: 0)
  /// // score INTEGER DEFAULT 0
  /// ```
  ///
  /// A value that SQLite cannot store is an error when the table is made: ``DefinitionError/unstorableDefault(column:table:reason:)``.
  @discardableResult
  public func defaults(to value: some DatabaseValueConvertible) -> Self {
    do {
      let literal = try value.databaseValue.sqlLiteral
      return append(.defaults(literal.hasPrefix("(") || literal.hasPrefix("char") ? .expression(sql: literal) : .literal(sql: literal)))
    } catch {
      return append(.defaults(.unstorable(reason: "\(error)")))
    }
  }

  /// Gives the value of an SQL expression to rows that are inserted without one.
  ///
  /// ```swift
  /// t.column("creationDate", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
  /// // creationDate DATETIME DEFAULT (CURRENT_TIMESTAMP)
  /// ```
  @discardableResult
  public func defaults(sql: String) -> Self {
    append(.defaults(.expression(sql: sql)))
  }

  /// Refuses values for which an expression, made of the column, is false.
  ///
  /// ```swift
  /// t.column("score", .integer).check { $0 > 0 }
  /// // score INTEGER CHECK (score > 0)
  /// ```
  @discardableResult
  public func check(_ condition: (Column<DatabaseValue>) -> some QueryExpression<Bool>) -> Self {
    check(sql: condition(Column(table.definition.columns[index].name)).definitionSQL)
  }

  /// Refuses values for which an expression, made of the column as one of a type, is false.
  ///
  /// ```swift
  /// t.column("name", .text).check { (name: Column<String>) in name.length() > 0 }
  /// // name TEXT CHECK (length(name) > 0)
  /// ```
  @discardableResult
  public func check<Output: QueryOutput>(_ condition: (Column<Output>) -> some QueryExpression<Bool>) -> Self {
    check(sql: condition(Column(table.definition.columns[index].name)).definitionSQL)
  }

  /// Refuses values for which an expression of SQL is false.
  ///
  /// ```swift
  /// t.column("score", .integer).check(sql: "score > 0")
  /// // score INTEGER CHECK (score > 0)
  /// ```
  @discardableResult
  public func check(sql: String) -> Self {
    append(.check(sql: sql))
  }

  /// Compares the column's texts by a collation.
  ///
  /// ```swift
  /// t.column("name", .text).collate(.nocase)
  /// // name TEXT COLLATE NOCASE
  /// ```
  @discardableResult
  public func collate(_ collation: Collation) -> Self {
    append(.collation(collation))
  }

  /// Makes the column refer to a row of another table, or of this one.
  ///
  /// ```swift
  /// t.column("authorID", .integer).references("author", onDelete: .cascade)
  /// // authorID INTEGER REFERENCES author (id) ON DELETE CASCADE
  /// ```
  ///
  /// - Parameters:
  ///   - table: The table that is referred to.
  ///   - column: The column that is referred to; the other table's primary key where it is left out.
  ///   - onDelete: What becomes of the row when the one that it refers to is deleted.
  ///   - onUpdate: What becomes of the row when the value that it refers to changes.
  ///   - deferred: Whether the reference is checked at the end of the transaction.
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

  /// Computes the column from others.
  ///
  /// ```swift
  /// t.column("total", .integer).generatedAs(sql: "score + bonus", .stored)
  /// // total INTEGER GENERATED ALWAYS AS (score + bonus) STORED
  /// ```
  @discardableResult
  public func generatedAs(sql: String, _ generation: ColumnSchema.Generation = .virtual) -> Self {
    append(.generated(sql: sql, generation))
  }

  /// Computes the column from others.
  ///
  /// ```swift
  /// t.column("total", .integer).generatedAs(Column<Int>("score") * 2, .stored)
  /// // total INTEGER GENERATED ALWAYS AS (score * 2) STORED
  /// ```
  @discardableResult
  public func generatedAs(_ expression: some QueryExpression, _ generation: ColumnSchema.Generation = .virtual) -> Self {
    generatedAs(sql: expression.definitionSQL, generation)
  }

  /// Makes an index of the column with the table.
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
