internal import QuarryEngine
internal import Synchronization

/// The rows of a table in parts, handed out one after the other to the threads that read them.
final class RowParts: Sendable {
  /// A part of the rows.
  struct Part: Sendable {
    /// What its rows are among those of the table.
    enum Rows: Sendable {
      /// Those that fulfil a condition, and no others.
      case fulfilling(SQLText)
      /// Those of a query, which stands after FROM.
      case query(SQLText)
    }

    var rows: Rows
    /// The share of all rows that is handed out with this part, from 0 to 1.
    var share: Double
  }

  private enum Content: Sendable {
    /// Ranges of rowids, as long as they take.
    case rowIDs(RowIDRanges, id: SQLText)
    /// Ranges of an index.
    case ranges([SQLText])
    /// Runs of a key, which one thread reads.
    case keys(KeyParts)
  }

  private let content: Content
  /// The number of ranges of an index that have been handed out.
  private let next = Mutex(0)

  /// Makes parts of a table's rowids.
  init(_ bounds: RowIDBounds, of id: SQLText) {
    content = .rowIDs(RowIDRanges([bounds]), id: id)
  }

  /// Makes parts of ranges that are about equally long.
  init(_ ranges: IndexRanges) {
    content = .ranges(ranges.conditions)
  }

  /// Makes parts of a table that has no rowids.
  init(_ keys: KeyParts) {
    content = .keys(keys)
  }

  /// Does something with one part after the other until none is left, or the access is cancelled.
  ///
  /// - Parameter after: Is called after each part, and may take as long as it likes.
  func forEach(in database: Database, after: () throws -> Void = {}, _ body: (Part) throws -> Void) throws {
    switch content {
    case .rowIDs(let ranges, let id):
      try ranges.forEachPart(in: database, after: after) { part in
        try body(Part(rows: .fulfilling(part.condition(on: id)), share: part.share.upperBound))
      }
    case .ranges(let conditions):
      while let index = takeNext(of: conditions.count) {
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

  /// Returns the index of a part that nobody has taken; nil where there is none, and once no more are handed out.
  private func takeNext(of count: Int) -> Int? {
    next.withLock { next in
      guard next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// Hands out no more parts.
  func stop() {
    switch content {
    case .rowIDs(let ranges, _): ranges.stop()
    case .ranges, .keys: next.withLock { $0 = .max }
    }
  }
}
