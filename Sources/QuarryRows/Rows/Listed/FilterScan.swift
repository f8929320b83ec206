internal import QuarryEngine
internal import Synchronization

/// Finds the rows of a table that a condition keeps, in the order of their rowids, on several threads range by range.
///
///     SELECT rowid FROM main.events WHERE (note LIKE ?) AND rowid BETWEEN ? AND ?
final class FilterScan: ParallelScan {
  private let rows: KeysetRows
  private let id: SQLText
  private let list: KeyList
  private let ranges: RowIDRanges
  private let total: Int
  private let found = Mutex(Found())

  /// What was found in ranges before which others are not finished.
  private struct Found: Sendable {
    var next = 0
    var waiting: [Int: Part] = [:]
  }

  private struct Part: Sendable {
    var ids: [Int64]
    /// How much of all rowids has been looked at with those of this range and all before it.
    var share: Double
  }

  let isLarge: Bool

  /// Makes a scan that lists the rows for which the condition holds.
  ///
  /// - Parameters:
  ///   - rows: Rows by their rowid; for any others the initializer returns nil.
  ///   - total: About how many rows the table has.
  init?(_ rows: KeysetRows, into list: KeyList, bounds: RowIDBounds, total: Int) {
    guard let id = rows.rowIDColumn else { return nil }
    (self.rows, self.id) = (rows, id)
    self.list = list
    self.total = total
    isLarge = total > RowIDRanges.largeTable
    ranges = RowIDRanges([bounds])
  }

  func work(in database: Database) throws {
    try ranges.forEachPart(in: database) { part in
      var ids: [Int64] = []
      try database.withProgress(every: OrderedQuery.stepsBetweenLooks) {
        // What has been found is shown, however long the next takes.
        deliver(&ids, of: part.index)
        return false
      } during: {
        try database.scan("SELECT \(id) FROM \(rows.source(where: part.condition(on: id))) ORDER BY \(id)") { statement in
          try ids.append(statement.columnInteger(at: 0))
          return true
        }
      }
      finish(Part(ids: ids, share: part.share.upperBound), part.index)
    }
  }

  func stop() {
    ranges.stop()
  }

  /// Puts into the list what has been found so far in a range, where all before it is there.
  private func deliver(_ ids: inout [Int64], of index: Int) {
    guard !ids.isEmpty else { return }
    found.withLock { found in
      guard found.next == index else { return }
      list.append(ids)
      ids = []
    }
  }

  /// Puts into the list the rest of what was found in a range, once all before it is there.
  private func finish(_ part: Part, _ index: Int) {
    found.withLock { found in
      found.waiting[index] = part
      while let part = found.waiting.removeValue(forKey: found.next) {
        found.next += 1
        list.set(read: Int(part.share * Double(total)), of: total)
        if !part.ids.isEmpty { list.append(part.ids) }
      }
    }
  }
}

extension RowIDRanges {
  /// The number of rows from which on a scan is worth a further connection.
  package static let largeTable = 20_000
}
