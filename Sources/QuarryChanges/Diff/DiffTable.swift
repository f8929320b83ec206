internal import QuarryEngine

/// A column with another name on each side.
struct ColumnRename: Hashable, Sendable {
  var from: String
  var to: String
}

/// A column of a table that is compared.
struct DiffColumn: Hashable, Sendable {
  /// Its name in the second database, or in the first if only that has the table.
  var name: String
  /// Its name in the first database, or nil if it does not exist there.
  var from: String?
  /// Its name in the second database, or nil if it does not exist there.
  var to: String?
}

/// A table of two databases: its key, and the columns that are compared.
struct DiffTable: Sendable {
  let name: String
  /// The table in the first database, or nil if it does not exist there.
  let before: TableSchema?
  /// The table in the second database, or nil if it does not exist there.
  let after: TableSchema?
  let key: DiffKey
  /// The columns besides the key.
  let columns: [DiffColumn]

  var reference: TableReference { (after ?? before)?.entry.reference ?? TableReference(name: name) }

  /// The names of the columns that are read, those of the key first.
  var names: [String] { key.names(in: after ?? before) + columns.map(\.name) }

  /// Whether both databases have the table, with a key of its own for each row.
  var hasUniqueKeys: Bool { before != nil && after != nil && key.kind != .wholeRows }

  /// Creates the table.
  ///
  /// - Parameters:
  ///   - ignored: The columns that are not compared.
  ///   - renames: The columns whose names differ.
  ///   - readsNewColumns: Whether columns that only the second database has are read too, as NULL in the first.
  init(
    _ name: String, _ before: TableSchema?, _ after: TableSchema?, by key: DiffKey, ignoring ignored: [String], renames: [ColumnRename],
    readsNewColumns: Bool
  ) {
    (self.name, self.before, self.after, self.key) = (name, before, after, key)
    let names = key.names(in: after ?? before)
    // The rowid of one table may have the name of another column of the other table, which is compared.
    let isShared = key.kind == .rowID && before?.column(named: names[0]).map { !$0.isRowID } ?? false && after != nil
    let excluded = (isShared ? [] : names) + ignored
    columns =
      (after ?? before)?.storedColumns.compactMap { column -> DiffColumn? in
        guard !excluded.contains(where: { $0.isSameIdentifier(as: column) }) else { return nil }
        guard let before, let after else {
          return DiffColumn(name: column, from: after == nil ? column : nil, to: before == nil ? column : nil)
        }
        if key.kind == .wholeRows { return nil }
        let renamed = renames.first { $0.to.isSameIdentifier(as: column) }?.from
        let old = renamed ?? before.column(named: column)?.name
        return old == nil && !readsNewColumns ? nil : DiffColumn(name: column, from: old, to: after.column(named: column)?.name)
      } ?? []
  }

  /// Creates a table as if only the second database had it.
  init(onlyAfterOf other: DiffTable) {
    (name, before, after, key) = (other.name, nil, other.after, other.key)
    columns = other.columns.map { DiffColumn(name: $0.name, from: nil, to: $0.to) }
  }

  /// Creates a table of which only some columns are compared.
  init(_ other: DiffTable, columns: [DiffColumn]) {
    (name, before, after, key) = (other.name, other.before, other.after, other.key)
    self.columns = columns
  }
}

extension TableSchema {
  /// The columns that are neither generated nor hidden.
  var storedColumns: [String] { columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name) }
}

/// The search for columns of a table that have other names on both sides, but the same values in all common rows.
struct RenameSearch {
  private let removed: [String]
  private let added: [String]
  /// The pairs of columns without a different value so far.
  private var candidates: Set<Pair>
  /// The pairs that have a value other than NULL.
  private var confirmed: Set<Pair> = []

  private struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  /// Begins a search, or returns nil if no column can have been renamed.
  init?(_ table: DiffTable) {
    guard let before = table.before, let after = table.after, table.key.kind != .wholeRows else { return nil }
    let keys = table.key.names(in: before) + table.key.names(in: after)
    func others(_ schema: TableSchema, than other: TableSchema) -> [String] {
      schema.storedColumns.filter { name in other.column(named: name) == nil && !keys.contains { $0.isSameIdentifier(as: name) } }
    }
    let (removed, added) = (others(before, than: after), others(after, than: before))
    guard !removed.isEmpty, !added.isEmpty, removed.count * added.count <= Self.limit else { return nil }
    (self.removed, self.added) = (removed, added)
    candidates = Set(removed.indices.flatMap { from in added.indices.map { Pair(from: from, to: $0) } })
  }

  /// The maximum number of pairs that are compared.
  private static let limit = 10_000

  /// The columns to read: the removed ones on one side, then the added ones on the other.
  var columns: [DiffColumn] { removed.map { DiffColumn(name: $0, from: $0) } + added.map { DiffColumn(name: $0, to: $0) } }

  /// Whether no pair is left.
  var isOver: Bool { candidates.isEmpty }

  /// Compares the values of a row, which follow the values of its key.
  mutating func add(_ old: ArraySlice<StoredValue>, _ new: ArraySlice<StoredValue>) {
    for pair in candidates {
      let (from, to) = (old[old.startIndex + pair.from], new[new.startIndex + removed.count + pair.to])
      if from != to { candidates.remove(pair) } else if from != .null { confirmed.insert(pair) }
    }
  }

  /// The renamed columns: each has one new name.
  var renames: [ColumnRename] {
    var (taken, found): (Set<Int>, [ColumnRename]) = ([], [])
    for from in removed.indices {
      let to = added.indices.first { to in !taken.contains(to) && candidates.intersection(confirmed).contains(Pair(from: from, to: to)) }
      guard let to else { continue }
      taken.insert(to)
      found.append(ColumnRename(from: removed[from], to: added[to]))
    }
    return found
  }
}
