import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random edits, foreign writes and commits, against a model of the table that is kept in Swift.
@Suite("Commits against a model", .gated) struct CommitOracleTests {
  @Test("What is committed is what was staged, to the bit, and what is refused changes nothing", arguments: OracleTable.all)
  func model(table: OracleTable) throws {
    var random = SplitMix(seed: UInt64(table.name.utf8.count) &* 77)
    var outcomes = OracleRun.Outcomes()
    for _ in 0..<testRounds(15) {
      var run = try OracleRun(table, &random)
      for _ in 0..<6 {
        try run.edit(&random)
        try run.commitUntilDone(&random, &outcomes)
      }
      try run.checkIntegrity()
    }
    // Else the test would have looked at little.
    #expect(outcomes.written > 40)
    #expect(outcomes.rows > 80)
    #expect(outcomes.conflicts > 3)
    #expect(outcomes.refused > 3)
  }
}

/// A kind of table, with the same columns beside its key: u is unique, a takes anything, c has a CHECK, g is generated.
struct OracleTable: Sendable, CustomTestStringConvertible {
  var name: String
  var key: [String]
  var sql: String

  var testDescription: String { name }

  private static func columns(any: String = "") -> String {
    "u INTEGER UNIQUE, a \(any), t TEXT COLLATE NOCASE, r REAL, c INTEGER NOT NULL DEFAULT 7 CHECK (c < 90), g INTEGER AS (c * 2)"
  }

  static let all: [OracleTable] = [
    OracleTable(name: "rowid", key: ["rowid"], sql: "CREATE TABLE \"rowid\"(\(columns()))"),
    OracleTable(name: "Integer Key", key: ["id"], sql: "CREATE TABLE \"Integer Key\"(id INTEGER PRIMARY KEY, \(columns()))"),
    OracleTable(name: "au\"to", key: ["id"], sql: "CREATE TABLE \"au\"\"to\"(id INTEGER PRIMARY KEY AUTOINCREMENT, \(columns()))"),
    OracleTable(name: "strict", key: ["id"], sql: "CREATE TABLE \"strict\"(id INTEGER PRIMARY KEY, \(columns(any: "ANY"))) STRICT"),
    OracleTable(
      name: "group", key: ["k", "order"],
      sql: "CREATE TABLE \"group\"(\(columns()), k TEXT, \"order\" INT, PRIMARY KEY (k, \"order\")) WITHOUT ROWID"),
    OracleTable(
      name: "replacing", key: ["id"],
      sql: "CREATE TABLE \"replacing\"(id INTEGER PRIMARY KEY ON CONFLICT REPLACE, \(columns()), UNIQUE (t, r) ON CONFLICT IGNORE)"),
    OracleTable(name: "nocase", key: ["k"], sql: "CREATE TABLE \"nocase\"(k TEXT COLLATE NOCASE PRIMARY KEY, \(columns())) WITHOUT ROWID"),
  ]
}

/// A database with one table, what is staged of it, and what the table holds.
private struct OracleRun {
  typealias Rows = [RowKey: [String: StoredValue]]

  /// What has come of the commits.
  struct Outcomes {
    var written = 0
    var rows = 0
    var conflicts = 0
    var refused = 0
  }

  let table: OracleTable
  let reference: TableReference
  let queue: DatabaseQueue
  var session = EditSession()
  var changes: StagedChanges { session.staged }
  var schema: TableSchema

  init(_ table: OracleTable, _ random: inout SplitMix) throws {
    self.table = table
    let reference = TableReference(name: table.name)
    self.reference = reference
    queue = try makeDatabase(table.sql)
    schema = try queue.read { db in try db.tableSchema(reference) }
    for _ in 0..<10 { try writeAsOther(insert: true, &random) }
  }

  // MARK: Random edits

  private static let columns = ["u", "a", "t", "r", "c"]

  private func value(of column: String, _ random: inout SplitMix) -> StagedValue {
    let number = Int64.random(in: 0..<14, using: &random)
    let texts = ["abc", "ABC", "\u{E9}", "e\u{301}", "", "a\0b", "z"]
    switch column {
    case "u": return number == 0 ? .value(.null) : .value(.integer(number))
    case "c": return number == 0 ? 95 : number == 1 ? .value(.null) : .value(.integer(number))
    case "r": return .value(number == 0 ? .null : .real(Double(number) / 2))
    case "t", "k": return .value(.text(texts[Int(number) % texts.count]))
    case "id", "rowid", "order": return .value(.integer(number))
    default:
      let anything: [StagedValue] = [
        0, 1, 1.0, 0.0, .value(.real(-0.0)), "1", "", .value(.null), .value(.blob([])), .value(.blob([49])), .rawText([0xE9]),
        .value(.real(.nan)),
        .value(.integer(.max)), "\u{E9}",
      ]
      return anything[Int(number)]
    }
  }

  mutating func edit(_ random: inout SplitMix) throws {
    for _ in 0..<Int.random(in: 1..<14, using: &random) {
      let rows = try read()
      let row = rows.keys.sorted { "\($0)" < "\($1)" }.randomElement(using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0...7: row.map { stage($0, rows, &random) }
      case 8...9:
        row.map { session.delete(.stored($0), of: reference, was: (rows[$0] ?? [:]).filter { $0.key != "g" && $0.key != "rowid" }) }
      case 10...11: stageNewRow(&random)
      case 12: try session.undo()
      case 13: try session.redo()
      case 14: try exchange(rows, &random)
      case 15...18: try writeAsOther(insert: Int.random(in: 0..<4, using: &random) == 0, &random)
      default: if let row { try session.discard(.stored(row), of: reference) }
      }
    }
  }

  private mutating func stage(_ row: RowKey, _ rows: Rows, _ random: inout SplitMix) {
    let editable = Self.columns + table.key.filter { schema.column(named: $0) != nil }
    guard let column = editable.randomElement(using: &random) else { return }
    try? session.set(value(of: column, &random), column: column, row: .stored(row), of: reference, was: rows[row]?[column] ?? .null)
  }

  private mutating func stageNewRow(_ random: inout SplitMix) {
    var values: [String: StagedValue] = [:]
    for column in Self.columns where Bool.random(using: &random) { values[column] = value(of: column, &random) }
    for column in table.key where table.key != ["rowid"] && (schema.entry.isWithoutRowID || Bool.random(using: &random)) {
      values[column] = value(of: column, &random)
    }
    session.insert(values, into: reference)
  }

  /// Stages that two rows exchange their unique values.
  private mutating func exchange(_ rows: Rows, _ random: inout SplitMix) throws {
    let two = rows.keys.sorted { "\($0)" < "\($1)" }.shuffled(using: &random).prefix(2)
    guard let first = two.first, let second = two.last, first != second else { return }
    session.step("exchange") { session in
      for (row, other) in [(first, second), (second, first)] {
        guard let was = rows[row]?["u"], let value = rows[other]?["u"] else { continue }
        try? session.set(StagedValue(value), column: "u", row: .stored(row), of: reference, was: was)
      }
    }
  }

  /// Changes the table as another program would, where its constraints let that be.
  private func writeAsOther(insert: Bool, _ random: inout SplitMix) throws {
    var other = StagedChanges()
    let rows = try read()
    if insert {
      var copy = self
      copy.session = EditSession()
      copy.stageNewRow(&random)
      other = copy.changes
    } else if let row = rows.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) {
      let name = SQLIdentifier.quoted(table.name)
      let id = table.key.map { "\"\($0)\" IS ?" }.joined(separator: " AND ")
      let key: [DatabaseValue] =
        if case .values(let values) = row { values } else if case .rowID(let id) = row { [.integer(id)] } else { [] }
      try queue.withoutTransaction { db in
        let sql =
          Bool.random(using: &random)
          ? "DELETE FROM \(name) WHERE \(id)" : "UPDATE OR IGNORE \(name) SET a = 'other', c = c + 1 WHERE \(id)"
        try? db.execute(sql: sql, arguments: StatementArguments(key))
      }
    }
    _ = try? queue.withoutTransaction { db in try db.commit(other) }
  }

  // MARK: Commits

  mutating func commitUntilDone(_ random: inout SplitMix, _ outcomes: inout Outcomes) throws {
    for _ in 0..<40 {
      let before = try read()
      let staged = changes.rows(of: reference)
      if changes.isEmpty { return outcomes.written += 1 }
      let sent = try session.beginCommit()
      do {
        let summary = try queue.withoutTransaction { db in try db.commit(sent) }
        try checkWritten(before, staged, summary)
        session.endCommit(written: sent)
        #expect(changes.isEmpty)
        outcomes.written += 1
        outcomes.rows += staged.count
        return
      } catch CommitFailure.conflicts(let conflicts) {
        session.cancelCommit()
        #expect(try read() == before)
        #expect(Set(conflicts) == expectedConflicts(before, staged))
        outcomes.conflicts += 1
        for conflict in conflicts { try session.resolve([conflict], Bool.random(using: &random) ? .mine : .theirs) }
      } catch CommitFailure.constraints(let failures) {
        session.cancelCommit()
        #expect(try read() == before)
        let isBroken = breaksRules(before, staged)
        #expect(isBroken, "\(failures)")
        outcomes.refused += 1
        for row in failures.compactMap(\.row) { try session.discard(row, of: reference) }
      }
    }
    Issue.record("a commit never came to an end: \(changes.rows(of: reference))")
  }

  private func expectedConflicts(_ rows: Rows, _ staged: [(row: StagedRowID, change: StagedRow)]) -> Set<Conflict> {
    var conflicts: Set<Conflict> = []
    for case (.stored(let key), let change) in staged {
      guard let row = rows[key] else {
        conflicts.insert(Conflict(table: reference, key: key))
        continue
      }
      let expected: [String: StoredValue] =
        switch change {
        case .updated(let cells): cells.mapValues(\.was)
        case .deleted(let was): was
        case .inserted: [:]
        }
      for (column, was) in expected where row[column] != was && row[column] != change.value(of: column)?.stored {
        conflicts.insert(
          Conflict(table: reference, key: key, column: column, base: was, theirs: row[column], mine: change.value(of: column)))
      }
    }
    return conflicts
  }

  /// Returns the rows as they ought to be after a commit: those of the file in their places, and the new ones.
  private func expectedRows(_ rows: Rows, _ staged: [(row: StagedRowID, change: StagedRow)]) -> (
    old: [[String: StoredValue]], new: [[String: StagedValue]]
  ) {
    var (rows, new) = (rows, [[String: StagedValue]]())
    for (row, change) in staged {
      switch (row, change) {
      case (.stored(let key), .updated(let cells)):
        for (column, cell) in cells { rows[key]?[column] = cell.value.stored }
      case (.stored(let key), .deleted): rows[key] = nil
      case (_, .inserted(let values)): new.append(values)
      default: break
      }
    }
    return (rows.values.map { row in row.merging(["g": doubled(row["c"])]) { $1 } }, new)
  }

  private func doubled(_ value: StoredValue?) -> StoredValue {
    if case .value(.integer(let number))? = value { .value(.integer(number * 2)) } else { .null }
  }

  private func checkWritten(_ before: Rows, _ staged: [(row: StagedRowID, change: StagedRow)], _ summary: CommitSummary) throws {
    #expect(expectedConflicts(before, staged).isEmpty)
    let after = try read()
    var rest = after.values.map(shown)
    let (old, new) = expectedRows(before, staged)
    for row in old {
      // The rowid is the key where it has no column, and stays; else the key is among the columns.
      guard let index = rest.firstIndex(of: shown(row)) else { return #expect(Bool(false), "missing \(shown(row)) in \(rest)") }
      rest.remove(at: index)
    }
    #expect(rest.count == new.count && summary.inserted == new.count)
    let numbers = changes.newRows(of: reference)
    for (number, values) in zip(numbers, new) {
      let row = try #require(summary.newKeys[reference]?[number].flatMap { after[$0] })
      for column in Self.columns + table.key {
        let wanted = values[column]?.stored ?? (column == "c" ? 7 : nil)
        if let wanted { #expect(row[column] == wanted) } else if Self.columns.contains(column) { #expect(row[column] == .null) }
      }
    }
  }

  /// Returns whether the rows as they ought to be cannot be, or only by a way that SQLite does not go.
  private func breaksRules(_ before: Rows, _ staged: [(row: StagedRowID, change: StagedRow)]) -> Bool {
    let (old, new) = expectedRows(before, staged)
    let rows = old + new.map { values in values.compactMapValues(\.stored).merging(["c": 7]) { first, _ in first } }
    let numbers = rows.map { $0["c"] ?? .null }
    if numbers.contains(where: { if case .value(.integer(let number)) = $0 { number >= 90 } else { true } }) { return true }
    let unique = [["u"], table.key] + (table.name == "replacing" ? [["t", "r"]] : [])
    return unique.contains { columns in
      let keys = rows.compactMap { row -> String? in
        let values = columns.map { row[$0] ?? .null }
        return values.contains(.null) ? nil : values.map { folded($0) }.joined(separator: "|")
      }
      return Set(keys).count < keys.count
    }
  }

  private func folded(_ value: StoredValue) -> String {
    // The unicode scalars keep apart what Swift takes for the same text.
    guard case .value(.text(let text)) = value else { return "\(value)" }
    let isNocase = table.name != "group"
    return "\(text.unicodeScalars.map { isNocase && $0.isASCII && $0.properties.isUppercase ? $0.value + 32 : $0.value })"
  }

  // MARK: Reading

  private func shown(_ row: [String: StoredValue]) -> String {
    row.sorted { $0.key < $1.key }.map { "\($0.key): \(exact($0.value))" }.joined(separator: ", ")
  }

  private func exact(_ value: StoredValue) -> String {
    switch value {
    case .value(.text(let text)): "text \(Array(text.utf8))"
    case .value(.real(let number)): "real \(number.bitPattern)"
    default: "\(value)"
    }
  }

  private func read() throws -> Rows {
    let columns = Self.columns + ["g"] + table.key
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return try queue.read { db in
      var rows: Rows = [:]
      let statement = try db.makeStatement(sql: "SELECT \(names) FROM \(SQLIdentifier.quoted(table.name))")
      while try statement.step() {
        let values = try columns.indices.map { try value(statement, $0) }
        let key = values.suffix(table.key.count).compactMap(\.value)
        let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
        if !schema.entry.isWithoutRowID, case .integer(let id)? = key.first { rows[.rowID(id)] = row } else { rows[.values(key)] = row }
      }
      return rows
    }
  }

  private func value(_ statement: Statement, _ index: Int) throws -> StoredValue {
    guard try statement.columnStorageClass(at: index) == .text else { return .value(try statement.columnValue(at: index)) }
    let bytes = try statement.withColumnBytes(at: index) { Array($0) }
    return String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(bytes)
  }

  func checkIntegrity() throws {
    let faults = try queue.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
    #expect(faults == ["ok"])
  }
}
