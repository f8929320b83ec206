internal import QuarryEngine

/// The rows of a query about a large table that are known before the whole table has been read.
///
/// Their values are not final. A row that was once among them is among all later ones, with the same key.
package final class RowsSoFar: Sendable {
  /// The number of rows of the query so far, of which ``rows(of:)`` returns the ones found first.
  package let count: Int
  /// The number of rows of the table whose values are included.
  package let read: Int
  private let store: @Sendable () throws -> ReturnedRows

  /// - Parameter store: Stores the rows in an order in which later ones are added at the end.
  init(count: Int, read: Int, _ store: @escaping @Sendable () throws -> ReturnedRows) {
    (self.count, self.read, self.store) = (count, read, store)
  }

  /// Returns the rows in the order of a set, whose source is the query; nil for a set with a filter, which needs final values.
  ///
  /// - Throws: `DatabaseError`
  package func rows(of set: RowSet) throws -> [WindowRow]? {
    guard !set.isNarrowed else { return nil }
    let stored = try store()
    let sequence = RowSequence(returned: stored, of: set)
    let width = sequence.columns.count
    return try stored.connections.background.read { database in
      let cursor = try sequence.makeCursor(in: database)
      var rows: [WindowRow] = []
      while try cursor.step() {
        // A sorted sequence returns the place of the row in a further column.
        let place = set.order.isNatural ? rows.count : Int(try cursor.columnInteger(at: width)) - 1
        rows.append(WindowRow(key: .position(place), cells: try cursor.cells(width, limit: CellValue.prefixLimit)))
      }
      return rows
    }
  }
}

extension RowsSoFar: Hashable {
  package static func == (left: RowsSoFar, right: RowsSoFar) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
