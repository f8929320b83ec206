package import QuarryEngine
package import QuarryRows
import QuarrySources
import Terminal

/// The list of databases, tables and views on the left.
package struct CatalogPane: Sendable {
  /// Whether the user wants the pane shown or hidden; if nil, it is shown if there is enough room, and while it has the focus.
  var isWanted: Bool?
  private(set) var catalog: Catalog? {
    didSet { measure() }
  }
  /// The columns of the widest name that has a number of rows beside it, and of the widest other line, each with its indentation.
  private(set) var countedColumns = 0
  private(set) var otherColumns = 0
  private(set) var problem: Problem?
  /// The filter on names; nil for none.
  package var filter: TextField?
  /// Whether the filter has the focus.
  var isTyping = false
  /// Whether the filter only finds a table, and ends once that is open.
  private var isPassing = false
  private var folded: Set<CatalogGroup> = []
  private var unfolded: Set<CatalogGroup> = []
  /// The tables to be counted, once nothing is being opened.
  private var uncounted: [TableReference] = []
  /// The visible lines in order, without folded ones.
  package private(set) var lines: [CatalogLine] = []
  /// The index of the line under the cursor, and of the first visible line.
  private(set) var cursor = 0
  private(set) var top = 0
  var height = 1 {
    didSet { reveal() }
  }

  var current: CatalogLine? { lines.indices.contains(cursor) ? lines[cursor] : nil }

  /// The table under the cursor.
  package var currentTable: TableReference? {
    if case .entry(let entry)? = current?.content { entry.reference } else { nil }
  }

  /// Every table and view, those of `main` first.
  package var tables: [CatalogEntry] { catalog?.tables ?? [] }

  // MARK: Reading

  /// Reads the list of tables.
  func load(_ context: inout ScreenContext<Self>) {
    context.ask(LoadCatalog()) { pane, context, result in pane.receive(result, &context) }
  }

  private mutating func receive(_ result: Result<Catalog, Problem>, _ context: inout ScreenContext<Self>) {
    switch result {
    case .success(let catalog): (self.catalog, problem) = (catalog, nil)
    case .failure(let problem):
      // A list that was read before remains, because perhaps only the connection to the server has failed.
      if catalog == nil { self.problem = problem }
      context.notify(problem.text, .error)
    }
    rebuild()
    context.workspace.source.hasCatalog = catalog != nil
    uncounted = tables.filter(\.isCounted).map(\.reference)
    // The pane of rows knows what is being opened.
    context.send(RowsIntent.catalogRead)
  }

  /// Opens the first table of the first file, leaving the focus here.
  mutating func openFirst(_ context: inout ScreenContext<Self>) {
    let options = context.environment.options
    let database = options.opened.files.first?.database ?? "main"
    // Tables of files and databases are listed by name, and `main` first.
    let first = options.firstTable ?? (database == "main" ? nil : lines.lazy.compactMap(\.table).first { $0.database == database })
    if let first { select(first) }
    guard let table = currentTable else { return countTables(&context) }
    context.send(RowsIntent.show(table))
  }

  /// Counts the tables, after the rows that are being opened and their count.
  mutating func countTables(_ context: inout ScreenContext<Self>) {
    guard !uncounted.isEmpty else { return }
    let tables = uncounted
    uncounted = []
    context.ask(CountTables(tables: tables)) { _, context, count in
      context.workspace.note(count.number, of: count.table)
    } then: { _, _, _ in
    }
  }

  private mutating func measure() {
    (countedColumns, otherColumns) = (0, 0)
    for line in CatalogLine.lines(of: catalog, filter: "", isFolded: \.isFoldedAtFirst) {
      let indent = 1 + 2 * line.depth
      switch line.content {
      case .database(let database): otherColumns = max(otherColumns, indent + TextWidth.columns(of: database.name) + 1)
      case .group(let group, let count):
        otherColumns = max(otherColumns, indent + TextWidth.columns(of: group.title) + Plural.grouped(count).count + 4)
      case .entry(let entry) where entry.isCounted:
        countedColumns = max(countedColumns, indent + 1 + TextWidth.columns(of: entry.reference.name))
      case .entry(let entry): otherColumns = max(otherColumns, indent + 2 + TextWidth.columns(of: entry.reference.name))
      }
    }
  }

  // MARK: The filter

  /// Begins to narrow the list by name.
  ///
  /// - Parameter isPassing: Whether the list is whole again once a table has been opened.
  mutating func beginFilter(isPassing: Bool) {
    filter = isPassing ? TextField() : filter ?? TextField()
    (isTyping, self.isPassing) = (true, isPassing)
  }

  /// Ends writing the filter; one that only found the table is taken away.
  mutating func endFilter() {
    isTyping = false
    guard isPassing else { return }
    (filter, isPassing) = (nil, false)
    rebuild()
  }

  // MARK: The cursor

  mutating func move(by count: Int) {
    cursor = min(max(cursor + count, 0), max(0, lines.count - 1))
    reveal()
  }

  mutating func scroll(by count: Int) {
    top = min(max(0, top + count), max(0, lines.count - height))
    cursor = min(max(cursor, top), max(top, min(top + height, lines.count) - 1))
  }

  mutating func select(_ index: Int) {
    move(by: index - cursor)
  }

  /// Moves the cursor to a table, unfolding its group.
  mutating func select(_ table: TableReference) {
    if let index = lines.firstIndex(where: { $0.table == table }) { return select(index) }
    guard let entry = tables.first(where: { $0.reference == table }) else { return }
    setFolded(false, CatalogGroup(of: entry))
    if let index = lines.firstIndex(where: { $0.table == table }) { select(index) }
  }

  /// Folds or unfolds the group under the cursor, or the group of the table under it.
  mutating func setFolded(_ isFolded: Bool) {
    switch current?.content {
    case .group(let group, _): setFolded(isFolded, group)
    case .entry(let entry) where isFolded:
      let group = CatalogGroup(of: entry)
      setFolded(true, group)
      if let index = lines.firstIndex(where: { $0.group == group }) { select(index) }
    case .entry, .database, nil: break
    }
  }

  func isFolded(_ group: CatalogGroup) -> Bool {
    guard filter?.isEmpty ?? true else { return false }
    return group.isFoldedAtFirst ? !unfolded.contains(group) : folded.contains(group)
  }

  private mutating func setFolded(_ isFolded: Bool, _ group: CatalogGroup) {
    if isFolded { folded.insert(group); unfolded.remove(group) } else { folded.remove(group); unfolded.insert(group) }
    rebuild()
  }

  /// Rebuilds the lines, keeping the cursor on its table or heading.
  mutating func rebuild() {
    let before = current
    lines = CatalogLine.lines(of: catalog, filter: filter?.text ?? "", isFolded: isFolded)
    let index = before.flatMap { before in lines.firstIndex { $0.isSameEntry(as: before) } }
    let first = lines.firstIndex { $0.table != nil } ?? 0
    cursor = min(index ?? (before == nil ? first : cursor), max(0, lines.count - 1))
    if !(filter?.isEmpty ?? true), current?.table == nil { cursor = first }
    reveal()
  }

  /// Moves the cursor to the table whose name matches the filter best; the lines keep their order.
  mutating func selectBestMatch() {
    guard filter?.isEmpty == false, let best = lines.filter({ $0.table != nil }).map(\.score).max() else { return }
    if let index = lines.firstIndex(where: { $0.table != nil && $0.score == best }) { select(index) }
  }

  private mutating func reveal() {
    top = max(min(top, cursor), cursor - height + 1, 0)
    top = min(top, max(0, lines.count - height))
    // A heading right above the first table is shown with it.
    if cursor > 0, cursor == top, lines[0..<cursor].allSatisfy({ $0.table == nil }), cursor < height { top = 0 }
  }
}

/// Reads the tables and views.
package struct LoadCatalog: Request {
  var slot: RequestSlot? { RequestSlot("catalog") }
  var isCancelledWhenSuperseded: Bool { false }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Catalog {
    try await services.source.catalog()
  }
}

/// A request that counts the rows of tables, one table at a time; tables that cannot be counted are skipped.
package struct CountTables: Request {
  let tables: [TableReference]

  package struct Count: Sendable {
    var table: TableReference
    var number: RowNumber

    package init(table: TableReference, number: RowNumber) {
      (self.table, self.number) = (table, number)
    }
  }

  static let slot = RequestSlot("table counts")
  var slot: RequestSlot? { Self.slot }

  func run(in services: Services, report: @escaping @Sendable (Count) -> Void) async throws {
    for table in tables where !Task.isCancelled {
      if let number = await count(of: table, in: services) { report(Count(table: table, number: number)) }
    }
  }

  /// Returns the number of a table's rows; where a grid counts them too, its result is shared.
  private func count(of table: TableReference, in services: Services) async -> RowNumber? {
    let set = RowSet(.table(table))
    if let number = try? await services.openReader(of: set)?.count(), number.isExact { return number }
    guard let number = try? await services.source.backgroundReader(of: set).count(), number.isExact else { return nil }
    return number
  }
}

extension Catalog {
  /// Every table and view, those of `main` first.
  var tables: [CatalogEntry] { databases.flatMap(\.entries) }
}

extension CatalogEntry {
  /// Whether its rows are counted: counting a view or a virtual table may take arbitrarily long.
  var isCounted: Bool {
    switch kind {
    case .table, .shadow: true
    case .view, .virtual, .system: false
    }
  }
}
