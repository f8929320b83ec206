import QuarryEngine
package import QuarryRows
import QuarrySources

/// What is looked at of the rows of a grid: those of its source that a view keeps.
package struct InsightSubject: Hashable, Sendable {
  /// The rows without the view.
  var set: RowSet
  var columns: FilterColumns
  package var view: RowView
  /// The number of file changes that the rows include.
  var fileChanges: Int

  /// Creates the subject for the rows that a grid shows, or is about to show.
  init(_ grid: GridPane, view: RowView, fileChanges: Int) {
    (set, columns, self.fileChanges) = (grid.rowSet, grid.filterColumns, fileChanges)
    self.view = RowView(filter: view.filter, arguments: view.arguments)
  }

  /// Returns whether the subjects differ only by a write.
  ///
  /// If they do, the previous counts remain valid until all rows have been counted again.
  func differsByWritesAlone(from other: InsightSubject) -> Bool {
    var same = self
    same.fileChanges = other.fileChanges
    return same == other && self != other
  }

  /// Returns the rows that the view keeps.
  ///
  /// - Throws: ``Problem`` where the filter is not right, or waits for its parameters.
  func rows(in services: Services) throws -> RowSet {
    try services.rows(of: set, seenBy: view, columns: columns)
  }
}

/// The results found in the rows so far.
struct InsightReport<Content: Sendable>: ActivityReport {
  let content: Content
  let progress: RowProgress

  func badge(of activity: Activity) -> String? { progress.badge(of: activity) }
}

/// Counts the values of a column; each report has more of them.
package struct CountValues: Request {
  let subject: InsightSubject
  let column: RowSetColumn
  let binning: Binning

  static let slot = RequestSlot("counts")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "counting \(column.name)", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (InsightReport<ValueCounts>) -> Void) async throws -> ValueCounts {
    let request = CountRequest(InsightColumn(column), in: try subject.rows(in: services), binning: binning)
    return try await services.insight.counts(request) { report(InsightReport(content: $0, progress: $0.progress)) }
  }
}

/// Reported counts, which are compared by their number.
struct ListedValueCounts: Hashable, Sendable {
  let number: Int
  let counts: ValueCounts

  static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Some lines of the list of counts.
package struct CountLines: Hashable, Sendable {
  let source: ListedValueCounts
  let order: CountOrder
  /// The place of the first in the list.
  let first: Int
  let lines: [ValueCount]
  /// The count of the most frequent value of all.
  let greatest: Int

  /// Returns the line at a position of the list; nil if it is not among these lines.
  func line(at place: Int) -> ValueCount? {
    lines.indices.contains(place - first) ? lines[place - first] : nil
  }
}

/// Lists some lines of counts in an order: of many values that takes a moment.
package struct LoadCountLines: Request {
  let source: ListedValueCounts
  let order: CountOrder
  package let range: Range<Int>

  static let slot = RequestSlot("lines of counts")
  var slot: RequestSlot? { Self.slot }
  var isCancelledWhenSuperseded: Bool { false }

  /// The lines, listed at once.
  package var lines: CountLines {
    let greatest = source.counts.list(.mostFrequentFirst, 0..<1).first?.count ?? 0
    return CountLines(
      source: source, order: order, first: range.lowerBound, lines: source.counts.list(order, range), greatest: greatest)
  }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> CountLines { lines }
}

/// Looks for the next line of counts whose value, or the name behind it, contains a text, regardless of case; the first follows the last.
struct FindCountLine: Request {
  let source: ListedValueCounts
  let order: CountOrder
  let needle: String
  /// The place of the first line that is looked at.
  let start: Int
  let isBackwards: Bool
  /// The names behind the values; nil for none.
  let names: Names?

  /// The names of the rows that values refer to.
  struct Names: Hashable, Sendable {
    let key: ForeignKeySchema
    /// The columns that the user has chosen to identify rows, by the table's name in lowercase letters.
    let labels: [String: [String]]
  }

  static let slot = RequestSlot("search of counts")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "searching the values", urgency: .asked) }

  private static let step = 2_000

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Int? {
    let count = source.counts.lines
    let first = count == 0 ? 0 : (start % count + count) % count
    let parts = isBackwards ? [0..<min(first + 1, count), min(first + 1, count)..<count] : [first..<count, 0..<first]
    for part in parts {
      var rest = part
      while !rest.isEmpty {
        try Task.checkCancellation()
        let piece =
          isBackwards ? max(rest.lowerBound, rest.upperBound - Self.step)..<rest.upperBound : rest.prefix(Self.step)
        if let place = try await place(in: piece, services) { return place }
        rest = isBackwards ? rest.lowerBound..<piece.lowerBound : piece.upperBound..<rest.upperBound
      }
    }
    return nil
  }

  private func place(in piece: Range<Int>, _ services: Services) async throws -> Int? {
    let wanted = needle.lowercased()
    let lines = source.counts.list(order, piece)
    let names = try await names(behind: lines.compactMap(\.value.value), services)
    let isHit = { (line: ValueCount) in
      CountedText(line.value, glyphs: .unicode).text.lowercased().contains(wanted)
        || line.value.value.flatMap { names[$0] }?.lowercased().contains(wanted) == true
    }
    let index = isBackwards ? lines.lastIndex(where: isHit) : lines.firstIndex(where: isHit)
    return index.map { piece.lowerBound + $0 }
  }

  private func names(behind values: [DatabaseValue], _ services: Services) async throws -> [DatabaseValue: String] {
    guard let names else { return [:] }
    let values = values.filter { $0 != .null }
    let lookup = ReferenceLookup(names.key, values.map { [$0] }, labelled: names.labels)
    let rows = try await services.insight.referredRows([lookup]).first ?? []
    let labels = zip(values, rows).compactMap { value, row -> (DatabaseValue, String)? in
      if case .row(let label?) = row { (value, label) } else { nil }
    }
    return Dictionary(labels) { first, _ in first }
  }
}

/// Writes the list of counts as lines of value, tabulator and count.
struct WriteCounts: Request {
  let source: ListedValueCounts
  let order: CountOrder

  /// The greatest number of lines that are written.
  static let limit = 100_000

  var slot: RequestSlot? { RequestSlot("text of counts") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> CopyText {
    let lines = source.counts.list(order, 0..<Self.limit)
    let text = lines.map { "\(CountedText.plain($0.value))\t\($0.count)" }.joined(separator: "\n")
    let isAll = lines.count == source.counts.lines
    return CopyText(text: text, title: isAll ? Plural.of(lines.count, "count") : "the first \(Plural.of(lines.count, "count"))")
  }
}
