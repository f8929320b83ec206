/// What `create(table:)` hands to its closure, to define the table's columns and constraints.
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
  /// What has been defined so far.
  public internal(set) var definition: TableDefinition

  init(_ definition: TableDefinition) {
    self.definition = definition
  }

  /// Appends an integer primary key whose values are never used again.
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

  /// Appends a column that is the primary key and refuses NULL.
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

  /// Makes columns a key that no two rows may share.
  ///
  /// ```swift
  /// t.uniqueKey(["latitude", "longitude"])
  /// // UNIQUE (latitude, longitude)
  /// ```
  public func uniqueKey(_ columns: [String], onConflict: ConflictResolution? = nil) {
    append(.unique(columns.map { .init($0) }, onConflict: onConflict))
  }

  /// Makes columns refer to a row of another table, or of this one.
  ///
  /// ```swift
  /// t.foreignKey(["citizenID", "countryCode"], references: "citizenship", onDelete: .cascade)
  /// // FOREIGN KEY (citizenID, countryCode) REFERENCES citizenship (citizenID, countryCode) ON DELETE CASCADE
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The columns of this table.
  ///   - table: The table that is referred to.
  ///   - referencedColumns: The columns that are referred to; the other table's primary key where they are left out.
  ///   - onDelete: What becomes of the row when the one that it refers to is deleted.
  ///   - onUpdate: What becomes of the row when the values that it refers to change.
  ///   - deferred: Whether the reference is checked at the end of the transaction.
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

  /// Refuses rows for which an expression is false.
  ///
  /// ```swift
  /// t.check(Column("personalPhone") != nil || Column("workPhone") != nil)
  /// // CHECK ((personalPhone IS NOT NULL) OR (workPhone IS NOT NULL))
  /// ```
  public func check(_ condition: some QueryExpression<Bool>) {
    check(sql: condition.definitionSQL)
  }

  /// Refuses rows for which an expression of SQL is false.
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
  /// The expression as a definition holds it, which writes the parentheses around it itself.
  var definitionSQL: String {
    parenthesization == .own ? String(queryString.unicodeScalars.dropFirst().dropLast()) : queryString
  }
}
