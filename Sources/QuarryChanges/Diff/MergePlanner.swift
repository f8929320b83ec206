internal import QuarryEngine
internal import QuarryRows

/// Determines the changes of a merge, table by table.
struct MergePlanner {
  private let merge: DatabaseMerge
  private let diff: DatabaseDiff
  private let states: (DiffState, DiffState)
  private let progress: (_ table: String, _ rows: Int) -> Void
  private let schemas: (base: [String: TableSchema], mine: [String: TableSchema], theirs: [String: TableSchema])
  private let names: SchemaNames
  private let mineSchema: DiffSchema
  private let theirSchema: DiffSchema
  private var merged: MergedSchema
  private var tables: [MergedTable] = []
  private var counts: [String: TableDifference] = [:]
  private var conflicts: [MergeConflict] = []
  private var keys: [String: DiffKey] = [:]
  private var doubts: [String] = []
  private let renumbered: RenumberedKeys?

  init(_ merge: DatabaseMerge, _ progress: @escaping (_ table: String, _ rows: Int) -> Void) async throws {
    (self.merge, self.progress) = (merge, progress)
    renumbered = merge.renumbers || merge.decisions.values.contains(.renumber) ? RenumberedKeys() : nil
    var diff = DatabaseDiff(merge.base, merge.theirs)
    diff.step = merge.step
    self.diff = diff
    states = (try await merge.base.state(), try await merge.theirs.state())
    let sides = [merge.base, merge.mine, merge.theirs]
    var read: [DiffSchema] = []
    for side in sides { read.append(try await DiffSchema.read(side, nil)) }
    names = try await SchemaComparison.names(Array(zip(sides, read)).map { (side: $0, schema: $1) })
    (mineSchema, theirSchema) = (read[1], read[2])
    schemas = (
      try await diff.schemas(of: merge.base, nil), try await diff.schemas(of: merge.mine, nil),
      try await diff.schemas(of: merge.theirs, nil)
    )
    try Self.checkAncestor(sides, read)
    merged = MergedSchema(read[0], read[1], read[2], names: names, of: merge)
    conflicts = merged.conflicts
    doubts = MergeDoubts.ofTables(schemas.base, schemas.mine, schemas.theirs, base: merge.base.name)
  }

  /// Checks that BASE shares a table with each of the others, unless one of them has no tables.
  private static func checkAncestor(_ sides: [any DiffSide], _ schemas: [DiffSchema]) throws {
    let tables = schemas.map { schema in Set(schema.objects.filter { $0.kind == "table" }.map(\.name.asciiLowercased)) }
    for index in 1..<sides.count where !tables[0].isEmpty && !tables[index].isEmpty && tables[0].isDisjoint(with: tables[index]) {
      throw DataSourceError(
        "“\(sides[0].name)” has no table in common with “\(sides[index].name)”, so it is not their ancestor: name the common version first")
    }
  }

  // MARK: Tables

  mutating func plan() async throws {
    for name in order {
      do {
        try await plan(name)
      } catch let obstacle as DiffObstacle {
        merged.replace(name, by: mineSchema)
        var conflict = MergeConflict(.unreadable, shown(name), theirs: .value(.text(obstacle.reason)))
        conflict.reason = "the changes of “\(merge.theirs.name)” cannot be merged, so only the rows of mine can stay"
        if merge.decision(of: conflict) != .side(.mine) { conflicts.append(conflict) }
      }
    }
  }

  /// The tables of BASE and THEIRS, each after the tables to which it refers, as far as they form no cycle.
  private var order: [String] {
    var (order, seen): ([String], Set<String>) = ([], [])
    for start in Set(schemas.base.keys).union(schemas.theirs.keys).sorted() where seen.insert(start).inserted {
      var path = [start]
      while let last = path.last {
        let parents = schemas.theirs[last]?.foreignKeys.map(\.table.name.asciiLowercased) ?? []
        if let next = parents.first(where: { schemas.theirs[$0] != nil && !seen.contains($0) }) {
          seen.insert(next)
          path.append(next)
        } else {
          order.append(path.removeLast())
        }
      }
    }
    return order
  }

  private func shown(_ name: String) -> String {
    (schemas.theirs[name] ?? schemas.base[name])?.entry.reference.name ?? name
  }

  /// Returns the side that wins a conflict, or notes the conflict and returns nil.
  private mutating func winner(_ conflict: MergeConflict) -> MergeSide? {
    if case .side(let side)? = merge.decision(of: conflict) { return side }
    conflicts.append(conflict)
    return nil
  }

  private mutating func plan(_ name: String) async throws {
    let (base, mine, theirs) = (schemas.base[name], schemas.mine[name], schemas.theirs[name])
    guard let theirs else {
      guard let base, let mine, try await !isSame(merge.mine, base, mine) else { return }
      let conflict = MergeConflict(.schema, "table \(shown(name))", mine: "rows changed", theirs: "deleted")
      if winner(conflict) != .theirs { merged.replace(name, by: mineSchema) }
      return
    }
    if mine == nil, let base {
      guard try await !isSame(merge.theirs, base, theirs) else { return }
      let conflict = MergeConflict(.schema, "table \(shown(name))", mine: "deleted", theirs: "rows changed")
      guard winner(conflict) == .theirs else { return }
      merged.replace(name, by: theirSchema)
      return try await add(try await diff.table(shown(name), nil, theirs), theirs, nil, .whole)
    }
    guard let mine else { return try await add(try await diff.table(shown(name), nil, theirs), theirs, nil, .whole) }
    try await planCommon(name, base, mine, theirs)
  }

  /// Plans a table that both sides have.
  private mutating func planCommon(_ name: String, _ base: TableSchema?, _ mine: TableSchema, _ theirs: TableSchema) async throws {
    let isRemade = !names.isSame(mineSchema["table \(name)"]?.sql, merged["table \(name)"]?.sql)
    var renames: [ColumnRename] = []
    if let base, isRemade { renames = try await diff.renames(shown(name), base, theirs) }
    let table = try await diff.table(
      shown(name), base, theirs, renames: renames, readsNewColumns: isRemade || names.isSame(mine.sql, theirs.sql))
    if let problem = mine.problem { throw DiffObstacle("“\(merge.mine.name)” cannot read the table: \(problem)") }
    if isRemade, table.key.kind == .wholeRows {
      if let base, try await !isSame(merge.mine, base, mine) {
        return try await takeOneSide(name, theirs, MergeConflict(.schema, "table \(shown(name))", mine: "rows changed", theirs: "changed"))
      }
      return try await add(try await diff.table(shown(name), nil, theirs), theirs, nil, .whole)
    }
    try await add(table, isRemade ? theirs : mine, mine, isRemade ? .throughCopy : .inPlace, renamed: try await mineRenames(name))
  }

  /// Notes a conflict of a whole table, and takes the table of the preferred side.
  private mutating func takeOneSide(_ name: String, _ theirs: TableSchema, _ conflict: MergeConflict) async throws {
    guard winner(conflict) == .theirs else { return merged.replace(name, by: mineSchema) }
    merged.replace(name, by: theirSchema)
    try await add(try await diff.table(shown(name), nil, theirs), theirs, nil, .whole)
  }

  /// Finds the columns that MINE has renamed.
  private func mineRenames(_ name: String) async throws -> [ColumnRename] {
    guard let base = schemas.base[name], let mine = schemas.mine[name] else { return [] }
    if names.isSame(base.sql, mine.sql) { return [] }
    return try await DatabaseDiff(merge.base, merge.mine).renames(name, base, mine)
  }

  /// Whether the rows of a table are the same in BASE and in another database.
  private func isSame(_ side: any DiffSide, _ base: TableSchema, _ other: TableSchema) async throws -> Bool {
    let diff = DatabaseDiff(merge.base, side)
    let table = try await diff.table(base.entry.reference.name, base, other)
    let states = (try await merge.base.state(), try await side.state())
    return try await diff.differences(of: table, since: states, { progress(table.name, $0) }) { _ in }.isSame
  }

  /// Adds a table, once its changes have been merged with MINE.
  private mutating func add(
    _ table: DiffTable, _ result: TableSchema, _ mine: TableSchema?, _ way: RowPatch.Way, renamed: [ColumnRename] = []
  ) async throws {
    let columns = table.columns.map { column -> String? in
      let old = way == .inPlace ? column.to ?? column.from : column.from
      guard let old, let mine else { return nil }
      return mine.column(named: renamed.first { $0.from.isSameIdentifier(as: old) }?.to ?? old)?.name
    }
    let keys = table.key.names(in: mine ?? result).map { name in mine == nil ? name : self.name(of: name, in: mine, table, renamed) }
    if keys.contains(nil), let theirs = table.after {
      if let base = table.before, way == .inPlace, try await isSame(merge.theirs, base, theirs) { return }
      let conflict = MergeConflict(.schema, "table \(table.name)", mine: "another key", theirs: "rows changed")
      return try await takeOneSide(table.name.asciiLowercased, theirs, conflict)
    }
    let old = keys + columns
    let written = table.key.names(in: result).enumerated().map { way == .inPlace ? keys[$0] ?? $1 : $1 }
    let names = written + zip(table.columns, columns).map { way == .inPlace ? $1 ?? $0.name : $0.name }
    guard let way = RowPatch.way(way, of: result) else { return }
    var patch = RowPatch(table, way, result: result, counts: TableDifference(table: table.name), oldNames: old, names: names)
    let hasHiddenRowID = table.key.kind == .rowID && !result.columns.contains(where: \.isRowID)
    let (first, references) = (try await firstNumber(table, mine), references(of: table))
    func merged(_ patch: RowPatch) -> MergedTable {
      MergedTable(
        patch: patch, mine: mine == nil ? names : old, schema: mine, hasHiddenRowID: hasHiddenRowID,
        isNumbered: table.key.isRowID(of: [mine, table.after]), firstNumber: first, references: references)
    }
    self.keys[table.name.asciiLowercased] = table.key
    let (found, tally) = (Found(), MergeTally())
    var counts = TableDifference(table: table.name)
    try await rows([merged(patch)], found.add, tally).differences(of: patch.source) { for change in $0 { counts.add(change) } }
    conflicts += found.conflicts
    doubts += try await MergeDoubts.ofRows(tally, table, merge)
    if counts.isSame, way == .inPlace || way == .rebuild { return }
    patch.counts = counts
    tables.append(merged(patch))
  }

  /// Returns the number after all keys of a table with an integer primary key.
  ///
  ///     SELECT max(id) FROM main.t
  private func firstNumber(_ table: DiffTable, _ mine: TableSchema?) async throws -> Int64? {
    guard renumbered != nil, let mine, let theirs = table.after, table.key.isRowID(of: [mine, theirs]) else { return nil }
    var last: Int64 = 0
    for (side, schema) in [(merge.mine, mine), (merge.theirs, theirs)] {
      let key = table.key.names(in: schema)[0]
      let sql: SQLText = "SELECT max(\(identifier: key)) FROM \(schema.entry.reference.sqlText)"
      if case .value(.integer(let number))? = try await side.rows(sql, width: 1).first?.first { last = max(last, number) }
    }
    return last == .max ? nil : last + 1
  }

  /// Returns the columns of a table that refer to an integer primary key.
  private func references(of table: DiffTable) -> [(place: Int, table: String)] {
    guard renumbered != nil, let theirs = table.after else { return [] }
    let names = table.names.map(\.asciiLowercased)
    return theirs.foreignKeys.compactMap { key in
      let parent = key.table.name.asciiLowercased
      guard key.columns.count == 1, let rowID = schemas.theirs[parent]?.columns.first(where: \.isRowID)?.name,
        key.referencedColumns.first.map({ $0.isSameIdentifier(as: rowID) }) ?? false
      else { return nil }
      return names.firstIndex(of: key.columns[0].asciiLowercased).map { (place: $0, table: parent) }
    }
  }

  /// Returns the name in MINE of a column of the key, or nil if MINE does not have it.
  private func name(of key: String, in mine: TableSchema?, _ table: DiffTable, _ renamed: [ColumnRename]) -> String? {
    if table.key.kind == .rowID { return key }
    return mine?.column(named: renamed.first { $0.from.isSameIdentifier(as: key) }?.to ?? key)?.name
  }

  private func rows(
    _ tables: [MergedTable], _ report: @escaping (MergeConflict) -> Void, _ tally: MergeTally? = nil
  ) -> MergedRows {
    MergedRows(
      merge: merge, diff: diff, states: states, tables: Dictionary(tables.map { ($0.name.asciiLowercased, $0) }) { $1 },
      renumbered: renumbered, report: report, progress: progress, tally: tally)
  }

  // MARK: Result

  func finish() async throws -> DatabaseMerge.Plan {
    let numbers = try await self.numbers()
    let changed = Set(tables.filter { $0.patch.way != .rebuild }.map(\.name.asciiLowercased))
    var sequences: [String: Int64] = [:]
    if !changed.isEmpty {
      for side in [merge.mine, merge.theirs] {
        sequences.merge(try await StoredNumbers.sequences(of: side).filter { changed.contains($0.key.asciiLowercased) }) { max($0, $1) }
      }
    }
    let comparison = SchemaComparison(mineSchema, merged.schema, names: names)
    let patch = DatabasePatch(comparison: comparison, tables: tables.map(\.patch), sequences: sequences, numbers: numbers.changed)
    let rows = rows(tables, { _ in })
    let result = MergedResult(
      merge: merge, tables: rows.tables, keys: keys, mine: schemas.mine, theirs: schemas.theirs, schema: merged.schema)
    return DatabaseMerge.Plan(patch, rows, conflicts + numbers.conflicts, doubts: doubts, result: result)
  }

  /// Merges the numbers that programs store in a database.
  private func numbers() async throws -> (changed: [String: Int64], conflicts: [MergeConflict]) {
    let base = try await StoredNumbers.read(merge.base)
    let (mine, theirs) = (try await StoredNumbers.read(merge.mine), try await StoredNumbers.read(merge.theirs))
    var (changed, conflicts): ([String: Int64], [MergeConflict]) = ([:], [])
    func stored(_ number: Int64?) -> StoredValue? { number.map { .value(.integer($0)) } }
    for (name, value) in theirs where value != base[name] && value != mine[name] {
      let conflict = MergeConflict(
        .schema, "pragma \(name)", base: stored(base[name]), mine: stored(mine[name]), theirs: stored(value))
      let decision = mine[name] == base[name] ? .side(.theirs) : merge.decision(of: conflict)
      if decision == .side(.theirs) { changed[name] = value }
      if decision == nil { conflicts.append(conflict) }
    }
    return (changed, conflicts)
  }
}

/// The conflicts of a table, while its rows are merged by one task.
private final class Found {
  private(set) var conflicts: [MergeConflict] = []

  func add(_ conflict: MergeConflict) { conflicts.append(conflict) }
}
