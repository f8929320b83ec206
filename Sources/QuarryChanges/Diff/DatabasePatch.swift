package import QuarryEngine

/// A statement that changes a database into another one.
package enum PatchStatement: Sendable {
  /// The SQL of an object of a schema.
  case object(String)
  /// A statement that writes a row.
  case row(SQLText, RowDifference)
  /// The statement that inserts the copied rows of a table that has been recreated.
  case restore(SQLText, table: String)
  /// Another statement.
  case sql(SQLText)
}

/// The source of the differences of rows that a patch applies.
protocol PatchRows {
  /// Reports the differences of a table, several at a time.
  func differences(of table: DiffTable, _ report: ([RowDifference]) async throws -> Void) async throws
}

/// The statements that change a database: its schema first, then its rows, then what depends on them.
///
/// They run with foreign keys off, and without the triggers of changed tables, which are created again at the end. Rows are deleted and
/// updated before others are inserted, referring tables first, and inserted with referenced tables first.
struct DatabasePatch: Sendable {
  /// The schema of the database that is changed, and the schema that it gets.
  let comparison: SchemaComparison
  /// The tables whose rows or definitions change.
  let tables: [RowPatch]
  /// The AUTOINCREMENT counters of changed tables.
  let sequences: [String: Int64]
  /// The numbers that programs store in a database.
  let numbers: [String: Int64]

  private var before: DiffSchema { comparison.before }
  private var after: DiffSchema { comparison.after }

  /// Whether nothing changes.
  var isEmpty: Bool {
    tables.isEmpty && numbers.isEmpty && comparison.changed.isEmpty && before.objects.allSatisfy { after[$0.key] != nil }
      && after.objects.allSatisfy { before[$0.key] != nil }
  }

  /// Reports the statements in order, several at a time.
  func statements(of rows: some PatchRows, _ report: ([PatchStatement]) async throws -> Void) async throws {
    try await report(dropping + copying + creating)
    for table in ordered.reversed() where table.takesRows {
      try await rows.differences(of: table.table) { found in
        try await report(found.compactMap { difference in table.taking(difference).map { .row($0, difference) } })
      }
    }
    try await report(ordered.flatMap(\.restoring))
    for table in ordered where table.givesRows {
      try await rows.differences(of: table.source) { found in
        try await report(found.flatMap { difference in table.giving(difference).map { .row($0, difference) } })
      }
    }
    try await report(completing)
  }

  // MARK: Schema

  /// The existing tables that are recreated.
  private var remade: Set<String> {
    Set(comparison.changed.compactMap { before[$0] }.filter { $0.kind == "table" }.map(\.name.asciiLowercased))
  }

  private var removed: Set<String> {
    Set(before.objects.filter { ["table", "view"].contains($0.kind) && after[$0.key] == nil }.map(\.name.asciiLowercased))
  }

  /// Whether an object of either schema stays as it is.
  private func isKept(_ object: DiffSchema.Object) -> Bool {
    before[object.key] != nil && after[object.key] != nil && !comparison.changed.contains(object.key)
  }

  /// Drops triggers, views, indexes and tables that are not part of the new schema, or belong to a table that changes.
  private var dropping: [PatchStatement] {
    let changedViews = Set(before.objects.filter { $0.kind == "view" && !isKept($0) }.map(\.name.asciiLowercased))
    let touched = Set(tables.map(\.table.name.asciiLowercased)).union(changedViews)
    let gone = remade.union(removed)
    var statements: [SQLText] = []
    func drop(_ kind: String, _ keyword: SQLText, if isDropped: (DiffSchema.Object) -> Bool) {
      for object in before.objects where object.kind == kind && isDropped(object) {
        statements.append("DROP \(keyword) main.\(identifier: object.name)")
      }
    }
    drop("trigger", "TRIGGER") { !isKept($0) || touched.contains($0.table.asciiLowercased) || gone.contains($0.table.asciiLowercased) }
    drop("view", "VIEW") { !isKept($0) }
    drop("index", "INDEX") { !isKept($0) && !gone.contains($0.table.asciiLowercased) }
    drop("table", "TABLE") { after[$0.key] == nil }
    return statements.map(PatchStatement.sql)
  }

  private var copying: [PatchStatement] {
    let remade = remade
    return tables.filter { remade.contains($0.table.name.asciiLowercased) }.flatMap { table in
      (table.copying + ["DROP TABLE main.\(identifier: table.table.name)"]).map(PatchStatement.sql)
    }
  }

  private var creating: [PatchStatement] {
    let remade = remade
    return after.objects.filter { $0.kind == "table" && (before[$0.key] == nil || remade.contains($0.name.asciiLowercased)) }
      .map { .object($0.sql) }
  }

  /// Creates indexes, views and triggers, and sets counters and numbers.
  private var completing: [PatchStatement] {
    let remade = remade
    let changedViews = Set(after.objects.filter { $0.kind == "view" && !isKept($0) }.map(\.name.asciiLowercased))
    let touched = Set(tables.map(\.table.name.asciiLowercased)).union(changedViews).union(remade)
    let objects = after.objects.filter { object in
      let table = object.table.asciiLowercased
      return switch object.kind {
      case "index": !isKept(object) || remade.contains(table)
      case "view": !isKept(object)
      case "trigger": !isKept(object) || touched.contains(table)
      default: false
      }
    }
    let rebuilds = tables.filter { $0.way == .rebuild }.map { table -> SQLText in
      let name = table.result.entry.reference.name
      return "INSERT INTO main.\(identifier: name)(\(identifier: name)) VALUES('rebuild')"
    }
    let counters = sequences.sorted { $0.key < $1.key }.flatMap { name, value -> [SQLText] in
      ["DELETE FROM sqlite_sequence WHERE name = \(name)", "INSERT INTO sqlite_sequence(name, seq) VALUES(\(name), \(value))"]
    }
    let pragmas = numbers.sorted { $0.key < $1.key }.map { name, value -> SQLText in
      "PRAGMA main.\(identifier: name) = \(raw: String(value))"
    }
    // Triggers must not run for any of these changes.
    return objects.filter { $0.kind != "trigger" }.map { .object($0.sql) } + (rebuilds + counters + pragmas).map(PatchStatement.sql)
      + objects.filter { $0.kind == "trigger" }.map { .object($0.sql) }
  }

  // MARK: Order

  /// The tables in an order in which each follows the tables to which it refers, as far as they form no cycle.
  private var ordered: [RowPatch] {
    let places = Dictionary(tables.enumerated().map { ($1.table.name.asciiLowercased, $0) }) { first, _ in first }
    var (order, seen): ([Int], Set<Int>) = ([], [])
    for start in tables.indices where !seen.contains(start) {
      var path = [(table: start, next: 0)]
      seen.insert(start)
      while let last = path.last {
        let keys = tables[last.table].result.foreignKeys
        guard last.next < keys.count else {
          order.append(last.table)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        if let parent = places[keys[last.next].table.name.asciiLowercased], seen.insert(parent).inserted { path.append((parent, 0)) }
      }
    }
    return order.map { tables[$0] }
  }
}

extension DiffTable {
  /// The same table as if only the second database had it, so that all rows are differences.
  var onlyAfter: DiffTable { before == nil ? self : DiffTable(onlyAfterOf: self) }
}
