extension TableChange {
  /// Returns the renames of existing columns, in an order in which no name is taken.
  ///
  /// A cycle of names, and a dropped column whose name another one gets, need an interim name.
  func columnRenames(of old: TableDefinition) -> [(name: String, newName: String)] {
    var names = Set((old.columns + new.columns).map(\.name.asciiLowercased))
    var current = Set(old.columns.map(\.name.asciiLowercased))
    var renames: [(name: String, newName: String)] = []
    func interim(_ name: String) -> String {
      let numbers = (1...).lazy.map { "quarry_\(name)_\($0)" }
      let free = numbers.first { !names.contains($0.asciiLowercased) } ?? name
      names.insert(free.asciiLowercased)
      return free
    }
    func rename(_ name: String, _ newName: String) {
      renames.append((name, newName))
      current.remove(name.asciiLowercased)
      current.insert(newName.asciiLowercased)
    }
    var waiting = zip(origins, new.columns).compactMap { origin, column in
      origin.flatMap { $0 == column.name ? nil : (name: $0, newName: column.name) }
    }
    for column in droppedColumns where waiting.contains(where: { $0.newName.isSameIdentifier(as: column.name) }) {
      rename(column.name, interim(column.name))
    }
    while !waiting.isEmpty {
      let free = waiting.firstIndex { next in
        next.name.isSameIdentifier(as: next.newName) || !current.contains(next.newName.asciiLowercased)
      }
      guard let free else {
        let other = interim(waiting[0].name)
        rename(waiting[0].name, other)
        waiting[0].name = other
        continue
      }
      let next = waiting.remove(at: free)
      rename(next.name, next.newName)
    }
    return renames
  }

  /// Returns the definition that the table will have.
  ///
  /// An expression that is the same as before follows the renames, as SQLite has done in `renamed`.
  func target(_ old: TableDefinition, renamed: TableDefinition) -> TableDefinition {
    let follow = Dictionary(zip(old.expressions, renamed.expressions), uniquingKeysWith: { first, _ in first })
    var target = new
    target.options.remove(.ifNotExists)
    target.replaceExpressions { follow[$0] ?? $0 }
    target.replaceForeignKeys { key in
      var key = key
      if key.table.isSameIdentifier(as: old.name) { key.table = new.name }
      return key
    }
    for index in target.indexes.indices {
      target.indexes[index].table = new.name
      target.indexes[index].options.remove(.ifNotExists)
    }
    return target
  }
}

/// The statement that copies the rows of a table into its new form.
struct TableCopy {
  /// The columns of the new table that get values.
  private var places: [String] = []
  /// The values in the existing table.
  private var values: [String] = []

  /// Finds the columns that both tables have; new columns get their defaults.
  ///
  /// - Parameters:
  ///   - current: The existing table, whose columns have their new names already.
  init(_ change: TableChange, _ current: TableDefinition, _ target: TableDefinition) {
    for (origin, column) in zip(change.origins, target.columns) where !column.isGenerated && origin != nil {
      places.append(SQLIdentifier.quoted(column.name))
      values.append(SQLIdentifier.quoted(column.name))
    }
    addRowID(current, target)
    guard places.isEmpty, let column = target.columns.first(where: { !$0.isGenerated }) else { return }
    places.append(SQLIdentifier.quoted(column.name))
    values.append(column.defaultValueSQL)
  }

  /// Keeps the rowids of both tables the same.
  private mutating func addRowID(_ current: TableDefinition, _ target: TableDefinition) {
    let key = target.rowIDColumn.map { SQLIdentifier.quoted($0.name) }
    if let key, places.contains(key) { return }
    guard let place = key ?? target.rowIDName, let value = current.rowIDName else { return }
    places.insert(place, at: 0)
    values.insert(value, at: 0)
  }

  /// Returns the statement; ABORT replaces conflict clauses of constraints, which would leave rows out.
  ///
  ///     INSERT OR ABORT INTO new(rowid, name) SELECT rowid, name FROM player
  func sql(from table: String, to other: String) -> String {
    "INSERT OR ABORT INTO \(SQLIdentifier.quoted(other)) (\(places.joined(separator: ", ")))"
      + " SELECT \(values.joined(separator: ", ")) FROM \(SQLIdentifier.quoted(table))"
  }
}
