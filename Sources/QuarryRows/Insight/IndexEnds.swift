package import QuarryEngine

/// The minimum and maximum of columns, provided by indexes before any row is read.
///
///     SELECT (SELECT min(user_id) FROM main.events), (SELECT max(user_id) FROM main.events)
package struct IndexEnds: Sendable {
  /// The minimum and maximum by column name; NULL if a column has no other value.
  package private(set) var ends: [String: (least: DatabaseValue, greatest: DatabaseValue)] = [:]

  /// Creates an empty value.
  init() {}

  /// Reads the minimum and maximum of the columns with which an index begins.
  ///
  /// Partial indexes are not used, because they lack rows. Neither are indexes with another collation than the column's, which SQLite would
  /// scan completely. The direction of an index does not matter.
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

  /// Returns a value, or the beginning of a long one.
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
  /// Returns whether an index provides the minimum and maximum of a column.
  fileprivate func hasEnds(of column: RowSetColumn) -> Bool {
    guard let column = column.schema else { return false }
    return column.isRowID
      || indexes.contains { index in
        guard !index.isPartial, let first = index.terms.first else { return false }
        return first.column?.isSameIdentifier(as: column.name) == true && first.collation.isSameIdentifier(as: column.collation)
      }
  }
}
