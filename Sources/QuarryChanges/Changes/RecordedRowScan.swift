internal import QuarryEngine

/// Reads rows of a table by ascending keys.
///
/// Adjacent rows are read sequentially instead of being looked up individually.
///
///     SELECT rowid, "TrackId", "Name" FROM main.Track NOT INDEXED WHERE rowid >= ?
///
/// The table must not be written meanwhile. A table with the maximum number of columns has no room for the rowid in a result, so its rows
/// are looked up individually.
final class RecordedRowScan {
  private let reader: RecordedRowReader
  /// Reads rows from a rowid on.
  ///
  /// Nil if each row is looked up.
  private let statement: Statement?
  /// The rowid requested last, and the rowid of the statement's current row.
  ///
  /// Nil if there is no current row.
  ///
  /// Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latest: (asked: Int64, found: Int64)?

  /// The maximum distance of a rowid that is reached by stepping.
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

  /// Reads a row into an existing buffer.
  ///
  /// Returns whether the row exists.
  func read(_ key: RecordedRowKey, into row: inout RecordedBytes) throws -> Bool {
    guard case .rowID(let rowID) = key else {
      // SQLite may find another row with an equal key, such as 'ABC' for 'abc' under NOCASE.
      return try reader.read(key, into: &row) && reader.key(of: row.bytes) == key
    }
    guard let statement else { return try reader.read(key, into: &row) }
    row.removeAll()
    guard try find(rowID, by: statement) == rowID else { return false }
    row.append(UnsafeBufferPointer(rebasing: try statement.borrowedValues().dropFirst()))
    return true
  }

  /// Moves to the first row with at least the rowid, and returns its rowid.
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
