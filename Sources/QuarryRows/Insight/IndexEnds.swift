package import QuarryEngine

/// The least and the greatest value of columns, as indexes give them before any row has been read.
///
///     SELECT (SELECT min(user_id) FROM main.events), (SELECT max(user_id) FROM main.events)
package struct IndexEnds: Sendable {
  /// The ends by the names of their columns; NULL where a column has no other value.
  package private(set) var ends: [String: (least: DatabaseValue, greatest: DatabaseValue)] = [:]

  /// Makes ends of no column.
  init() {}

  /// Reads the ends of those of some columns that an index begins with.
  ///
  /// No partial index is taken, which lacks rows, and none of another collation than the column's, by which SQLite would go through all of
  /// it. Whether an index goes up or down does not matter.
  package init(of columns: [RowSetColumn], in schema: TableSchema, _ database: Database) throws {
    for column in columns where schema.hasEnds(of: column) {
      let source = schema.entry.reference.sqlText
      let sql: SQLText = "SELECT (SELECT min(\(column.sqlText)) FROM \(source)), (SELECT max(\(column.sqlText)) FROM \(source))"
      try database.scan(sql) { statement in
        var found: [DatabaseValue] = []
        found += try statement.borrowedValues().map { Self.beginning(of: $0) }
        ends[column.name] = (found[0], found[1])
        return false
      }
    }
  }

  /// Returns a value, of a long one the beginning.
  private static func beginning(of value: BorrowedValue) -> DatabaseValue {
    switch value {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let bytes): .text(beginning: Array(bytes.prefix(FrequencyTable.prefixLimit)))
    case .blob(let bytes): .blob(Array(bytes.prefix(FrequencyTable.prefixLimit)))
    }
  }
}

extension TableSchema {
  /// Returns whether an index leads to the least and the greatest value of a column.
  fileprivate func hasEnds(of column: RowSetColumn) -> Bool {
    guard let column = column.schema else { return false }
    return column.isRowID
      || indexes.contains { index in
        guard !index.isPartial, let first = index.terms.first else { return false }
        return first.column?.isSameIdentifier(as: column.name) == true && first.collation.isSameIdentifier(as: column.collation)
      }
  }
}
