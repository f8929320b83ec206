import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Views through foreign keys have the rows of joins", .gated) struct RelatedRowsOracleTests {
  private static let viewsOfDatabase = 4

  @Test("in the same order, as sqlite3 prints them")
  func views() async throws {
    for round in 0..<testRounds(10) {
      var random = SplitMix(seed: UInt64(round) &* 7919 &+ 11)
      let tables = RandomTables(using: &random)
      let views = (0..<Self.viewsOfDatabase).map { _ in tables.view(using: &random) }
      try await withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("test.db").path
        let wanted = try Self.shell(tables.script + "\n" + views.map(\.script).joined(), path, folder)
        let queue = try DatabaseQueue(path: path)
        for (index, view) in views.enumerated() {
          let found = try await Self.rows(of: view.view, in: queue)
          #expect(found == wanted[index], "round \(round): \(view.view)\n\(tables.script)\n\(view.script)")
        }
      }
    }
  }

  /// Runs a script in the sqlite3 shell, and returns the lines that each of its SELECTs prints.
  private static func shell(_ script: String, _ path: String, _ folder: URL) throws -> [[String]] {
    let (input, output) = (folder.appendingPathComponent("in.sql"), folder.appendingPathComponent("out.txt"))
    try script.write(to: input, atomically: true, encoding: .utf8)
    let shell = try ChildProcess(["/usr/bin/sqlite3", "-bail", path], input: .file(input.path), output: .file(output.path))
    #expect(shell.wait() == .exit(0))
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    return lines.split(separator: "--", omittingEmptySubsequences: false).dropFirst().map(Array.init)
  }

  private static func rows(of view: RowView, in queue: DatabaseQueue) async throws -> [String] {
    let table = TableReference(name: "t0")
    let set = try await queue.read { db in
      let compiled = try view.compiled(for: FilterColumns(of: db.tableSchema(table), in: db))
      #expect(compiled.computed.count == view.columns.count, "\(view)")
      return compiled.applied(to: RowSet(.table(table)))
    }
    let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
    return try await reader.page(PageRequest(.first, limit: 1000)).rows.map { $0.cells.map(\.quoted).joined(separator: "|") }
  }
}

extension CellValue {
  /// The value as SQLite's quote() returns it.
  fileprivate var quoted: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let text, _, _): "'\(text)'"
    case .blob: "?"
    }
  }
}

/// Tables with keys of several kinds that refer to each other and to themselves.
private struct RandomTables {
  struct Key {
    var columns: [String]
    var parent: Int
  }

  struct Table {
    var name: String
    var keyColumns: [String]
    var hasRowID: Bool
    var definition: String
    var keys: [Key] = []
    var columns: [String] = []
  }

  private(set) var tables: [Table] = []
  private(set) var script = ""

  private static let words = ["ab", "Ab", "AB", "b", "B", "ca", "cA"]

  init(using random: inout SplitMix) {
    tables = (0..<3 + random.below(2)).map { index in
      let isWithoutRowID = random.below(2) == 0
      let collation = random.below(2) == 0 ? " COLLATE NOCASE" : ""
      let suffix = isWithoutRowID ? ") WITHOUT ROWID" : ")"
      return switch random.below(4) {
      case 0:
        Table(
          name: "t\(index)", keyColumns: ["a", "b"], hasRowID: !isWithoutRowID,
          definition: "a INTEGER, b TEXT\(collation)|PRIMARY KEY (a, b)\(suffix)")
      case 1:
        Table(name: "t\(index)", keyColumns: ["code"], hasRowID: !isWithoutRowID, definition: "code TEXT\(collation) PRIMARY KEY|\(suffix)")
      default: Table(name: "t\(index)", keyColumns: ["id"], hasRowID: true, definition: "id INTEGER PRIMARY KEY|)")
      }
    }
    for index in tables.indices { addKeys(to: index, using: &random) }
    script = tables.indices.map { create($0, using: &random) }.joined(separator: "\n")
  }

  private mutating func addKeys(to table: Int, using random: inout SplitMix) {
    for number in 0..<1 + random.below(3) {
      let parent = random.below(tables.count)
      let isComposite = tables[parent].keyColumns.count > 1
      // A composite key can be named only by its table.
      if tables[table].keys.contains(where: { $0.parent == parent && ($0.columns.count > 1 || isComposite) }) { continue }
      let columns = isComposite ? ["r\(number)a", "r\(number)b"] : ["r\(number)"]
      tables[table].keys.append(Key(columns: columns, parent: parent))
    }
  }

  /// Returns the statements that create and fill a table.
  private mutating func create(_ index: Int, using random: inout SplitMix) -> String {
    let table = tables[index]
    let parts = table.definition.split(separator: "|", omittingEmptySubsequences: false)
    let types = Dictionary(uniqueKeysWithValues: [("id", "INTEGER"), ("a", "INTEGER"), ("b", "TEXT"), ("code", "TEXT")])
    var columns = [String(parts[0]), "n INTEGER", random.below(2) == 0 ? "s TEXT COLLATE NOCASE" : "s TEXT"]
    var names = table.keyColumns + ["n", "s"]
    var constraints: [String] = []
    for key in table.keys {
      let parent = tables[key.parent]
      for (column, target) in zip(key.columns, parent.keyColumns) {
        let isNoCase = types[target] == "TEXT" && random.below(3) == 0
        columns.append("\(column) \(types[target] ?? "")\(isNoCase ? " COLLATE NOCASE" : "")")
      }
      names += key.columns
      constraints.append(
        "FOREIGN KEY (\(key.columns.joined(separator: ", "))) REFERENCES \(parent.name)(\(parent.keyColumns.joined(separator: ", ")))")
    }
    tables[index].columns = names
    let tail = String(parts[1])
    let end = tail.hasPrefix("PRIMARY") ? [String(tail.prefix { $0 != ")" }) + ")"] : []
    let close = tail.contains("WITHOUT") ? ") WITHOUT ROWID" : ")"
    let create = "CREATE TABLE \(table.name)(\((columns + end + constraints).joined(separator: ", "))\(close);"
    let rows = (0..<random.below(14)).map { number in
      let values = names.enumerated().map { place, _ in value(at: place, of: table, number, using: &random) }
      return "INSERT OR IGNORE INTO \(table.name) VALUES (\(values.joined(separator: ", ")));"
    }
    let children =
      random.below(2) == 0
      ? table.keys.map { "CREATE INDEX \(table.name)_\($0.columns[0]) ON \(table.name)(\($0.columns.joined(separator: ", ")));" } : []
    return ([create] + rows + children).joined(separator: "\n")
  }

  private func value(at place: Int, of table: Table, _ number: Int, using random: inout SplitMix) -> String {
    let name = place < table.keyColumns.count ? table.keyColumns[place] : ""
    func word() -> String { "'\(Self.words[random.below(Self.words.count)])'" }
    switch name {
    case "id": return String(number + 1)
    case "a": return String(random.below(4))
    case "b", "code": return word()
    default: break
    }
    if place == table.keyColumns.count { return random.below(4) == 0 ? "NULL" : String(random.below(6)) }
    if place == table.keyColumns.count + 1 { return random.below(4) == 0 ? "NULL" : word() }
    if random.below(5) == 0 { return "NULL" }
    var rest = place - table.keyColumns.count - 2
    for key in table.keys {
      if rest < key.columns.count {
        let target = tables[key.parent].keyColumns[rest]
        return target == "id" ? String(1 + random.below(16)) : target == "a" ? String(random.below(5)) : word()
      }
      rest -= key.columns.count
    }
    return "NULL"
  }

  // MARK: Views

  /// A value in the filter language and in SQL, with the joins that it needs.
  struct Value {
    var text: String
    var sql: String
    var joins: [String]
    var isText = false
    var isTruth = false
  }

  struct View {
    var view: RowView
    var script: String
  }

  /// Returns a path from the first table, through up to three foreign keys.
  private func path(_ number: Int, using random: inout SplitMix) -> Value? {
    var (table, alias, names, joins): (Int, String, [String], [String]) = (0, "r", [], [])
    for step in 0..<1 + random.below(3) {
      guard !tables[table].keys.isEmpty else { break }
      let key = tables[table].keys[random.below(tables[table].keys.count)]
      let isOnly = tables[table].keys.count { $0.parent == key.parent } == 1 && (step > 0 || key.parent != 0)
      names.append(key.columns.count > 1 || isOnly && random.below(3) == 0 ? tables[key.parent].name : key.columns[0])
      let next = "v\(number)_\(step)"
      let terms = zip(tables[key.parent].keyColumns, key.columns).map { "\(next).\($0) = \(alias).\($1)" }
      joins.append("LEFT JOIN \(tables[key.parent].name) AS \(next) ON \(terms.joined(separator: " AND "))")
      (table, alias) = (key.parent, next)
    }
    if names.isEmpty { return nil }
    let column = random.below(2) == 0 ? "n" : "s"
    return Value(text: (names + [column]).joined(separator: "."), sql: "\(alias).\(column)", joins: joins, isText: column == "s")
  }

  /// Returns an aggregate over a table that refers to the first one.
  private func aggregate(_ number: Int, using random: inout SplitMix) -> Value? {
    let children = tables.indices.filter { tables[$0].keys.contains { $0.parent == 0 } }
    guard !children.isEmpty else { return nil }
    let child = tables[children[random.below(children.count)]]
    let keys = child.keys.filter { $0.parent == 0 }
    let key = keys[random.below(keys.count)]
    let subject = keys.count > 1 ? "\(child.name).\(key.columns[0])" : child.name
    let own = tables[0].hasRowID ? ["rowid"] : tables[0].keyColumns
    let terms = zip(tables[0].keyColumns, key.columns).map { "p.\($0) = c.\($1)" }
    func value(_ text: String, _ function: String, _ result: (String) -> String, condition: String = "") -> Value {
      let group = own.map { "p.\($0)" }
      let list = zip(group, own.indices).map { "\($0) AS k\($1)" }.joined(separator: ", ")
      let grouped =
        "SELECT \(list), \(function) AS v FROM t0 AS p JOIN \(child.name) AS c ON \(terms.joined(separator: " AND "))\(condition)"
        + " GROUP BY \(group.joined(separator: ", "))"
      let join =
        "LEFT JOIN (\(grouped)) AS g\(number) ON \(zip(own, own.indices).map { "g\(number).k\($1) = r.\($0)" }.joined(separator: " AND "))"
      return Value(text: text, sql: result("g\(number).v"), joins: [join])
    }
    switch random.below(keys.count > 1 ? 3 : 6) {
    case 0: return value("count(\(subject))", "count(*)", { "coalesce(\($0), 0)" })
    case 1: return value("count(\(subject), n > 2)", "count(*)", { "coalesce(\($0), 0)" }, condition: " AND c.n > 2")
    case 2:
      var found = value("exists(\(subject))", "count(*)", { "(\($0) IS NOT NULL)" })
      found.isTruth = true
      return found
    case 3: return value("sum(\(child.name).n)", "sum(c.n)", { $0 })
    case 4: return value("max(\(child.name).n * 2)", "max(c.n * 2)", { $0 })
    default: return value("min(\(child.name).n)", "min(c.n)", { $0 })
    }
  }

  private func condition(_ value: Value, _ written: String, using random: inout SplitMix) -> (text: String, sql: String) {
    if value.isTruth { return (written, value.sql) }
    if random.below(4) == 0 { return ("\(written) is null", "\(value.sql) IS NULL") }
    if value.isText {
      let word = Self.words[random.below(Self.words.count)]
      return random.below(3) == 0 ? ("\(written) ~ 'a'", "\(value.sql) LIKE '%a%'") : ("\(written) = '\(word)'", "\(value.sql) = '\(word)'")
    }
    let number = random.below(4)
    let sign = ["=", ">", "<", "<>"][random.below(4)]
    return ("\(written) \(sign) \(number)", "\(value.sql) \(sign) \(number)")
  }

  /// Returns a view of the first table, and the SELECT with the same rows.
  func view(using random: inout SplitMix) -> View {
    let values = (0..<2).compactMap { number in random.below(3) == 0 ? aggregate(number, using: &random) : path(number, using: &random) }
    var (filters, sorts, columns): ([(text: String, sql: String)], [(text: String, sql: String)], [String]) = ([], [], [])
    for (number, value) in values.enumerated() {
      let isNamed = random.below(2) == 0
      columns.append(
        isNamed
          ? "c\(number) = \(value.text)"
          : values.dropLast().contains { $0.text == value.text && number > 0 } ? "c\(number) = \(value.text)" : value.text)
      let written = isNamed ? "c\(number)" : value.text
      if random.below(2) == 0 { filters.append(condition(value, written, using: &random)) }
      if random.below(2) == 0 {
        let isDescending = random.below(2) == 0
        sorts.append((written + (isDescending ? " desc" : ""), value.sql + (isDescending ? " DESC" : "")))
      }
    }
    let joiner = random.below(2) == 0 ? "and" : "or"
    let ties = tables[0].hasRowID ? ["r.rowid"] : tables[0].keyColumns.map { "r.\($0)" }
    let list = (tables[0].columns.map { "r.\($0)" } + values.map(\.sql)).map { "quote(\($0))" }.joined(separator: " || '|' || ")
    let narrowing = filters.isEmpty ? "" : " WHERE " + filters.map(\.sql).joined(separator: " \(joiner) ")
    let sql =
      "SELECT '--';\nSELECT \(list) FROM t0 AS r \(values.flatMap(\.joins).joined(separator: " "))\(narrowing)"
      + " ORDER BY \((sorts.map(\.sql) + ties).joined(separator: ", "));\n"
    let view = RowView(
      filter: filters.map(\.text).joined(separator: " \(joiner) "), sort: sorts.map(\.text).joined(separator: ", "), columns: columns)
    return View(view: view, script: sql)
  }
}
