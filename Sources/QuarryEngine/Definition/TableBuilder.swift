/// The argument of the closure of `create(table:)`, which defines the table's columns and constraints.
///
/// ```swift
/// try db.create(table: "player") { t in
///   t.autoIncrementedPrimaryKey("id")
///   t.column("name", .text).notNull().collate(.nocase)
/// }
/// // CREATE TABLE player (
/// //   id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
/// //   name TEXT NOT NULL COLLATE NOCASE
/// // )
/// ```
public final class TableBuilder {
  /// The definition so far.
  public internal(set) var definition: TableDefinition

  init(_ definition: TableDefinition) {
    self.definition = definition
  }

  /// Appends an integer primary key whose values are never reused.
  ///
  /// ```swift
  /// t.autoIncrementedPrimaryKey("id")
  /// // id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL
  /// ```
  @discardableResult
  public func autoIncrementedPrimaryKey(_ name: String, onConflict: ConflictResolution? = nil) -> ColumnBuilder {
    column(name, .integer).primaryKey(onConflict: onConflict, autoincrement: true).notNull()
  }

  /// Appends a column.
  ///
  /// ```swift
  /// t.column("name", .text)
  /// // name TEXT
  /// ```
  @discardableResult
  public func column(_ name: String, _ type: ColumnType? = nil) -> ColumnBuilder {
    definition.columns.append(ColumnDefinition(name: name, type: type))
    return ColumnBuilder(self, at: definition.columns.count - 1)
  }

  /// Appends a primary key column that rejects NULL.
  ///
  /// ```swift
  /// t.primaryKey("code", .text)
  /// // code TEXT PRIMARY KEY NOT NULL
  /// ```
  @discardableResult
  public func primaryKey(_ name: String, _ type: ColumnType, onConflict: ConflictResolution? = nil) -> ColumnBuilder {
    column(name, type).primaryKey(onConflict: onConflict).notNull()
  }

  /// Makes columns the primary key.
  ///
  /// ```swift
  /// t.primaryKey(["citizenID", "countryCode"])
  /// // PRIMARY KEY (citizenID, countryCode)
  /// ```
  public func primaryKey(_ columns: [String], onConflict: ConflictResolution? = nil) {
    append(.primaryKey(columns.map { .init($0) }, onConflict: onConflict, isAutoIncremented: false))
  }

  /// Makes columns a unique key.
  ///
  /// ```swift
  /// t.uniqueKey(["latitude", "longitude"])
  /// // UNIQUE (latitude, longitude)
  /// ```
  public func uniqueKey(_ columns: [String], onConflict: ConflictResolution? = nil) {
    append(.unique(columns.map { .init($0) }, onConflict: onConflict))
  }

  /// Makes columns a foreign key to another table, or to this one.
  ///
  /// ```swift
  /// t.foreignKey(["citizenID", "countryCode"], references: "citizenship", onDelete: .cascade)
  /// // FOREIGN KEY (citizenID, countryCode) REFERENCES citizenship (citizenID, countryCode) ON DELETE CASCADE
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The columns of this table.
  ///   - table: The referenced table.
  ///   - referencedColumns: The referenced columns; by default the other table's primary key.
  ///   - onDelete: The action when the referenced row is deleted.
  ///   - onUpdate: The action when the referenced values change.
  ///   - deferred: Whether the foreign key is checked at the end of the transaction.
  public func foreignKey(
    _ columns: [String], references table: String, columns referencedColumns: [String]? = nil,
    onDelete: ForeignKeyDefinition.Action? = nil, onUpdate: ForeignKeyDefinition.Action? = nil, deferred: Bool = false
  ) {
    append(
      .foreignKey(
        ForeignKeyDefinition(
          columns: columns, table: table, referencedColumns: referencedColumns, onDelete: onDelete, onUpdate: onUpdate,
          isDeferred: deferred)))
  }

  /// Rejects rows for which an expression is false.
  ///
  /// ```swift
  /// t.check(Column("personalPhone") != nil || Column("workPhone") != nil)
  /// // CHECK ((personalPhone IS NOT NULL) OR (workPhone IS NOT NULL))
  /// ```
  public func check(_ condition: some QueryExpression<Bool>) {
    check(sql: condition.definitionSQL)
  }

  /// Rejects rows for which an SQL expression is false.
  ///
  /// ```swift
  /// t.check(sql: "score < 100")
  /// // CHECK (score < 100)
  /// ```
  public func check(sql: String) {
    append(.check(sql: sql))
  }

  private func append(_ kind: TableConstraint.Kind) {
    definition.constraints.append(TableConstraint(kind))
  }
}

extension QueryExpression {
  /// The expression in a definition, which itself adds the enclosing parentheses.
  var definitionSQL: String {
    parenthesization == .own ? String(queryString.unicodeScalars.dropFirst().dropLast()) : queryString
  }
}
