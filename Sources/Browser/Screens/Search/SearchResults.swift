import QuarryEngine
import QuarryRows

/// The hits of a search, by table, as the lines of a list.
struct SearchResults: Hashable, Sendable {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    /// A table, by its index.
    case table(Int)
    /// A hit, by the index of its table and its index within that table.
    case hit(Int, Int)
    /// The line after the listed hits of a table with more hits, by the index of the table.
    case more(Int)
  }

  /// The text that is searched for.
  let text: String
  private(set) var tables: [SearchedTable] = []
  private(set) var hits: [[SearchHit]] = []
  private(set) var lines: [Line] = []
  private var folded: Set<TableReference> = []
  /// Whether every table has been searched.
  var isComplete = false
  /// The reason why the search ended early; nil if it did not.
  var problem: Problem?
  /// The duration of the search, without the time before it was resumed.
  private var elapsed = Duration.zero
  /// The number of rows read before the search was resumed.
  private var formerRows = 0

  init(text: String) { self.text = text }

  /// Whether the list is empty.
  var isEmpty: Bool { lines.isEmpty }

  /// The number of matching values.
  var hitCount: Int { tables.reduce(0) { $0 + $1.hitCount } }

  /// The number of searched tables, including tables that cannot be searched.
  var searchedCount: Int { tables.count(where: \.isOver) }

  /// The tables that have not been searched completely; nil if the list of tables is not known yet.
  var rest: [TableReference]? { tables.isEmpty ? nil : tables.filter { !$0.isOver }.map(\.table) }

  /// The number of rows read per second; nil if too few have been read.
  var rowsPerSecond: Double? {
    let rows = tables.reduce(-formerRows) { $0 + $1.rowCount }
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    return rows > 0 && seconds > 0.1 ? Double(rows) / seconds : nil
  }

  // MARK: Reports

  /// Adds the hits of a report.
  mutating func receive(_ report: SearchEverywhere.Report) {
    elapsed = report.elapsed
    switch report.report {
    case .tables(let listed) where tables.isEmpty: (tables, hits) = (listed, listed.map { _ in [] })
    case .tables(let listed): beginAgain(listed)
    case .progress(let progress):
      // A resumed search numbers its tables from the beginning.
      guard let index = tables.firstIndex(where: { $0.table == progress.table.table }) else { return }
      tables[index] = progress.table
      hits[index] += progress.hits
    }
    layLines()
  }

  /// Removes the hits in tables that are searched again from the beginning.
  private mutating func beginAgain(_ listed: [SearchedTable]) {
    for table in listed {
      guard let index = tables.firstIndex(where: { $0.table == table.table }) else { continue }
      (tables[index], hits[index]) = (table, [])
    }
    formerRows = tables.reduce(0) { $0 + $1.rowCount }
  }

  // MARK: Lines

  func isFolded(_ table: Int) -> Bool { folded.contains(tables[table].table) }

  /// Folds or unfolds the hits of a table; returns the line of the table.
  mutating func toggleFold(_ table: Int) -> Int {
    let name = tables[table].table
    if folded.remove(name) == nil { folded.insert(name) }
    layLines()
    return lines.firstIndex(of: .table(table)) ?? 0
  }

  private mutating func layLines() {
    lines = []
    for (index, table) in tables.enumerated() where table.hitCount > 0 || table.failure != nil {
      lines.append(.table(index))
      guard !isFolded(index) else { continue }
      lines += hits[index].indices.map { .hit(index, $0) }
      if table.isOver, table.hitCount > hits[index].count, table.failure == nil { lines.append(.more(index)) }
    }
  }
}

extension SearchResults.Line {
  /// The index of the table that the line belongs to.
  var table: Int {
    switch self {
    case .table(let table), .hit(let table, _), .more(let table): table
    }
  }
}

extension SearchedTable {
  /// Whether the search of the table has ended.
  var isOver: Bool {
    switch state {
    case .waiting, .searching: false
    case .done, .failed: true
    }
  }
}
