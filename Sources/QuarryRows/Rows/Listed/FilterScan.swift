internal import QuarryEngine
internal import Synchronization

/// A scan for the rows of a table that match a condition, in rowid order, on several threads, range by range.
///
///     SELECT rowid FROM main.events WHERE (note LIKE ?) AND rowid BETWEEN ? AND ?
final class FilterScan: ParallelScan {
  private let rows: KeysetRows
  private let id: SQLText
  private let list: KeyList
  private let ranges: RowIDRanges
  private let total: Int
  private let found = Mutex(Found())

  /// The rows found in ranges before which other ranges are not finished.
  private struct Found: Sendable {
    var next = 0
    var waiting: [Int: Part] = [:]
  }

  private struct Part: Sendable {
    var ids: [Int64]
    /// The share of all rowids in the ranges up to and including this one.
    var share: Double
  }

  let isLarge: Bool

  /// Creates a scan that lists the rows that match the condition.
  ///
  /// - Parameters:
  ///   - rows: Rows in rowid order; for other rows the initializer returns nil.
  ///   - total: The approximate number of rows of the table.
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
        // The rows found so far are shown however long the next takes.
        deliver(&ids, of: part.index)
        return false
      } during: {
        try read(part, in: database) { ids.append($0) }
      }
      finish(Part(ids: ids, share: part.share.upperBound), part.index)
    }
  }

  /// Reads the rows of a part, and lets writers proceed as soon as they appear.
  private func read(_ part: RowIDRanges.Part, in database: Database, _ found: (Int64) -> Void) throws {
    var left: RowIDRanges.Part? = part
    var tries = 0
    while let part = left {
      var last: Int64?
      tries += 1
      let mayEnd = tries < Self.mostTries
      let isEnded = try database.endingLate(if: { mayEnd }) {
        try database.scan("SELECT \(id) FROM \(rows.source(where: part.condition(on: id))) ORDER BY \(id)") { statement in
          let row = try statement.columnInteger(at: 0)
          found(row)
          last = row
          return true
        }
      }
      guard isEnded else { return }
      try database.giveWay()
      if let last { left = part.rest(after: last) }
    }
  }

  /// The maximum number of times that the rest of a part is read for writers that appear.
  private static let mostTries = 8

  func stop() {
    ranges.stop()
  }

  /// Adds the rows found so far in a range to the list, if all preceding ranges are complete.
  private func deliver(_ ids: inout [Int64], of index: Int) {
    guard !ids.isEmpty else { return }
    found.withLock { found in
      guard found.next == index else { return }
      list.append(ids)
      ids = []
    }
  }

  /// Adds the remaining rows of a range to the list, once all preceding ranges are complete.
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
  /// The number of rows from which a scan is worth another connection.
  package static let largeTable = 20_000
}
