internal import QuarryEngine

/// Reads rows of a table whose keys come in their order: rows that lie together are read one after the other, not looked for each.
///
///     SELECT rowid, "TrackId", "Name" FROM main.Track NOT INDEXED WHERE rowid >= ?
///
/// Nothing is written to the table meanwhile. A table with as many columns as SQLite takes leaves none for the rowid: its rows are looked for.
final class RecordedRowScan {
  private let reader: RecordedRowReader
  /// Reads rows from a rowid on; nil where each is looked for.
  private let statement: Statement?
  /// The rowid that was asked for last, and that of the row on which the statement stands; nil where it stands on none.
  private var latest: (asked: Int64, found: Int64)?

  /// How far away a row may be to be reached row by row.
  private static let reach: UInt64 = 4

  init(_ layout: RecordedLayout, of table: TableReference, in db: Database) throws {
    reader = try RecordedRowReader(layout, of: table, in: db)
    guard let rowIDName = layout.rowIDName, layout.columns.count < db.columnLimit else {
      statement = nil
      return
    }
    let (name, columns) = ("\(identifier: rowIDName)" as SQLText, layout.list(layout.columns.indices))
    let sql: SQLText = "SELECT \(name), \(columns) FROM \(table.sqlText) NOT INDEXED WHERE \(name) >= ? ORDER BY \(name)"
    statement = try db.makeStatement(sql: sql.sql, options: .persistent)
  }

  /// Reads a row in place of another; returns whether there is one.
  func read(_ key: RecordedRowKey, into row: inout RecordedBytes) throws -> Bool {
    guard case .rowID(let rowID) = key else {
      // Another row may be taken for the same key, as 'ABC' is for 'abc' under NOCASE.
      return try reader.read(key, into: &row) && reader.key(of: row.bytes) == key
    }
    guard let statement else { return try reader.read(key, into: &row) }
    row.removeAll()
    guard try find(rowID, by: statement) == rowID else { return false }
    for value in try statement.borrowedValues().dropFirst() { row.append(value) }
    return true
  }

  /// Goes to the first row that has the rowid or a greater one; returns which it has.
  private func find(_ rowID: Int64, by statement: Statement) throws -> Int64? {
    while let latest, latest.asked < rowID, latest.found < rowID, UInt64(bitPattern: rowID &- latest.found) <= Self.reach {
      guard try statement.step() else { break }
      self.latest = (latest.asked, try statement.columnInteger(at: 0))
    }
    if let latest, latest.asked <= rowID, latest.found >= rowID {
      self.latest = (rowID, latest.found)
      return latest.found
    }
    latest = nil
    try statement.reset()
    try statement.bindInteger(rowID, at: 1)
    guard try statement.step() else { return nil }
    let found = try statement.columnInteger(at: 0)
    latest = (rowID, found)
    return found
  }
}
