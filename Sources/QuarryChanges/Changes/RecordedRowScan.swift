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
  /// Looks up each row.
  ///
  /// Nil if the rows are read from a rowid on.
  private let reader: RecordedRowReader?
  /// Reads rows from a rowid on.
  ///
  /// Nil if each row is looked up.
  private let statement: Statement?
  /// The column of the statement with the rowid.
  private let rowIDPlace: Int
  /// The number of the statement's columns before those of the layout: the rowid, if it is not one of them.
  private let leadingCount: Int
  /// The rowid requested last, and the rowid and the values of the statement's current row.
  ///
  /// Nil if there is no current row.
  ///
  /// Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latest: (asked: Int64, found: Int64, values: UnsafeBufferPointer<BorrowedValue>)?

  /// The maximum distance of a rowid that is reached by stepping.
  private static let reach: UInt64 = 4

  /// Prepares reading rows.
  ///
  /// - Parameter columns: The columns to read of a table whose rowid is a column, which is not among them. Nil for all columns.
  init(_ layout: RecordedLayout, only columns: [Int]? = nil, of table: TableReference, in db: Database) throws {
    let hasRowID = columns == nil && layout.rowIDColumn != nil
    rowIDPlace = hasRowID ? layout.rowIDColumn ?? 0 : 0
    leadingCount = hasRowID ? 0 : 1
    let columns = columns ?? Array(layout.columns.indices)
    guard let rowIDName = layout.rowIDName, columns.count + leadingCount <= db.columnLimit else {
      statement = nil
      reader = try RecordedRowReader(layout, of: table, in: db)
      return
    }
    reader = nil
    let name: SQLText = "\(identifier: rowIDName)"
    let list = columns.isEmpty ? [] : [layout.list(columns)]
    let values = ((hasRowID ? [] : [name]) + list).joined(by: ", ")
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
      guard let reader, let values = try reader.values(of: key), reader.layout.key(of: values) == key else { return nil }
      return values
    }
    return try values(of: rowID)
  }

  /// Reads the values of a row with a rowid, valid until the next row is read, or returns nil if the row does not exist.
  func values(of rowID: Int64) throws -> UnsafeBufferPointer<BorrowedValue>? {
    guard let statement else { return try reader?.values(of: .rowID(rowID)) }
    while let latest, latest.asked < rowID, latest.found < rowID, UInt64(bitPattern: rowID &- latest.found) <= Self.reach {
      guard try step(statement, asking: latest.asked) else { break }
    }
    if let latest, latest.asked <= rowID, latest.found >= rowID {
      self.latest?.asked = rowID
    } else {
      latest = nil
      try statement.reset()
      try statement.bindInteger(rowID, at: 1)
      guard try step(statement, asking: rowID) else { return nil }
    }
    return latest?.found == rowID ? latest?.values : nil
  }

  /// Moves to the next row, and returns whether there is one.
  private func step(_ statement: Statement, asking rowID: Int64) throws -> Bool {
    guard try statement.step() else { return false }
    let values = try statement.borrowedValues()
    guard case .integer(let found) = values[rowIDPlace] else { return false }
    latest = (rowID, found, UnsafeBufferPointer(rebasing: values.dropFirst(leadingCount)))
    return true
  }
}
