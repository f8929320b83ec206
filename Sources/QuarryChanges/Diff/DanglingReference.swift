package import QuarryEngine

/// The values of a foreign key that refer to a row that does not exist.
package struct DanglingReference: Hashable, Sendable {
  /// The names of the tables and the columns, in lowercase.
  private let table: String
  private let parent: String
  private let columns: [String]
  private let values: [StoredValue]

  /// Finds the dangling references of a database.
  ///
  /// Foreign keys that refer to columns without a unique index are skipped, because SQLite cannot check them either.
  package static func all(in db: Database) throws -> [DanglingReference] {
    var found: [DanglingReference] = []
    for entry in try db.catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.kind == .table {
      for key in try ForeignKeySchema.all(of: entry.reference, in: db) where try isKey(key, in: db) {
        found += try db.danglingRows(of: key, in: entry.reference).map { values, _ in
          DanglingReference(
            table: entry.reference.name.asciiLowercased, parent: key.table.name.asciiLowercased,
            columns: key.columns.map(\.asciiLowercased), values: values)
        }
      }
    }
    return found
  }

  /// Whether a foreign key refers to a table that does not exist, or to unique columns.
  private static func isKey(_ key: ForeignKeySchema, in db: Database) throws -> Bool {
    guard let parent = try? db.tableSchema(key.table) else { return true }
    let columns = Set(key.referencedColumns.map(\.asciiLowercased))
    if columns == Set(parent.primaryKey.map(\.asciiLowercased)) { return !columns.isEmpty }
    return parent.indexes.contains { index in
      index.isUnique && !index.isPartial && Set(index.terms.map { $0.column?.asciiLowercased }) == Set(columns.map(Optional.some))
    }
  }

  /// The reference as a conflict.
  package var conflict: MergeConflict {
    MergeConflict(
      .reference, table, key: Array(zip(columns, values)).map { (column: $0, value: $1) }, column: columns.joined(separator: ", "),
      theirs: .value(.text("refers to a missing row of \(parent)")))
  }
}
