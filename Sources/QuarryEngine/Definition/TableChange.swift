/// A change of a table from one definition to another, or the creation of a table.
///
/// ```swift
/// var change = TableChange(of: try db.tableDefinition(TableReference(name: "player")))
/// change.renameColumn(at: 1, to: "nickname")
/// change.insertColumn(ColumnDefinition(name: "score", type: .integer), at: 2)
/// try change.plan(in: db).statements
/// // ALTER TABLE player RENAME COLUMN name TO nickname
/// // ALTER TABLE player ADD COLUMN score INTEGER
/// ```
///
/// The value is inert: nothing happens before its ``TableChangePlan`` is executed.
public struct TableChange: Hashable, Sendable {
  /// The definition of the existing table with its indexes; nil to create the table.
  public let old: TableDefinition?
  /// The definition that the table will have, with all its indexes.
  public var new: TableDefinition
  /// For each column of ``new``, the name of the existing column that becomes it; nil for a new column.
  public private(set) var origins: [String?]
  /// The primary keys of tables that foreign keys refer to without columns, by their names in lower case.
  var referencedKeys: [String: [String]] = [:]

  /// Creates a change of an existing table that changes nothing yet.
  public init(of old: TableDefinition) {
    (self.old, new) = (old, old)
    origins = old.columns.map(\.name)
  }

  /// Creates the creation of a table.
  public init(creating new: TableDefinition) {
    (old, self.new) = (nil, new)
    origins = new.columns.map { _ in nil }
  }

  /// Creates a change to a given definition.
  ///
  /// - Parameter origins: For each column of `new`, the name of the existing column that becomes it; nil for a new column.
  public init(from old: TableDefinition, to new: TableDefinition, origins: [String?]) {
    (self.old, self.new) = (old, new)
    self.origins = new.columns.indices.map { origins.indices.contains($0) ? origins[$0] : nil }
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { old == new && zip(origins, new.columns).allSatisfy { $0 == $1.name } }

  /// The existing columns that no column of the new definition comes from.
  public var droppedColumns: [ColumnDefinition] {
    (old?.columns ?? []).filter { column in !origins.contains { $0?.isSameIdentifier(as: column.name) == true } }
  }
}

extension TableChange {
  /// Inserts a new column.
  public mutating func insertColumn(_ column: ColumnDefinition, at index: Int) {
    new.columns.insert(column, at: index)
    origins.insert(nil, at: index)
  }

  /// Removes a column; keys and indexes that use it remain, and ``TableDefinition/validate()`` reports them.
  public mutating func removeColumn(at index: Int) {
    new.columns.remove(at: index)
    origins.remove(at: index)
  }

  /// Moves a column to another position.
  public mutating func moveColumn(from index: Int, to place: Int) {
    new.columns.insert(new.columns.remove(at: index), at: place)
    origins.insert(origins.remove(at: index), at: place)
  }

  /// Renames a column, also in the keys and indexes of the table.
  ///
  /// Expressions keep their text here. If it is unchanged, SQLite renames the column in them when the plan is made.
  public mutating func renameColumn(at index: Int, to name: String) {
    let former = new.columns[index].name
    new.columns[index].name = name
    // While two columns have the same name, it is not known which of them a key means.
    guard !former.isEmpty, !new.columns.contains(where: { $0.name.isSameIdentifier(as: former) && $0.name != name }) else { return }
    new.renameInKeys(former, to: name)
  }

  /// Renames the table, also in its indexes and in its foreign keys to itself.
  public mutating func renameTable(to name: String) {
    let former = new.name
    new.name = name
    for index in new.indexes.indices { new.indexes[index].table = name }
    new.replaceForeignKeys { key in
      var key = key
      if key.table.isSameIdentifier(as: former) { key.table = name }
      return key
    }
  }
}

extension TableDefinition {
  /// Renames a column in the keys and indexes.
  fileprivate mutating func renameInKeys(_ former: String, to name: String) {
    func renamed(_ column: String) -> String { column.isSameIdentifier(as: former) ? name : column }
    func renamed(_ key: [TableConstraint.KeyColumn]) -> [TableConstraint.KeyColumn] {
      key.map { TableConstraint.KeyColumn(renamed($0.name), collation: $0.collation, direction: $0.direction) }
    }
    for index in constraints.indices {
      switch constraints[index].kind {
      case .primaryKey(let key, let resolution, let isAutoIncremented):
        constraints[index].kind = .primaryKey(renamed(key), onConflict: resolution, isAutoIncremented: isAutoIncremented)
      case .unique(let key, let resolution): constraints[index].kind = .unique(renamed(key), onConflict: resolution)
      case .check, .foreignKey: break
      }
    }
    let table = self.name
    replaceForeignKeys { key in
      var key = key
      key.columns = key.columns.map(renamed)
      if key.table.isSameIdentifier(as: table) { key.referencedColumns = key.referencedColumns.map { $0.map(renamed) } }
      return key
    }
    for index in indexes.indices {
      for term in indexes[index].terms.indices {
        guard case .column(let column) = indexes[index].terms[term].subject else { continue }
        indexes[index].terms[term].subject = .column(renamed(column))
      }
    }
  }
}
