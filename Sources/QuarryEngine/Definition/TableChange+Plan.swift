extension TableChange {
  /// Makes the plan of the change, without writing anything.
  ///
  /// The statements are tried in a copy of the schema in memory. `ALTER TABLE` makes the change if it can; otherwise a new table replaces
  /// the old one, with all rows, indexes and triggers, as SQLite's documentation describes.
  ///
  /// ```sql
  /// CREATE TABLE quarry_new_player (…); INSERT INTO quarry_new_player SELECT … FROM player; DROP TABLE player;
  /// ALTER TABLE quarry_new_player RENAME TO player; CREATE INDEX …
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the definition is invalid or the table is another one by now, ``DatabaseError`` if SQLite rejects it.
  public func plan(in db: Database) throws -> TableChangePlan {
    try new.validate()
    let former = Set((old?.placedExpressions ?? []).map(\.sql))
    for expression in new.placedExpressions where !former.contains(expression.sql) { try expression.check(in: db) }
    let resolved = try resolvingKeys(in: db)
    guard let old else { return try resolved.creation(in: db) }
    guard try db.tableDefinition(TableReference(name: old.name)) == old else { throw DefinitionError.alteredSince(old.name) }
    let statistics = try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4')")
    for byAltering in [true, false] {
      let copy = try TrialSchema(of: db, sample: byAltering ? old.name : nil)
      let plan = try copy.queue.withoutTransaction { scratch -> TableChangePlan? in
        let before = try scratch.uncompiledParts()
        var planner = TableChangePlanner(resolved, in: scratch, failures: copy.failures, statistics: statistics)
        guard let draft = try planner.change(old, byAltering: byAltering) else { return nil }
        let plan = try resolved.plan(draft, from: old, before, db, in: scratch)
        // An alteration breaks a view or trigger that a new table may leave as it is.
        return byAltering && !plan.problems.isEmpty ? nil : plan
      }
      if let plan { return plan }
    }
    throw DefinitionError.noSuchTable(old.name)
  }

  private func creation(in db: Database) throws -> TableChangePlan {
    let copy = try TrialSchema(of: db)
    return try copy.queue.withoutTransaction { scratch in
      let before = try scratch.uncompiledParts()
      var planner = TableChangePlanner(self, in: scratch, failures: copy.failures, statistics: [])
      return try plan(try planner.create(), from: nil, before, db, in: scratch)
    }
  }

  private func plan(
    _ draft: TableChangePlanner.Draft, from old: TableDefinition?, _ before: [UncompiledPart: String], _ db: Database,
    in scratch: Database
  ) throws -> TableChangePlan {
    let known = Set(before.keys.map { fault in old.map { fault.renamingTable($0.name, to: new.name) } ?? fault })
    let broken = try old.map { try scratch.faults(in: before, concerning: $0.name, named: new.name) } ?? []
    let faults = try scratch.uncompiledParts().filter { !known.contains($0.key) }
    var problems = faults.map { fault, message in fault.sentence(message) }.sorted()
    let former = old.map { Set($0.foreignKeys.map(\.table.asciiLowercased)) } ?? []
    for key in draft.target.foreignKeys where !former.contains(key.table.asciiLowercased) {
      guard try scratch.columns(of: key.table).isEmpty else { continue }
      problems.append("a foreign key refers to the table “\(key.table)”, which does not exist: create it first")
    }
    if try db.hasTemporaryObject(old?.name ?? new.name) {
      problems.append("a temporary table or view named “\(old?.name ?? new.name)” hides the table: drop it first")
    }
    let cycle = try scratch.foreignKeyCycle(through: new.name)
    let all = old.flatMap { old in draft.current.map { RowCheckList(self, old, current: $0, target: draft.target).checks } } ?? []
    // A check cannot compile if a referenced table is missing, or if an expression names one.
    let checks = all.filter { (try? db.makeStatement(sql: $0.select)) != nil }
    let uncounted = problems.isEmpty ? all.filter { !checks.contains($0) }.map { "\($0.subject): its rows cannot be counted before" } : []
    let said = draft.remarks + broken.filter { !draft.remarks.contains($0) }
    let remarks = said + (cycle.map { [$0] } ?? []) + uncounted
    return TableChangePlan(
      change: self, method: draft.method, steps: draft.steps, problems: problems, remarks: remarks,
      checks: checks.filter { check in draft.method != .nothing || check.effect != .refused })
  }

  /// Returns the change with the primary keys of the tables that its foreign keys refer to.
  private func resolvingKeys(in db: Database) throws -> TableChange {
    var change = self
    for key in new.foreignKeys where key.referencedColumns == nil {
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE pk > 0 ORDER BY pk", arguments: [key.table])
      change.referencedKeys[key.table.asciiLowercased] = columns
    }
    return change
  }
}

extension Database {
  /// Returns whether a temporary object has a name, which statements without a database then mean.
  fileprivate func hasTemporaryObject(_ name: String) throws -> Bool {
    try Int.fetchOne(self, sql: "SELECT count(*) FROM temp.sqlite_schema WHERE name = ? COLLATE NOCASE", arguments: [name]) != 0
  }

  fileprivate func columns(of table: String) throws -> [String] {
    try String.fetchAll(self, sql: "SELECT name FROM pragma_table_xinfo(?, 'main')", arguments: [table])
  }

  /// Returns a remark about foreign keys that lead from a table over others back to it; nil if none do.
  ///
  ///     SELECT "table" FROM pragma_foreign_key_list('player')
  fileprivate func foreignKeyCycle(through table: String) throws -> String? {
    var paths = [[table]]
    var seen: Set<String> = []
    while let path = paths.popLast(), let last = path.last {
      for next in try String.fetchAll(self, sql: #"SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)"#, arguments: [last]) {
        if next.isSameIdentifier(as: table) {
          guard path.count > 1 else { continue }
          let names = (path + [table]).joined(separator: " → ")
          return "the foreign keys form a cycle (\(names)): rows can be inserted only if one of them is NULL or DEFERRABLE"
        }
        if seen.insert(next.asciiLowercased).inserted { paths.append(path + [next]) }
      }
    }
    return nil
  }
}
