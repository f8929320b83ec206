import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Columns of what lies at paths, beside those of a table or view.
@Suite(.gated) struct JSONColumnTests {
  private func makeEvents() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data TEXT, kind TEXT)",
      """
      INSERT INTO event VALUES (1, '{"user": {"name": "Ada"}, "n": 1}', 'a'), (2, 'no JSON', 'b'),
      (3, '{"user": {"name": "Bob"}, "n": 2.5}', 'a')
      """, "CREATE VIEW latest AS SELECT * FROM event ORDER BY id DESC")
  }

  @Test(
    "They come after the other columns, in pages, records, single values and copies, under a filter and in any order",
    arguments: ["event", "latest"])
  func values(table: String) async throws {
    let reference = TableReference(name: table)
    let queue = try makeEvents()
    let columns = try await queue.read { db in FilterColumns(of: try db.tableSchema(reference), in: db) }
    for (filter, sort, names) in [
      ("", "id", ["Ada", nil, "Bob"]), ("data.n > 0", "-data.user.name", ["Bob", "Ada"]), ("", "-id", ["Bob", nil, "Ada"]),
    ] {
      let paths = [JSONPath([.key("user"), .key("name")]), JSONPath([.key("n")])].map { $0.filterText(in: "data") }
      let view = RowView(filter: filter, sort: sort, columns: paths)
      let set = try view.compiled(for: columns).applied(to: RowSet(.table(reference)))
      let reader = RowReader(set, on: ReadConnections(queue))
      #expect(try await reader.columns().map(\.name) == ["id", "data", "kind", "data.user.name", "data.n"])
      let page = try await reader.page(PageRequest(.first, limit: 10))
      #expect(page.rows.map(\.cells[3]) == names.map { $0.map { .text($0, byteCount: 3, isValid: true) } ?? .null })
      let key = try #require(page.rows.first?.key)
      #expect(try await reader.value(key, column: 3) == names[0].map { .text($0) })
      #expect(try await reader.record(key, limit: 100)?.cells.count == 5)
    }
  }

  @Test("The statements that keep one make a column with its values, and an index", arguments: ["", "STRICT"])
  func keeping(options: String) throws {
    let queue = try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data TEXT, user_name TEXT) \(options)",
      "INSERT INTO event VALUES (1, '{\"user\": {\"name\": \"Ada\"}}', 'x'), (2, 'no JSON', 'y')")
    try queue.withoutTransaction { db in
      let path = JSONPath([.key("user"), .key("name")])
      try db.execute(sql: path.statements(keepingValuesOf: "data", in: db.tableSchema(TableReference(name: "event"))))
      #expect(try String?.fetchAll(db, sql: "SELECT user_name_2 FROM event ORDER BY id") == ["Ada", nil])
      #expect(try db.tableSchema(TableReference(name: "event")).indexes.map(\.name) == ["event_user_name_2"])
    }
  }

  @Test("The SELECT of the set has them under their names")
  func sql() throws {
    let columns = FilterColumns([FilterColumn("data", type: .any)])
    var set = RowSet(.table(TableReference(name: "event")))
    set.computed = [try ColumnExpression.compile(JSONPath([.key("user"), .element(0)]).filterText(in: "data"), columns: columns)]
    #expect(
      set.sqlText.queryString
        == "SELECT *, (CASE WHEN json_valid(data) THEN data ->> '$.user[0]' END) AS \"data.user[0]\" FROM event")
  }
}
