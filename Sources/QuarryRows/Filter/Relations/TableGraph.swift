internal import QuarryEngine

/// The tables that foreign keys connect with one table, for the paths and aggregates of filters.
///
/// There are at most 48, the nearest ones, because opening a table reads them all.
///
/// ```swift
/// let graph = TableGraph(around: track, in: db)   // Track, Album, Artist, InvoiceLine, …
/// ```
struct TableGraph: Hashable, Sendable {
  /// A table with its columns and its foreign keys.
  struct Table: Hashable, Sendable {
    let reference: TableReference
    /// The columns, without relations.
    fileprivate let columns: FilterColumns
    let keys: [Key]
    /// The foreign keys to tables that are too far away to be read.
    let farKeys: [ForeignKeySchema]
  }

  /// A foreign key that refers to a table of the graph.
  struct Key: Hashable, Sendable {
    /// The referring columns.
    let columns: [String]
    /// The index of the referenced table.
    let parent: Int
    /// The referenced columns, in the order of the referring ones.
    let parentColumns: [String]
  }

  /// The tables; the first is the one around which they were found.
  let tables: [Table]

  /// Returns the columns of a table, from which paths continue.
  ///
  /// - Parameter isQualified: Whether the name of the table may precede a column.
  func columns(of table: Int, isQualified: Bool = false) -> FilterColumns {
    tables[table].columns.related(by: self, from: table, isQualified: isQualified)
  }

  /// Returns the tables that refer to a table, with the foreign keys that do.
  func children(of parent: Int) -> [(table: Int, keys: [Key])] {
    tables.indices.compactMap { index in
      let keys = tables[index].keys.filter { $0.parent == parent }
      return keys.isEmpty ? nil : (index, keys)
    }
  }

  /// The meaning of a name before a period.
  enum Step {
    case key(Key)
    /// A table to which several foreign keys refer.
    case ambiguous([Key])
    /// A foreign key to a table that is too far away.
    case far
    case none
  }

  /// Returns the foreign key of a table that a name stands for: its only column, or the table to which it alone refers.
  func step(_ name: String, from table: Int) -> Step {
    let keys = tables[table].keys
    if let key = keys.first(where: { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: name) }) { return .key(key) }
    let found = keys.filter { tables[$0.parent].reference.name.isSameIdentifier(as: name) }
    guard let key = found.first else {
      let isFar = tables[table].farKeys.contains { key in
        key.columns.contains { $0.isSameIdentifier(as: name) } || key.table.name.isSameIdentifier(as: name)
      }
      return isFar ? .far : .none
    }
    return found.count == 1 ? .key(key) : .ambiguous(found)
  }

  /// The names by which paths can follow the foreign keys of a table.
  func steps(from table: Int) -> [String] {
    let keys = tables[table].keys
    let others = keys.filter { $0.parent != table || $0.columns.count > 1 }
    let names = keys.compactMap { $0.columns.count == 1 ? $0.columns[0] : nil } + others.map { tables[$0.parent].reference.name }
    return names.reduce(into: []) { result, name in
      guard case .key = step(name, from: table), !result.contains(where: { $0.isSameIdentifier(as: name) }) else { return }
      result.append(name)
    }
  }

  /// Returns the collation by which a foreign key compares a column with the referenced column; nil for that of the column.
  ///
  /// It is always the collation of the referenced column.
  func collation(of column: String, in table: Int, as referenced: String, of parent: Int) -> String? {
    let own = tables[table].columns.named(column)?.collation
    let collation = tables[parent].columns.named(referenced)?.collation
    return own?.asciiLowercased == collation?.asciiLowercased ? nil : collation ?? "BINARY"
  }

  /// A column reached by foreign keys.
  struct Path {
    var keys: [Key]
    var column: FilterColumn
  }

  /// Returns the column to which names lead; nil if they lead nowhere.
  func path(_ names: [String], from table: Int) -> Path? {
    var (keys, place): ([Key], Int) = ([], table)
    for name in names.dropLast() {
      guard case .key(let key) = step(name, from: place) else { return nil }
      keys.append(key)
      place = key.parent
    }
    return names.last.flatMap { tables[place].columns.named($0) }.map { Path(keys: keys, column: $0) }
  }
}

extension TableGraph {
  /// Reads the tables of the same database that foreign keys connect with a table, directly or not; nil if there are none.
  init?(around table: TableSchema, in database: Database) {
    guard table.entry.kind == .table, let names = try? Self.names(connectedWith: table.entry.reference, in: database), !names.isEmpty else {
      return nil
    }
    let others = names.filter { !$0.isSameIdentifier(as: table.entry.reference.name) }
    let references = [table.entry.reference] + others.map { TableReference(database: table.entry.reference.database, name: $0) }
    let schemas = references.compactMap { try? $0 == table.entry.reference ? table : database.tableSchema($0) }
    let known = Set(([table.entry.reference.name] + names).map(\.asciiLowercased))
    let places = Dictionary(
      schemas.enumerated().map { ($1.entry.reference.name.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
    tables = schemas.map { schema in
      let keys = schema.foreignKeys.compactMap { key -> Key? in
        guard let parent = places[key.table.name.asciiLowercased], key.referencedColumns.count == key.columns.count else { return nil }
        return Key(columns: key.columns, parent: parent, parentColumns: key.referencedColumns)
      }
      return Table(
        reference: schema.entry.reference, columns: FilterColumns(sampling: schema, in: database), keys: keys,
        farKeys: names.count < Self.mostTables ? [] : schema.foreignKeys.filter { !known.contains($0.table.name.asciiLowercased) })
    }
  }

  /// The maximum number of other tables.
  private static let mostTables = 47

  /// Returns the names of the other tables that foreign keys connect with a table, the nearest first.
  ///
  /// A table that refers only to itself is connected with itself.
  private static func names(connectedWith table: TableReference, in database: Database) throws -> [String] {
    var neighbors: [String: [String]] = [:]
    let sql: SQLText = """
      SELECT child.name, part."table"
      FROM \(identifier: table.database).sqlite_schema AS child, pragma_foreign_key_list(child.name, \(table.database)) AS part
      WHERE child.type = 'table' AND child.sql LIKE '%references%'
      """
    try database.scan(sql) { statement in
      let (child, parent) = try (statement.columnText(at: 0), statement.columnText(at: 1))
      neighbors[child.asciiLowercased, default: []].append(parent)
      neighbors[parent.asciiLowercased, default: []].append(child)
      return true
    }
    var (seen, names, next): (Set, [String], Int) = ([table.name.asciiLowercased], [], 0)
    var queue = [table.name]
    while next < queue.count, names.count < mostTables {
      let near = (neighbors[queue[next].asciiLowercased] ?? []).filter { seen.insert($0.asciiLowercased).inserted }
      names += near.prefix(mostTables - names.count)
      queue += near
      next += 1
    }
    return names.isEmpty && neighbors[table.name.asciiLowercased] != nil ? [table.name] : names
  }
}
