/// The argument of the closure of `alter(table:)`, which changes a table.
///
/// ```swift
/// try db.alter(table: "player") { t in
///   t.add(column: "hasBonus", .boolean).notNull().defaults(to: false)
///   t.rename(column: "url", to: "homeURL")
///   t.drop(column: "oldScore")
/// }
/// // ALTER TABLE player ADD COLUMN hasBonus BOOLEAN NOT NULL DEFAULT 0;
/// // ALTER TABLE player RENAME COLUMN url TO homeURL;
/// // ALTER TABLE player DROP COLUMN oldScore
/// ```
public final class TableAlteration {
  enum Change {
    case add(TableBuilder)
    case rename(String, to: String)
    case drop(String)
  }

  let table: String
  private(set) var changes: [Change] = []

  init(of table: String) {
    self.table = table
  }

  /// Appends a column.
  ///
  /// ```swift
  /// t.add(column: "hasBonus", .boolean).notNull().defaults(to: false)
  /// // ALTER TABLE player ADD COLUMN hasBonus BOOLEAN NOT NULL DEFAULT 0
  /// ```
  @discardableResult
  public func add(column name: String, _ type: ColumnType? = nil) -> ColumnBuilder {
    let builder = TableBuilder(TableDefinition(table, columns: []))
    changes.append(.add(builder))
    return builder.column(name, type)
  }

  /// Renames a column.
  ///
  /// ```swift
  /// t.rename(column: "url", to: "homeURL")
  /// // ALTER TABLE player RENAME COLUMN url TO homeURL
  /// ```
  public func rename(column name: String, to newName: String) {
    changes.append(.rename(name, to: newName))
  }

  /// Drops a column.
  ///
  /// ```swift
  /// t.drop(column: "oldScore")
  /// // ALTER TABLE player DROP COLUMN oldScore
  /// ```
  public func drop(column name: String) {
    changes.append(.drop(name))
  }
}

extension TableAlteration.Change {
  /// Returns the statements that make the changes.
  func statements(table: String) throws(DefinitionError) -> [String] {
    let alter = "ALTER TABLE \(SQLIdentifier.quoted(table)) "
    switch self {
    case .add(let builder):
      let definition = builder.definition
      try definition.validate()
      return definition.columns.map { alter + "ADD COLUMN " + $0.sql } + definition.indexes.map(\.sql)
    case .rename(let name, let newName):
      try DefinitionName.check(newName, of: "a column of table \(table)", isReservable: false)
      return [alter + "RENAME COLUMN \(SQLIdentifier.quoted(name)) TO \(SQLIdentifier.quoted(newName))"]
    case .drop(let name):
      return [alter + "DROP COLUMN \(SQLIdentifier.quoted(name))"]
    }
  }
}
