import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ReadPlanTests {
  @Test(
    "An aggregate over a table without an index on its foreign key is a scan, and the index is suggested",
    arguments: [
      RowView(filter: "count(line) = 0"), RowView(sort: "-sum(line.n)"), RowView(columns: ["lines = count(line)"]),
      RowView(filter: "lines > 3", columns: ["lines = count(line)"]), RowView(filter: "exists(good, count(line) > 1)"),
    ])
  func children(view: RowView) async throws {
    let queue = try makeDatabase(
      "CREATE TABLE track(id INTEGER PRIMARY KEY)",
      "CREATE TABLE line(id INTEGER PRIMARY KEY, n INT, track INT REFERENCES track, good INT REFERENCES good)",
      "CREATE TABLE good(id INTEGER PRIMARY KEY, track INT REFERENCES track)", "CREATE INDEX good_track ON good(track)")
    func plan(_ view: RowView) async throws -> ReadPlan {
      try await queue.read { db in
        let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "track")), in: db)
        return try ReadPlan(of: view.compiled(for: columns).applied(to: RowSet(.table(TableReference(name: "track")))), in: db)
      }
    }
    let isOfGood = view.filter.contains("good")
    let before = try await plan(view)
    #expect(before.kind == .scan && before.scannedChild == "line")
    #expect(before.suggestedIndex == (isOfGood ? "CREATE INDEX line_good ON line(good)" : "CREATE INDEX line_track ON line(track)"))
    let index = try #require(before.suggestedIndex)
    try await queue.write { try $0.execute(sql: index) }
    let after = try await plan(view)
    #expect(after.scannedChild == nil && after.suggestedIndex == nil)
  }

  private struct Case {
    var filter: RowFilter?
    var order = RowOrder.natural
    var matching: [ColumnMatch] = []
    var kind = ReadPlan.Kind.scan
    var sorts = false
    var index: String?
    var suggestedIndex: String?
  }

  private static let a = Column<Int?>("a")
  private static let b = Column<String?>("b")
  private static let odd = Column<Int?>("an \"odd\" one")

  private static let cases = [
    Case(),
    Case(filter: RowFilter(a == 3), kind: .search, index: "ta"),
    Case(order: RowOrder([a]), index: "ta"),
    Case(order: RowOrder([a.desc()]), index: "ta"),
    Case(order: RowOrder([b]), sorts: true, suggestedIndex: "CREATE INDEX t_b ON t(b)"),
    Case(order: RowOrder([b.desc(), a]), sorts: true, suggestedIndex: "CREATE INDEX t_b_a ON t(b DESC, a)"),
    Case(
      order: RowOrder([b.desc(), odd.desc()]), sorts: true,
      suggestedIndex: "CREATE INDEX \"t_b_an \"\"odd\"\" one\" ON t(b, \"an \"\"odd\"\" one\")"),
    Case(filter: RowFilter(b == "x"), suggestedIndex: "CREATE INDEX t_b ON t(b)"),
    Case(filter: RowFilter(odd > 3 && b == "x"), suggestedIndex: "CREATE INDEX \"t_b_an \"\"odd\"\" one\" ON t(b, \"an \"\"odd\"\" one\")"),
    Case(
      filter: RowFilter(b == "x"), order: RowOrder([odd]), sorts: true,
      suggestedIndex: "CREATE INDEX \"t_b_an \"\"odd\"\" one\" ON t(b, \"an \"\"odd\"\" one\")"),
    Case(filter: RowFilter(b.collate(.nocase) == "x"), suggestedIndex: "CREATE INDEX t_b ON t(b COLLATE NOCASE)"),
    Case(filter: RowFilter(b == "x" || a == 3)),
    Case(matching: [ColumnMatch(column: "b", value: .null)], suggestedIndex: "CREATE INDEX t_b ON t(b)"),
    Case(order: RowOrder([b.asc(nulls: .last)]), sorts: true),
  ]

  @Test("A plan tells what is scanned and sorted, and which index would save it")
  func plans() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b TEXT, \"an \"\"odd\"\" one\" INT)", "CREATE INDEX ta ON t(a)")
    for expected in Self.cases {
      let set = RowSet(.table(TableReference(name: "t")), matching: expected.matching, filter: expected.filter, order: expected.order)
      let plan = try await RowReader(set, on: ReadConnections(foreground: queue, background: queue)).plan()
      let right = ReadPlan(
        kind: expected.kind, sorts: expected.sorts, index: expected.index, details: plan.details, suggestedIndex: expected.suggestedIndex)
      #expect(plan == right, "\(set.filter.map { "\($0)" } ?? "all") by \(set.order)")
      guard let suggestedIndex = plan.suggestedIndex else { continue }
      try await queue.withoutTransaction { try $0.execute(sql: "SAVEPOINT s; \(suggestedIndex)") }
      let remedied = try await RowReader(set, on: ReadConnections(foreground: queue, background: queue)).plan()
      #expect((remedied.kind == .search || !remedied.sorts) && remedied.index != nil, "\(remedied)")
      try await queue.withoutTransaction { try $0.execute(sql: "ROLLBACK TO s; RELEASE s") }
    }
  }

  @Test("Different values come by an index in steps, else from some rows")
  func distinctValues() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b TEXT COLLATE NOCASE, c)", "CREATE INDEX ta ON t(a)", "CREATE INDEX tb ON t(b)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO t SELECT CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN i % 40 WHEN 2 THEN 'Abc' || (i % 20) ELSE 'x_' || (i % 10) END,
        char(97 + i % 5, 65 + i % 3), (i % 3) || '%' FROM n
      """,
      "CREATE VIEW v AS SELECT a, c FROM t")
    let table = RowSet.Source.table(TableReference(name: "t"))
    let cases: [(RowSet.Source, String, String, Int, [String], Bool)] = [
      (table, "a", "", 3, ["1", "5", "9"], false), (table, "a", "", 100, [], true),
      (table, "a", "abc1", 9, ["Abc10", "Abc14", "Abc18"], true),
      (table, "a", "1", 9, ["1", "13", "17"], true), (table, "a", "x_", 9, ["x_1", "x_3", "x_5", "x_7", "x_9"], true),
      (table, "b", "AB", 9, ["aB"], true), (table, "c", "1%", 9, ["1%"], false), (table, "c", "", 2, ["0%", "1%"], false),
      (.table(TableReference(name: "v")), "c", "2", 9, ["2%"], false),
      (.query(sql: "SELECT c AS d FROM t;"), "D", "", 9, ["0%", "1%", "2%"], false),
    ]
    for (source, column, prefix, limit, expected, isComplete) in cases {
      let found = try await RowReader(RowSet(source), on: ReadConnections(foreground: queue, background: queue)).distinctValues(
        of: column, prefix: prefix, limit: limit)
      #expect(
        found.isComplete == isComplete && (expected.isEmpty || found.values.map(\.plain) == expected), "\(column) \(prefix): \(found)")
    }
    let all = try await RowReader(RowSet(table), on: ReadConnections(foreground: queue, background: queue)).distinctValues(of: "a")
    #expect(try await all.values.count == queue.read { try Int.fetchOne($0, sql: "SELECT count(DISTINCT a) FROM t") })
  }
}

extension DatabaseValue {
  fileprivate var plain: String {
    switch self {
    case .integer(let value): "\(value)"
    case .text(let text): text
    default: "?"
    }
  }
}

@Suite("Steps of a plan", .gated)
struct PlanStepTests {
  @Test(
    "a step is told in words",
    arguments: [
      ("SCAN Track", "reads every row of Track"),
      ("SCAN t USING INDEX t_a", "reads every entry of the index t_a for t"),
      ("SCAN t USING COVERING INDEX t_a", "reads every entry of the index t_a for t: it contains all the columns needed"),
      ("SCAN CONSTANT ROW", "creates rows without a table"),
      ("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "finds rows of t by the table's key (rowid=?)"),
      ("SEARCH t USING INDEX t_a (a=? AND b>?)", "finds rows of t by the index t_a (a=? AND b>?)"),
      ("SEARCH t USING AUTOMATIC COVERING INDEX (a=?)", "finds rows of t by an index created for this query only (a=?)"),
      ("USE TEMP B-TREE FOR ORDER BY", "sorts the rows for ORDER BY"),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", "sorts the rows for RIGHT PART OF ORDER BY"),
      ("SOMETHING NEW", "something new"),
    ])
  func words(detail: String, sentence: String) {
    #expect(PlanStep(depth: 0, detail: detail).sentence == sentence)
  }

  @Test("the parts of a step are deeper than it is")
  func tree() throws {
    let queue = try DatabaseQueue()
    let steps = try queue.read { db in
      try PlanStep.plan(of: "SELECT * FROM (SELECT 1 AS a UNION SELECT 2) WHERE a = :a", in: db)
    }
    #expect(steps.first?.depth == 0)
    #expect(steps.contains { $0.depth > 0 })
  }

  @Test("what does not compile is refused at its place")
  func fault() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: DatabaseError.self) { try queue.read { db in try PlanStep.plan(of: "SELECT * FORM t", in: db) } }
    #expect(error?.offset == 9)
  }
}
