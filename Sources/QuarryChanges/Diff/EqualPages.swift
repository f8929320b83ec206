internal import QuarryEngine

/// Finds the rows of a table that are the same because both files store them on equal leaf pages.
///
/// The rows of a leaf follow from its bytes, the definition of the table, and the encoding of the file. All three must be the same in both
/// files. If a page is not as expected, or a file was written meanwhile, the remaining rows are compared one by one.
struct EqualPages {
  /// The result for a part of a table.
  struct Step: Sendable {
    /// The number of rows on equal pages.
    var equalRowCount = 0
    /// The ranges of keys with the other rows.
    var others: [KeyRange] = []
  }

  private let files: FilePair
  private let name: String
  private let key: DiffKey
  private let isWithoutRowID: Bool
  /// The key after which the next part begins, or nil for the first part.
  private var start: TableLeaf.Bound?
  /// Whether all leaves were compared.
  private(set) var isOver = false

  /// The number of leaves of a part.
  private static let stepSize = 8192

  /// Creates the comparison, or returns nil if the pages of the table cannot be compared.
  init?(_ from: any DiffSide, _ to: any DiffSide, _ table: DiffTable, since states: (DiffState, DiffState)) {
    guard let files = FilePair(from, to, since: states), let before = table.before, let after = table.after, before.sql == after.sql,
      before.entry.kind == .table, [before, after].allSatisfy(table.key.isStorageOrder)
    else { return nil }
    (self.files, name, key, isWithoutRowID) = (files, table.name.asciiLowercased, table.key, before.entry.isWithoutRowID)
  }

  /// Compares the next leaves.
  mutating func next() async throws -> Step {
    guard let (leaves, others) = try await leaves() else {
      isOver = true
      return Step(others: [KeyRange(after: start?.key)])
    }
    let end = end(leaves, others)
    let step = try await step(pairs(leaves, others), through: end)
    (start, isOver) = (end, end == nil)
    return step
  }

  private func leaves() async throws -> ([TableLeaf], [TableLeaf])? {
    guard let roots = try await files.roots(of: name, needsUTF8: isWithoutRowID) else { return nil }
    let files = files
    let (search, other) = (search(roots.0), search(roots.1))
    async let leaves = files.from.pages(since: files.states.0) { pages, _ in search.leaves(in: pages) }
    async let others = files.to.pages(since: files.states.1) { pages, _ in other.leaves(in: pages) }
    guard let leaves = try await leaves, let others = try await others else { return nil }
    return (leaves, others)
  }

  private func search(_ root: Int) -> TableLeafSearch {
    TableLeafSearch(root: root, key: key, isWithoutRowID: isWithoutRowID, start: start, limit: Self.stepSize)
  }

  /// Returns the bound up to which both sides list all their leaves, or nil if they list all to the end.
  private func end(_ leaves: [TableLeaf], _ others: [TableLeaf]) -> TableLeaf.Bound? {
    guard let end = leaves.last?.through else { return others.last?.through }
    guard let other = others.last?.through else { return end }
    return key.precedes(end, other) == false ? other : end
  }

  /// Returns the leaves of both sides for the same keys.
  private func pairs(_ leaves: [TableLeaf], _ others: [TableLeaf]) -> [LeafPair] {
    var (pairs, index, otherIndex): ([LeafPair], Int, Int) = ([], 0, 0)
    while index < leaves.count, otherIndex < others.count {
      let (leaf, other) = (leaves[index], others[otherIndex])
      if leaf.hasSameRange(as: other) { pairs.append(LeafPair(leaf: leaf, other: other)) }
      guard let end = leaf.through, let otherEnd = other.through else {
        // The last leaf ends after all others.
        if leaf.through == nil { otherIndex += 1 } else { index += 1 }
        continue
      }
      let isFirst = key.precedes(end, otherEnd)
      if isFirst != false { index += 1 }
      if isFirst != true { otherIndex += 1 }
    }
    return pairs
  }

  private func step(_ pairs: [LeafPair], through end: TableLeaf.Bound?) async throws -> Step {
    var (step, place, isEnded) = (Step(), start, false)
    for (index, count) in try await files.sameRowCounts(pairs).enumerated() {
      let leaf = pairs[index].leaf
      guard let count, isAfter(leaf, place) else { continue }
      if !TableLeaf.Bound.haveSameKey(leaf.after, place) { step.others.append(KeyRange(after: place?.key, through: leaf.after?.key)) }
      step.equalRowCount += count
      if case .row? = leaf.through { step.equalRowCount += 1 }
      (place, isEnded) = (leaf.through, leaf.through == nil)
    }
    if !isEnded, end == nil || !TableLeaf.Bound.haveSameKey(place, end) {
      step.others.append(KeyRange(after: place?.key, through: end?.key))
    }
    return step
  }

  /// Returns whether all rows of a leaf come after a key.
  private func isAfter(_ leaf: TableLeaf, _ place: TableLeaf.Bound?) -> Bool {
    guard let place else { return true }
    return leaf.after.map { key.precedes($0, place) != true } ?? false
  }
}

/// Leaves of both sides for the same keys.
struct LeafPair: Sendable {
  var leaf: TableLeaf
  var other: TableLeaf
}

/// Two files whose pages are compared.
struct FilePair: Sendable {
  let from: FileDiffSide
  let to: FileDiffSide
  /// The states of the files before anything was read.
  let states: (DiffState, DiffState)

  /// The number of bytes that are read of each file at a time.
  private static let partSize = 2 << 20

  /// Creates a pair, or returns nil if a side is not a file.
  init?(_ from: any DiffSide, _ to: any DiffSide, since states: (DiffState, DiffState)) {
    guard let from = from as? FileDiffSide, let to = to as? FileDiffSide else { return nil }
    (self.from, self.to, self.states) = (from, to, states)
  }

  private func tables() async throws -> (StoredTables, StoredTables)? {
    guard let tables = try await from.storedTables(since: states.0), let others = try await to.storedTables(since: states.1),
      tables.layout == others.layout
    else { return nil }
    return (tables, others)
  }

  /// Returns the root pages of a table that has the same definition in both files.
  ///
  /// - Parameter needsUTF8: Whether nil is returned for files with texts in UTF-16.
  func roots(of name: String, needsUTF8: Bool) async throws -> (Int, Int)? {
    guard let (tables, others) = try await tables(), tables.layout.isUTF8 || !needsUTF8, let table = tables.byName[name],
      let other = others.byName[name],
      table.sql == other.sql
    else { return nil }
    return (table.root, other.root)
  }

  /// Returns the tables whose only page is the same in both files, by their names in lowercase.
  ///
  /// - Parameter known: The tables by their names in lowercase.
  func sameSmallTables(_ known: [String: CatalogEntry]) async throws -> Set<String> {
    guard let (tables, others) = try await tables() else { return [] }
    let found = known.compactMap { name, entry -> (name: String, pair: LeafPair)? in
      guard entry.kind == .table, let table = tables.byName[name], let other = others.byName[name], table.sql == other.sql else {
        return nil
      }
      // A collation that is missing here sorts the rows.
      if entry.isWithoutRowID, table.sql.asciiLowercased.contains("collate") { return nil }
      let leaves = [table, other].map { TableLeaf(page: $0.root, isWithoutRowID: entry.isWithoutRowID) }
      return (name, LeafPair(leaf: leaves[0], other: leaves[1]))
    }.sorted { $0.pair.leaf.page < $1.pair.leaf.page }
    return Set(zip(found, try await sameRowCounts(found.map(\.pair))).compactMap { $1 == nil ? nil : $0.name })
  }

  /// Returns the number of rows of each pair of leaves, or nil for leaves whose rows may differ.
  func sameRowCounts(_ pairs: [LeafPair]) async throws -> [Int?] {
    guard let layout = try await tables()?.0.layout else { return pairs.map { _ in nil } }
    var counts: [Int?] = []
    let size = max(1, Self.partSize / layout.pageSize)
    for start in stride(from: 0, to: pairs.count, by: size) {
      try Task.checkCancellation()
      counts += try await sameRows(Array(pairs[start..<min(start + size, pairs.count)]))
    }
    return counts
  }

  private func sameRows(_ pairs: [LeafPair]) async throws -> [Int?] {
    async let contents = from.contents(of: pairs.map(\.leaf), checking: 0, since: states.0)
    async let others = to.contents(of: pairs.map(\.other), checking: 1, since: states.1)
    guard let contents = try await contents, let others = try await others else { return pairs.map { _ in nil } }
    var counts: [Int?] = []
    for index in pairs.indices {
      let rows = contents.sameRows(index, as: others)
      if let rows, !rows.chains.isEmpty, try await !hasSameBytes(rows.chains) { counts.append(nil) } else { counts.append(rows?.count) }
    }
    return counts
  }

  /// Returns whether the parts of rows on other pages are the same in both files.
  private func hasSameBytes(_ chains: [LeafContents.Chain]) async throws -> Bool {
    guard chains.reduce(0, { $0 + $1.length }) <= Self.partSize else { return false }
    async let bytes = from.bytes(of: chains, since: states.0)
    async let others = to.bytes(of: chains, since: states.1)
    guard let bytes = try await bytes, let others = try await others else { return false }
    return bytes == others
  }
}

/// The definitions and root pages of the tables of a file.
struct StoredTables: Sendable {
  /// A table.
  struct Table: Sendable {
    var sql: String
    var root: Int
  }

  let layout: FilePages.Layout
  /// The tables by their names in lowercase.
  private(set) var byName: [String: Table] = [:]

  /// Reads the tables.
  ///
  ///     SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 1
  init(in database: Database, _ pages: FilePages) throws {
    layout = pages.layout
    var repeated: Set<String> = []
    try database.scan("SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 1") { statement in
      let row = try (0..<3).map { try statement.storedValue(at: $0).value }
      guard case .text(let name) = row[0], case .integer(let root) = row[1], case .text(let sql) = row[2] else { return true }
      let table = Table(sql: sql, root: Int(root))
      if byName.updateValue(table, forKey: name.asciiLowercased) != nil { repeated.insert(name.asciiLowercased) }
      return true
    }
    for name in repeated { byName[name] = nil }
  }
}

extension FileDiffSide {
  fileprivate func contents(of leaves: [TableLeaf], checking parity: Int, since state: DiffState) async throws -> LeafContents? {
    try await pages(since: state) { pages, _ in LeafContents(of: leaves, checking: parity, in: pages) }
  }

  fileprivate func bytes(of chains: [LeafContents.Chain], since state: DiffState) async throws -> [UInt8]? {
    try await pages(since: state) { pages, _ in LeafContents.bytes(of: chains, in: pages) }
  }
}
