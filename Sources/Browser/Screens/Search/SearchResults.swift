import QuarryEngine
import QuarryRows

/// What a search has found so far, by table, as the lines of a list.
struct SearchResults: Hashable, Sendable {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    /// A table, by its index.
    case table(Int)
    /// A hit, by the index of its table and its own.
    case hit(Int, Int)
    /// How many hits of a table are not listed.
    case more(Int)
  }

  /// What is looked for.
  let text: String
  private(set) var tables: [SearchedTable] = []
  private(set) var hits: [[SearchHit]] = []
  private(set) var lines: [Line] = []
  private var folded: Set<TableReference> = []
  /// Whether every table has been searched.
  var isComplete = false
  /// Why the search has ended before; nil where it has not.
  var problem: Problem?
  /// How long the search has taken, without the parts before it was resumed.
  private var elapsed = Duration.zero
  /// The rows that were looked at before it was resumed.
  private var formerRows = 0

  init(text: String) { self.text = text }

  /// Whether there is anything to be seen.
  var isEmpty: Bool { lines.isEmpty }

  /// The number of values that match.
  var hitCount: Int { tables.reduce(0) { $0 + $1.hitCount } }

  /// The number of tables that have been searched, with those that cannot be.
  var searchedCount: Int { tables.count(where: \.isOver) }

  /// The tables that have not been searched to their end; nil where the search has not got so far as to know them.
  var rest: [TableReference]? { tables.isEmpty ? nil : tables.filter { !$0.isOver }.map(\.table) }

  /// The number of rows that are looked at in a second; nil where too little has been.
  var rowsPerSecond: Double? {
    let rows = tables.reduce(-formerRows) { $0 + $1.rowCount }
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    return rows > 0 && seconds > 0.1 ? Double(rows) / seconds : nil
  }

  // MARK: Reports

  /// Takes what has been found.
  mutating func receive(_ report: SearchEverywhere.Report) {
    elapsed = report.elapsed
    switch report.report {
    case .tables(let listed) where tables.isEmpty: (tables, hits) = (listed, listed.map { _ in [] })
    case .tables(let listed): beginAgain(listed)
    case .progress(let progress):
      // A resumed search counts its tables anew.
      guard let index = tables.firstIndex(where: { $0.table == progress.table.table }) else { return }
      tables[index] = progress.table
      hits[index] += progress.hits
    }
    layLines()
  }

  /// Forgets what has been found in tables that are searched from their beginning.
  private mutating func beginAgain(_ listed: [SearchedTable]) {
    for table in listed {
      guard let index = tables.firstIndex(where: { $0.table == table.table }) else { continue }
      (tables[index], hits[index]) = (table, [])
    }
    formerRows = tables.reduce(0) { $0 + $1.rowCount }
  }

  // MARK: Lines

  func isFolded(_ table: Int) -> Bool { folded.contains(tables[table].table) }

  /// Folds the hits of a table, or unfolds them; returns the line of the table.
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
  /// Whether nothing more will be found in it.
  var isOver: Bool {
    switch state {
    case .waiting, .searching: false
    case .done, .failed: true
    }
  }
}
