internal import QuarryEngine
internal import QuarryRows

/// The result of writing the statements that turn one database into another.
package struct DiffScript: Sendable {
  /// The numbers of different rows.
  package var result = DatabaseDiff.Result()
  /// The tables whose rows differ but cannot be written.
  package var notWritten: [UncomparedTable] = []
  /// Whether the schemas and the rows are the same, so that there are no statements.
  package var isEmpty = true

  /// The parts of a database that are compared.
  package enum Parts: Hashable, Sendable {
    case all, schema, rows
  }
}

extension DatabaseDiff {
  /// Writes the statements that turn the first database into the second one, without the transaction around them.
  ///
  /// The rows are read up to three times: to count the differences, to delete and update rows, and to insert rows.
  ///
  /// - Parameters:
  ///   - progress: Called with a table and the number of its rows that have been compared.
  ///   - report: Receives the statements in order, several at a time. Not called if there are none.
  /// - Throws: The same errors as ``rows(progress:end:_:)``.
  package func script(
    _ parts: DiffScript.Parts = .all, progress: @escaping (_ table: String, _ rows: Int) -> Void = { _, _ in },
    _ report: ([PatchStatement]) async throws -> Void
  ) async throws -> DiffScript {
    let states = (try await from.state(), try await to.state())
    var planner = try await PatchPlanner(self, parts, since: states)
    try await planner.plan(progress)
    let patch = try await planner.patch()
    var script = DiffScript(result: planner.result, notWritten: planner.notWritten, isEmpty: patch.isEmpty)
    if !patch.isEmpty {
      try await patch.statements(of: ReadDifferences(diff: self, states: states, progress: progress), report)
    }
    try await check(&script.result, since: states)
    return script
  }
}

/// The differences of rows, read again each time.
private struct ReadDifferences: PatchRows {
  let diff: DatabaseDiff
  let states: (DiffState, DiffState)
  let progress: (_ table: String, _ rows: Int) -> Void

  func differences(of table: DiffTable, _ report: ([RowDifference]) async throws -> Void) async throws {
    _ = try await diff.differences(of: table, since: states, { progress(table.name, $0) }, report)
  }
}

/// Determines how each table is changed.
private struct PatchPlanner {
  private let diff: DatabaseDiff
  private let parts: DiffScript.Parts
  private let states: (DiffState, DiffState)
  private var comparison: SchemaComparison
  private let found: DatabaseDiff.Tables
  private var tables: [RowPatch] = []
  private(set) var result = DatabaseDiff.Result()
  private(set) var notWritten: [UncomparedTable] = []

  init(_ diff: DatabaseDiff, _ parts: DiffScript.Parts, since states: (DiffState, DiffState)) async throws {
    (self.diff, self.parts, self.states) = (diff, parts, states)
    comparison = try await SchemaComparison.read(diff.from, diff.to, diff.tables)
    found = try await diff.tables(since: states, comparesRows: parts != .schema)
  }

  mutating func plan(_ progress: (_ table: String, _ rows: Int) -> Void) async throws {
    var (unreadable, unknownKeys): (Set<String>, Int) = ([], 0)
    let names = found.names
    for name in names {
      let shown = found.entries[name]?.reference.name ?? name
      if found.same.contains(name) {
        result.tables.append(TableDifference(table: shown))
        continue
      }
      do {
        try await plan(name, shown) { progress(shown, $0) }
      } catch let obstacle as DiffObstacle {
        if obstacle.isUnknownKey { unknownKeys += 1 }
        unreadable.insert(name)
        result.notCompared.append(UncomparedTable(table: shown, reason: obstacle.reason))
      }
    }
    if let key = diff.key, unknownKeys > 0, unknownKeys == names.count { throw UnknownDiffKey(columns: key) }
    comparison = parts == .rows ? comparison.keepingBefore : comparison.without(unreadable)
  }

  /// Plans the change of a table.
  ///
  /// - Throws: ``DiffObstacle`` if its rows cannot be compared.
  private mutating func plan(_ name: String, _ shown: String, _ progress: (Int) -> Void) async throws {
    let isRemade = parts != .rows && comparison.changed.contains("table \(name)")
    guard let before = found.before[name], let after = found.after[name] else { return try await planOneSided(name, shown, progress) }
    if parts == .schema {
      if isRemade { try await add(try await remade(shown, before, after), TableDifference(table: shown), isRemade: true) }
      return
    }
    let table = isRemade ? try await remade(shown, before, after) : try await diff.table(shown, before, after)
    let counts = try await diff.differences(of: table, since: states, progress) { _ in }
    result.tables.append(counts)
    if isRemade || !counts.isSame { try await add(table, counts, isRemade: isRemade) }
  }

  /// Plans the change of a table that only one database has.
  private mutating func planOneSided(_ name: String, _ shown: String, _ progress: (Int) -> Void) async throws {
    let table = try await diff.table(shown, found.before[name], found.after[name])
    if parts == .schema { return }
    let counts = try await diff.differences(of: table, since: states, progress) { _ in }
    result.tables.append(counts)
    guard parts == .all else {
      if !counts.isSame { notWritten.append(UncomparedTable(table: shown, reason: "only one database has the table")) }
      return
    }
    if found.after[name] != nil { try await add(table, counts, isRemade: true) }
  }

  /// Describes a recreated table.
  private func remade(_ shown: String, _ before: TableSchema, _ after: TableSchema) async throws -> DiffTable {
    let renames = try await diff.renames(shown, before, after)
    return try await diff.table(shown, before, after, renames: renames, readsNewColumns: true)
  }

  private mutating func add(_ table: DiffTable, _ counts: TableDifference, isRemade: Bool) async throws {
    guard let schema = table.after else { return }
    let isWhole = table.before == nil || table.key.kind == .wholeRows
    guard let way = RowPatch.way(isRemade ? (isWhole ? .whole : .throughCopy) : .inPlace, of: schema) else {
      return notWritten.append(UncomparedTable(table: table.name, reason: schema.editability(of: .insert).reason ?? "read-only"))
    }
    if way == .none, !counts.isSame {
      notWritten.append(UncomparedTable(table: table.name, reason: schema.editability(of: .insert).reason ?? "read-only"))
    }
    var table = table
    if way == .whole, table.before != nil { table = try await diff.table(table.name, nil, schema) }
    tables.append(RowPatch(table, way, result: schema, counts: counts))
  }

  // MARK: Result

  /// Returns the statements for the planned tables.
  func patch() async throws -> DatabasePatch {
    var numbers: [String: Int64] = [:]
    if parts != .rows, diff.tables == nil {
      let (before, after) = (try await StoredNumbers.read(diff.from), try await StoredNumbers.read(diff.to))
      numbers = after.filter { before[$0.key] != $0.value }
    }
    let changed = Set(
      tables.filter { [.inPlace, .throughCopy, .whole].contains($0.way) && parts == .all }.map(\.table.name.asciiLowercased))
    let sequences =
      changed.isEmpty ? [:] : try await StoredNumbers.sequences(of: diff.to).filter { changed.contains($0.key.asciiLowercased) }
    return DatabasePatch(comparison: comparison, tables: tables, sequences: sequences, numbers: numbers)
  }
}

extension SchemaComparison {
  /// The comparison as if the second schema were the same.
  fileprivate var keepingBefore: SchemaComparison { SchemaComparison(before, before, self) }

  /// The comparison without some tables, by their names in lowercase.
  fileprivate func without(_ tables: Set<String>) -> SchemaComparison {
    if tables.isEmpty { return self }
    func rest(_ schema: DiffSchema) -> DiffSchema { DiffSchema(schema.objects.filter { !tables.contains($0.table.asciiLowercased) }) }
    return SchemaComparison(rest(before), rest(after), self)
  }
}

extension StoredNumbers {
  /// Reads the AUTOINCREMENT counters of tables.
  ///
  ///     SELECT name, seq FROM main.sqlite_sequence
  static func sequences(of side: any DiffSide) async throws -> [String: Int64] {
    let exists: SQLText = "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try await !side.rows(exists, width: 1).isEmpty else { return [:] }
    var sequences: [String: Int64] = [:]
    for row in try await side.rows("SELECT name, seq FROM main.sqlite_sequence", width: 2) {
      if case .value(.text(let name)) = row[0], case .value(.integer(let value)) = row[1] { sequences[name] = value }
    }
    return sequences
  }
}
