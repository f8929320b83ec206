internal import QuarryEngine

/// Reads rows of a table by ascending keys.
///
/// Adjacent rows are read sequentially instead of being looked up individually.
///
///     SELECT rowid, "TrackId", "Name" FROM main.Track NOT INDEXED WHERE rowid >= ?
///
/// The table must not be written meanwhile. A table with the maximum number of columns may have no room for the rowid in a result, so its
/// rows are looked up individually.
final class RecordedRowScan {
  private let reader: RecordedRowReader
  /// Reads rows from a rowid on.
  ///
  /// Nil if each row is looked up.
  private let statement: Statement?
  /// The column of the statement with the rowid.
  private let rowIDPlace: Int
  /// The number of the statement's columns before those of the layout: the rowid, if it is not one of them.
  private let leadingCount: Int
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
    rowIDPlace = layout.rowIDColumn ?? 0
    leadingCount = layout.rowIDColumn == nil ? 1 : 0
    guard let rowIDName = layout.rowIDName, layout.columns.count + leadingCount <= db.columnLimit else {
      statement = nil
      return
    }
    let name: SQLText = "\(identifier: rowIDName)"
    let columns = layout.list(layout.columns.indices)
    let values: SQLText = layout.rowIDColumn == nil ? "\(name), \(columns)" : columns
    let sql: SQLText = "SELECT \(values) FROM \(table.sqlText) NOT INDEXED WHERE \(name) >= ? ORDER BY \(name)"
    statement = try db.makeStatement(sql: sql.sql, options: .persistent)
  }

  /// Reads a row into an existing buffer.
  ///
  /// Returns whether the row exists.
  func read(_ key: RecordedRowKey, into row: inout RecordedBytes) throws -> Bool {
    row.removeAll()
    guard let values = try values(of: key) else { return false }
    row.append(values)
    return true
  }

  /// Reads the values of a row, valid until the next row is read, or returns nil if the row does not exist.
  func values(of key: RecordedRowKey) throws -> UnsafeBufferPointer<BorrowedValue>? {
    guard case .rowID(let rowID) = key else {
      // SQLite may find another row with an equal key, such as 'ABC' for 'abc' under NOCASE.
      guard let values = try reader.values(of: key), reader.layout.key(of: values) == key else { return nil }
      return values
    }
    return try values(of: rowID)
  }

  /// Reads the values of a row with a rowid, valid until the next row is read, or returns nil if the row does not exist.
  func values(of rowID: Int64) throws -> UnsafeBufferPointer<BorrowedValue>? {
    guard let statement else { return try reader.values(of: .rowID(rowID)) }
    return try find(rowID, by: statement) == rowID ? values(in: statement) : nil
  }

  /// The values of the current row in the columns of the layout.
  private func values(in statement: Statement) throws -> UnsafeBufferPointer<BorrowedValue> {
    UnsafeBufferPointer(rebasing: try statement.borrowedValues().dropFirst(leadingCount))
  }

  /// Moves to the first row with at least the rowid, and returns its rowid.
  private func find(_ rowID: Int64, by statement: Statement) throws -> Int64? {
    while let latest, latest.asked < rowID, latest.found < rowID, UInt64(bitPattern: rowID &- latest.found) <= Self.reach {
      guard try statement.step() else { break }
      self.latest = (latest.asked, try statement.columnInteger(at: rowIDPlace))
    }
    if let latest, latest.asked <= rowID, latest.found >= rowID {
      self.latest = (rowID, latest.found)
      return latest.found
    }
    latest = nil
    try statement.reset()
    try statement.bindInteger(rowID, at: 1)
    guard try statement.step() else { return nil }
    let found = try statement.columnInteger(at: rowIDPlace)
    latest = (rowID, found)
    return found
  }
}
