internal import QuarryEngine

/// Records the rows of a table before they change, if they have been read for another reason.
///
/// The preupdate hook then need not read them.
struct SavedRows {
  private let transaction: RecordedTransaction
  private let table: RecordedTransaction.TouchedTable

  init(_ transaction: RecordedTransaction, _ table: RecordedTransaction.TouchedTable) {
    (self.transaction, self.table) = (transaction, table)
  }

  /// Records the values of a row.
  func save(_ row: borrowing RecordedBytes, of rowID: Int64) throws {
    do {
      try transaction.save(row, of: rowID, in: table)
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }
}
