internal import QuarryEngine

/// Records the cells of a table's rows that a transaction is about to change, if it can change no other values of the table.
///
/// The UPDATE itself expects the old values in its WHERE, so that no row needs to be read for the record, and no hook to report it. SQLite
/// counts every other change of the transaction: see ``updating(in:_:)``.
final class SavedCells {
  private let transaction: RecordedTransaction
  private let table: RecordedTransaction.TouchedTable

  init(_ transaction: RecordedTransaction, _ table: RecordedTransaction.TouchedTable) {
    (self.transaction, self.table) = (transaction, table)
    transaction.beginSavingCells(of: table)
  }

  /// Runs UPDATEs of saved cells without the preupdate hook, which would report each of them.
  ///
  /// - Parameter body: Returns the number of rows that its UPDATEs have changed.
  /// - Throws: Any error of `body`; ``UnsavedChange`` if SQLite has counted any other change, for example by a trigger.
  static func updating(in db: Database, _ body: () throws -> Int) throws {
    let before = db.totalChangesCount
    let updated = try db.withoutPreupdateHook(body)
    if db.totalChangesCount - before != updated { throw UnsavedChange() }
  }

  /// Returns the number of a stored column.
  func column(named name: String) -> Int? { table.layout.columns.firstIndex { $0.name == name } }

  /// Records the only cell of a row that the next UPDATE changes.
  func save(_ old: DatabaseValue, in column: Int, of rowID: Int64) throws {
    // A text is the most frequent value, and is recorded without a copy.
    if case .text(let text) = old,
      try text.utf8.withContiguousStorageIfAvailable({ try save(.text(UnsafeRawBufferPointer($0)), in: column, of: rowID) }) != nil
    {
      return
    }
    try save(CollectionOfOne(column), of: rowID) { row in
      row.append(count: column)
      row.append(old)
    }
  }

  private func save(_ old: BorrowedValue, in column: Int, of rowID: Int64) throws {
    try save(CollectionOfOne(column), of: rowID) { row in
      row.append(count: column)
      row.append(old)
    }
  }

  /// Records the cells of a row that the next UPDATE changes.
  ///
  /// - Parameters:
  ///   - columns: The columns of the cells, in ascending order.
  ///   - append: Appends the number of each of these columns, followed by the old value.
  func save(_ columns: some Sequence<Int>, of rowID: Int64, _ append: (inout RecordedBytes) -> Void) throws {
    do {
      try transaction.save(columns, of: rowID, in: table, append)
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }
}

/// An error for a change in a transaction whose changes were all to be known beforehand.
///
/// A trigger of the connection's temporary database may make one. The transaction is then repeated, and records whole rows.
struct UnsavedChange: Error {}
