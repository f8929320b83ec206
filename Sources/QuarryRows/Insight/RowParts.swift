internal import QuarryEngine
internal import Synchronization

/// The rows of a table in parts, handed out one after the other to the reading threads.
final class RowParts: Sendable {
  /// A part of the rows.
  struct Part: Sendable {
    /// The way to select the rows of a part.
    enum Rows: Sendable {
      /// Exactly the rows that match a condition.
      case fulfilling(SQLText)
      /// The rows of a query, as written after FROM.
      case query(SQLText)
    }

    var rows: Rows
    /// The share of all rows handed out up to the end of this part, from 0 to 1.
    var share: Double
  }

  private enum Content: Sendable {
    /// Ranges of rowids, adapted to the time they take.
    case rowIDs(RowIDRanges, id: SQLText)
    /// Ranges of an index.
    case ranges([SQLText])
    /// Runs of a key, read by one thread.
    case keys(KeyParts)
  }

  private let content: Content
  /// The number of index ranges handed out.
  private let next = Mutex(0)

  /// Creates parts from a table's rowids.
  init(_ bounds: RowIDBounds, of id: SQLText) {
    content = .rowIDs(RowIDRanges([bounds]), id: id)
  }

  /// Creates parts from ranges of similar length.
  init(_ ranges: IndexRanges) {
    content = .ranges(ranges.conditions)
  }

  /// Creates parts of a table without rowids.
  init(_ keys: KeyParts) {
    content = .keys(keys)
  }

  /// Processes one part after the other until none is left, or the rest is left to other threads, or the access is cancelled.
  ///
  /// - Parameter after: Called after each part, without a time limit.
  func forEach(in database: Database, after: () throws -> Void = {}, _ body: (Part) throws -> Void) throws {
    switch content {
    case .rowIDs(let ranges, let id):
      try ranges.forEachPart(in: database, after: after) { part in
        try body(Part(rows: .fulfilling(part.condition(on: id)), share: part.share.upperBound))
      }
    case .ranges(let conditions):
      while !database.leavesRest, let index = takeNext(of: conditions.count) {
        try body(Part(rows: .fulfilling(conditions[index]), share: Double(index + 1) / Double(conditions.count)))
        try database.cancellation?.check()
        try after()
        try database.giveWay()
      }
    case .keys(let keys):
      let isWanted = { [self] in takeNext(of: .max) != nil }
      try keys.forEachPart(in: database, while: isWanted, after: after) { try body(Part(rows: .query($0), share: 0)) }
    }
  }

  /// Returns the index of the next part; nil if all have been handed out, or after ``stop()``.
  private func takeNext(of count: Int) -> Int? {
    next.withLock { next in
      guard next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// Stops handing out parts.
  func stop() {
    switch content {
    case .rowIDs(let ranges, _): ranges.stop()
    case .ranges, .keys: next.withLock { $0 = .max }
    }
  }
}
