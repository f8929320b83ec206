internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The scan of a dump, in which two threads write the parts of all sections in order.
final class DumpScan: ParallelScan {
  /// A section of a dump.
  enum Section: Sendable {
    case text([UInt8])
    case rows(DumpTable)
  }

  /// A section, or its rows in a range of rowids.
  fileprivate struct Part {
    var index: Int
    /// The index of the section.
    var place: Int
    var section: Section
    var range: RowIDRanges.Part?
    /// The ranges to which the part's range belongs.
    var ranges: RowIDRanges?
  }

  let isLarge: Bool
  private let sections: [Section]
  private let encoding: DatabaseEncoding
  private let output: OrderedOutput
  private let progress: @Sendable (RowProgress) -> Void
  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  fileprivate struct State: Sendable {
    var section = 0
    /// The remaining rows of the current section, or nil before its first part.
    var ranges: RowIDRanges?
    var parts = 0
    var rows = 0
    /// The number of written rows of each section.
    var rowCounts: [Int: Int] = [:]
    var failure: (any Error)?
  }

  init(
    _ sections: [Section], _ encoding: DatabaseEncoding, to output: OrderedOutput, progress: @escaping @Sendable (RowProgress) -> Void
  ) {
    (self.sections, self.encoding, self.output, self.progress) = (sections, encoding, output, progress)
    let tables = sections.compactMap { if case .rows(let table) = $0 { table } else { nil } }
    let counts = tables.map { $0.ids == nil ? 0 : $0.estimate }
    total = counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
    isLarge = total.map { $0 > RowIDRanges.largeTable } ?? true
  }

  /// The error that has ended the dump early, or nil if no error occurred or the dump was only cancelled.
  var failure: (any Error)? { state.withLock(\.failure) }

  func work(in database: Database) throws {
    let writer = OrderedWriter(output)
    let visitor = DumpVisitor(encoding, to: writer)
    do {
      while let part = next() {
        try database.cancellation?.check()
        writer.begin(part.index)
        try write(part, by: visitor, writer, in: database)
        try writer.end()
        progress(RowProgress(rows: note(visitor, part.place), total: total, elapsed: ContinuousClock.now - start))
      }
    } catch {
      note(error)
      stop()
      throw error
    }
  }

  private func write(_ part: Part, by visitor: DumpVisitor, _ writer: OrderedWriter, in database: Database) throws {
    switch part.section {
    case .text(let bytes): try writer.append { $0.append(bytes) }
    case .rows(let table):
      visitor.head = table.head
      guard let ranges = part.ranges else { return try visitor.visitRows(table.values, from: table.source(nil), in: database) }
      try ranges.pacing(in: database) { try visitor.visitRows(table.values, from: table.source(part.range), in: database) }
    }
  }

  /// Returns the next part, or nil if no parts remain.
  private func next() -> Part? {
    state.withLock { state in
      while sections.indices.contains(state.section) {
        let section = sections[state.section]
        guard case .rows(let table) = section, let ids = table.ids else {
          defer { state.section += 1 }
          return state.part(section, nil)
        }
        let ranges = state.ranges ?? RowIDRanges([ids.bounds])
        state.ranges = ranges
        if let range = ranges.next() { return state.part(section, range) }
        state.section += 1
        state.ranges = nil
      }
      return nil
    }
  }

  private func note(_ visitor: DumpVisitor, _ place: Int) -> Int {
    let count = visitor.takeCount()
    return state.withLock { state in
      state.rows += count
      state.rowCounts[place, default: 0] += count
      return state.rows
    }
  }

  /// Checks that all rows of the tables read by ranges have been written.
  ///
  /// See ``KeysetRows/checkReached(_:in:)``.
  func checkReached(in database: Database) throws {
    let counts = state.withLock(\.rowCounts)
    for (place, section) in sections.enumerated() {
      guard case .rows(let table) = section, table.ids != nil else { continue }
      try table.rows?.checkReached(counts[place] ?? 0, in: database)
    }
  }

  /// Stores the first error that is not the consequence of another.
  private func note(_ error: any Error) {
    guard !(error is CancellationError) else { return }
    state.withLock { $0.failure = $0.failure ?? error }
  }

  func stop() {
    state.withLock { $0.section = sections.count }
    output.stop()
  }
}

extension DumpScan.State {
  fileprivate mutating func part(_ section: DumpScan.Section, _ range: RowIDRanges.Part?) -> DumpScan.Part {
    defer { parts += 1 }
    return DumpScan.Part(index: parts, place: self.section, section: section, range: range, ranges: range == nil ? nil : ranges)
  }
}
