import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

extension KeyContext {
  static let diff = KeyContext("diff", place: "in the comparison")
}

/// The differences of two databases: on the left the tables, on the right the rows or the schema.
struct DiffScreen: Sendable {
  /// A line of the list on the left.
  enum Entry: Hashable, Sendable {
    case schema
    /// A table, by its index in the comparison.
    case table(Int)
  }

  /// The parts of the screen that can have the focus.
  enum Pane: Hashable, Sendable {
    case list, changes
  }

  /// The state of the comparison.
  enum Phase: Hashable, Sendable {
    case running, ended, stopped
    case failed(Problem)
  }

  let subject: DiffSubject
  /// Whether no database is open below the screen, so that closing it quits the program.
  let isAlone: Bool
  private(set) var phase = Phase.running
  private(set) var progress: DiffProgress?
  /// The tables whose definitions, indexes or triggers differ, in lowercase.
  private(set) var changedTables: Set<String> = []
  /// Whether the databases have been written since they were compared.
  private(set) var isOutdated = false
  private(set) var entry = Entry.schema
  var pane = Pane.list
  var list = ListCursor()
  var rows = DiffRowsState()
  var schema = DiffSchemaState()
  var filters = DiffFilters()
  var needle: String?
  /// Whether old and new rows are side by side.
  var isSideBySide = false
  /// Whether the user has chosen an entry of the list.
  private var isChosen = false

  init(_ subject: DiffSubject, isAlone: Bool) {
    (self.subject, self.isAlone) = (subject, isAlone)
  }

  var tables: [ComparedTable] { progress?.tables ?? [] }
  var schemaChanges: [SchemaDifference] { progress?.schema ?? [] }

  // MARK: The list

  /// The lines of the list: the schema, the tables that differ or have not been compared yet, and the equal tables.
  var entries: [Entry] {
    let tables = tables
    let indices = tables.indices.filter { !tables[$0].isSame } + tables.indices.filter { tables[$0].isSame }
    return (subject.comparesSchema ? [.schema] : []) + indices.map(Entry.table)
  }

  /// The table under the cursor of the list, or nil for the schema.
  var table: ComparedTable? {
    guard case .table(let index) = entry, tables.indices.contains(index) else { return nil }
    return tables[index]
  }

  var tableIndex: Int? {
    guard case .table(let index) = entry, tables.indices.contains(index) else { return nil }
    return index
  }

  /// Returns the number of changes of an entry; those of a filtered table match its filter.
  func count(of entry: Entry) -> Int {
    switch entry {
    case .schema: schemaChanges.count
    case .table(let index): tables.indices.contains(index) ? filters.count(of: index) ?? tables[index].stored : 0
    }
  }

  /// The number of changes on the right.
  var count: Int { count(of: entry) }

  /// Selects an entry, with the cursor on a change.
  mutating func select(_ entry: Entry, at position: Int = 0) {
    isChosen = true
    show(entry)
    if entry == .schema { schema.select(position) } else { rows.select(position) }
    rows.reveals = .change
  }

  private mutating func show(_ entry: Entry) {
    if entry != self.entry { (rows, schema) = (rows.forAnotherTable, DiffSchemaState()) }
    self.entry = entry
    list.move(to: entries.firstIndex(of: entry) ?? 0, of: entries.count)
  }

  /// Moves in the list.
  mutating func moveInList(by step: Int) {
    let entries = entries
    let index = min(max(0, (entries.firstIndex(of: entry) ?? 0) + step), max(0, entries.count - 1))
    if entries.indices.contains(index), entries[index] != entry { select(entries[index]) }
  }

  /// The position of the change under the cursor, from 0.
  var position: Int { entry == .schema ? schema.cursor : rows.cursor }

  /// Goes to the next or the previous change, over all entries; returns whether there is one.
  mutating func goToChange(by step: Int) -> Bool {
    let isIn = pane == .changes
    pane = .changes
    if !isIn, count > 0 { return true }
    let next = position + step
    if (0..<count).contains(next) {
      select(entry, at: next)
      return true
    }
    let entries = entries
    let index = entries.firstIndex(of: entry) ?? 0
    let others = step > 0 ? Array(entries.dropFirst(index + 1)) : entries.prefix(index).reversed()
    guard let other = others.first(where: { count(of: $0) > 0 }) else {
      if !isIn { pane = .list }
      return false
    }
    select(other, at: step > 0 ? 0 : count(of: other) - 1)
    return true
  }

  // MARK: The comparison

  /// Adopts the differences found so far, and shows the first differences unless the user has chosen something else.
  mutating func receive(_ progress: DiffProgress) {
    self.progress = progress
    changedTables = Set(progress.schema.compactMap { $0.table?.asciiLowercased })
    list.move(to: entries.firstIndex(of: entry) ?? 0, of: entries.count)
    guard !isChosen, count == 0, let first = entries.first(where: { count(of: $0) > 0 }) ?? entries.first else { return }
    show(first)
  }

  mutating func end(_ result: Result<DiffProgress, Problem>) {
    switch result {
    case .success(let progress):
      phase = .ended
      receive(progress)
      isOutdated = progress.isTorn
    case .failure(.stopped): phase = .stopped
    case .failure(let problem): phase = .failed(problem)
    }
    rows.forgetRows()
  }

  mutating func noteWriting() { isOutdated = true }

  /// Begins to compare again; the entry remains selected.
  mutating func restart() {
    (phase, progress, isOutdated) = (.running, nil, false)
    filters = DiffFilters()
    (rows, schema) = (DiffRowsState(), DiffSchemaState())
    (isChosen, pane, entry) = (false, .list, subject.comparesSchema ? .schema : .table(0))
  }

  /// Whether nothing differs, once everything has been compared.
  var isSame: Bool { phase == .ended && schemaChanges.isEmpty && tables.allSatisfy(\.isSame) }
}

/// The position in the differences of a table, and the rows around it.
struct DiffRowsState: Sendable {
  /// The position of the change under the cursor, from 0.
  private(set) var cursor = 0
  /// The position of the first visible change.
  private(set) var top = 0
  /// The number of columns, besides those of the key, that are scrolled out on the left.
  var scroll = 0
  /// The rows that have been read, and the position of the first one.
  private(set) var first = 0
  private(set) var loaded: [StoredDifference] = []
  /// The request that has not been answered.
  private(set) var asked: LoadDifferences?
  /// The number of visible lines.
  private(set) var height = 1
  /// The first visible line of the record, or nil while no record is open.
  var record: Int?
  /// What has to become visible by scrolling columns, once the row under the cursor has been read.
  var reveals: Revealed?

  enum Revealed: Hashable, Sendable {
    case change, match
  }

  /// The most rows that are held: several screens.
  private static let window = 200

  /// The state for another table: a record remains open.
  var forAnotherTable: DiffRowsState {
    var state = DiffRowsState()
    (state.height, state.record) = (height, record.map { _ in 0 })
    return state
  }

  /// The change at a position, or nil while it is being read.
  subscript(position: Int) -> StoredDifference? {
    loaded.indices.contains(position - first) ? loaded[position - first] : nil
  }

  var current: StoredDifference? { self[cursor] }

  mutating func select(_ position: Int) {
    if position != cursor, record != nil { record = 0 }
    cursor = position
  }

  mutating func move(by step: Int, of count: Int) { select(min(max(0, cursor + step), max(0, count - 1))) }

  /// Scrolls so that the change under the cursor is visible as a whole.
  ///
  /// - Parameter isSideBySide: Whether a changed row has one line instead of two.
  mutating func layOut(height: Int, of count: Int, isSideBySide: Bool) {
    self.height = max(1, height)
    cursor = min(cursor, max(0, count - 1))
    top = min(top, cursor)
    while top < cursor, lines(from: top, through: cursor, isSideBySide) > self.height { top += 1 }
    // At the end of the list, no lines stay empty.
    while top > 0, count - top < self.height, lines(from: top - 1, through: count - 1, isSideBySide) <= self.height { top -= 1 }
  }

  private func lines(from start: Int, through end: Int, _ isSideBySide: Bool) -> Int {
    if end - start >= height { return height + 1 }
    return (start...max(start, end)).reduce(0) { $0 + lines(of: $1, isSideBySide) }
  }

  /// Returns the number of lines of a change.
  func lines(of position: Int, _ isSideBySide: Bool) -> Int {
    !isSideBySide && self[position]?.change ?? .changed == .changed ? 2 : 1
  }

  /// Returns the rows to read, or nil if all visible rows are there or have been requested.
  mutating func wish(_ store: DifferenceStore, table: Int, count: Int, isFiltered: Bool) -> LoadDifferences? {
    let visible = top..<min(count, top + height + 1)
    guard !visible.isEmpty, visible.lowerBound < first || visible.upperBound > first + loaded.count else { return nil }
    // Great rows fill the window before the visible ones.
    let isShort = asked.map { loaded.count < $0.range.count && first == $0.range.lowerBound } ?? false
    let start = isShort ? top : max(0, min(top - Self.window / 3, count - Self.window))
    let request = LoadDifferences(
      store: store, table: table, range: start..<min(count, start + Self.window), isFiltered: isFiltered, count: isFiltered ? count : 0)
    guard request != asked else { return nil }
    asked = request
    return request
  }

  mutating func receive(_ rows: [StoredDifference], _ request: LoadDifferences) {
    guard request == asked else { return }
    (first, loaded) = (request.range.lowerBound, rows)
  }

  /// Returns the position of the change on a visible line.
  func position(atLine line: Int, of count: Int, _ isSideBySide: Bool) -> Int? {
    guard line >= 0 else { return nil }
    var (end, position) = (0, top)
    while position < count {
      end += lines(of: position, isSideBySide)
      if line < end { return position }
      position += 1
    }
    return nil
  }

  /// Forgets the rows, because others may be at their positions.
  mutating func forgetRows() { (first, loaded, asked) = (0, [], nil) }
}
