internal import QuarryEngine

/// The number of rows and a checksum of a new table after a commit.
struct RecordedTableSum: Hashable, CustomStringConvertible {
  let layout: RecordedLayout
  let count: Int
  private let checksum: UInt64

  /// Reads all rows of a table.
  ///
  ///     SELECT rowid, "TrackId", "Name" FROM main.Track ORDER BY rowid
  init(of table: TableReference, in db: Database) throws {
    layout = try RecordedLayout(of: table, in: db)
    var (count, checksum) = (0, Checksum())
    let columns = layout.list(layout.columns.indices)
    let key: SQLText = layout.rowIDName.map { "\(identifier: $0)" } ?? layout.list(layout.keyColumns)
    // A table with the maximum number of columns leaves no room for the rowid in a result.
    let hasRoom = layout.columns.count < db.columnLimit
    let first: SQLText = hasRoom ? layout.rowIDName.map { "\(identifier: $0), " } ?? "NULL, " : ""
    try db.scan("SELECT \(first)\(columns) FROM \(table.sqlText) ORDER BY \(key)") { statement in
      var row = RecordedBytes()
      row.append(try statement.borrowedValues())
      checksum.add(row.bytes)
      count += 1
      return true
    }
    (self.count, self.checksum) = (count, checksum.value)
  }

  /// The sum as stored in the record.
  var description: String { "\(count):\(String(checksum, radix: 16))" }
}
