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
    /// The ranges of rowids with the other rows.
    var others: [ClosedRange<Int64>] = []
  }

  private let files: FilePair
  private let name: String
  /// The rowid with which the next part begins.
  private var start = Int64.min
  /// Whether all leaves were compared.
  private(set) var isOver = false

  /// The number of leaves of a part.
  private static let stepSize = 8192

  /// Creates the comparison, or returns nil if the pages of the table cannot be compared.
  init?(_ from: any DiffSide, _ to: any DiffSide, _ table: DiffTable, since states: (DiffState, DiffState)) {
    guard let files = FilePair(from, to, since: states), let before = table.before, let after = table.after, before.sql == after.sql,
      before.entry.kind == .table, !before.entry.isWithoutRowID
    else { return nil }
    (self.files, name) = (files, table.name.asciiLowercased)
  }

  /// Compares the next leaves.
  mutating func next() async throws -> Step {
    guard let (leaves, others) = try await leaves() else {
      isOver = true
      return Step(others: [start...Int64.max])
    }
    // Both sides list all their leaves up to this rowid.
    let ends = [leaves, others].compactMap { $0.last?.through }
    let end = ends.min()
    let step = try await step(Self.pairs(leaves, others, through: end), through: end ?? .max)
    isOver = end == nil || end == .max
    if let end, end < .max { start = end + 1 }
    return step
  }

  private func leaves() async throws -> ([TableLeaf], [TableLeaf])? {
    guard let roots = try await files.roots(of: name) else { return nil }
    let (after, files) = (start == .min ? nil : start - 1, files)
    async let leaves = files.from.leaves(of: roots.0, after: after, limit: Self.stepSize, since: files.states.0)
    async let others = files.to.leaves(of: roots.1, after: after, limit: Self.stepSize, since: files.states.1)
    guard let leaves = try await leaves, let others = try await others else { return nil }
    return (leaves, others)
  }

  /// Returns the leaves of both sides for the same rowids.
  private static func pairs(_ leaves: [TableLeaf], _ others: [TableLeaf], through end: Int64?) -> [LeafPair] {
    var (pairs, index, otherIndex): ([LeafPair], Int, Int) = ([], 0, 0)
    while index < leaves.count, otherIndex < others.count {
      let (leaf, other) = (leaves[index], others[otherIndex])
      if leaf.hasSameRange(as: other) { pairs.append(LeafPair(leaf: leaf, other: other)) }
      let (through, otherThrough) = (leaf.through ?? .max, other.through ?? .max)
      if through <= otherThrough { index += 1 }
      if otherThrough <= through { otherIndex += 1 }
    }
    return pairs
  }

  private func step(_ pairs: [LeafPair], through end: Int64) async throws -> Step {
    var (step, next): (Step, Int64?) = (Step(), start)
    for (pair, count) in zip(pairs, try await files.sameRowCounts(pairs)) {
      guard let count, let place = next, let range = pair.leaf.range else { continue }
      if place < range.lowerBound { step.others.append(place...range.lowerBound - 1) }
      step.equalRowCount += count
      next = range.upperBound == .max ? nil : range.upperBound + 1
    }
    if let next, next <= end { step.others.append(next...end) }
    return step
  }
}

/// Leaves of both sides for the same rowids.
struct LeafPair: Sendable {
  var leaf: TableLeaf
  var other: TableLeaf
}

extension TableLeaf {
  /// The rowids of its rows, or nil if there can be none.
  fileprivate var range: ClosedRange<Int64>? {
    let first = after.map { $0 == .max ? nil : $0 + 1 } ?? .min
    guard let first, first <= through ?? .max else { return nil }
    return first...(through ?? .max)
  }
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
  func roots(of name: String) async throws -> (Int, Int)? {
    guard let (tables, others) = try await tables(), let table = tables.byName[name], let other = others.byName[name],
      table.sql == other.sql
    else { return nil }
    return (table.root, other.root)
  }

  /// Returns the tables with rowids whose only page is the same in both files, by their names in lowercase.
  func sameSmallTables() async throws -> Set<String> {
    guard let (tables, others) = try await tables() else { return [] }
    let names = tables.byName.filter { others.byName[$0.key]?.sql == $0.value.sql }.sorted { $0.value.root < $1.value.root }.map(\.key)
    let pairs = names.compactMap { name -> LeafPair? in
      guard let root = tables.byName[name]?.root, let other = others.byName[name]?.root else { return nil }
      return LeafPair(leaf: TableLeaf(page: root), other: TableLeaf(page: other))
    }
    return Set(zip(names, try await sameRowCounts(pairs)).compactMap { name, count in count == nil ? nil : name })
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
  /// Returns the leaves of a table after a rowid, or nil if the file does not have them in this state.
  fileprivate func leaves(of root: Int, after start: Int64?, limit: Int, since state: DiffState) async throws -> [TableLeaf]? {
    try await pages(since: state) { pages, _ in TableLeafSearch.leaves(of: root, after: start, limit: limit, in: pages) }
  }

  fileprivate func contents(of leaves: [TableLeaf], checking parity: Int, since state: DiffState) async throws -> LeafContents? {
    try await pages(since: state) { pages, _ in LeafContents(of: leaves, checking: parity, in: pages) }
  }

  fileprivate func bytes(of chains: [LeafContents.Chain], since state: DiffState) async throws -> [UInt8]? {
    try await pages(since: state) { pages, _ in LeafContents.bytes(of: chains, in: pages) }
  }
}
