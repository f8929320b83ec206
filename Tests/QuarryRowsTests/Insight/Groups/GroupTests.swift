import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Groups", .gated) struct GroupTests {
  private static let schema = """
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
    CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist_id INTEGER REFERENCES artist, released DATE, cover BLOB);
    CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, album_id INTEGER REFERENCES album(id), length INTEGER, price REAL, at DATETIME);
    CREATE TABLE line(id INTEGER PRIMARY KEY, track_id INTEGER REFERENCES track, quantity INTEGER);
    INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept');
    INSERT INTO album VALUES (1, 'Love', 1, '2020-05-01', x'00'), (2, 'Balls', 2, '2021-01-31', NULL), (3, 'It''s', 1, '2021-02-01', NULL);
    INSERT INTO track VALUES (1, 'a', 1, 10, 0.5, 1609459200), (2, 'b', 1, 25, 0.25, 1609459200), (3, 'c', 2, 39, 1, 1612137600),
      (4, 'd', 3, NULL, 1.5, NULL), (5, 'e', NULL, 10, NULL, 1640995200);
    INSERT INTO line VALUES (1, 1, 2), (2, 1, 3), (3, 2, 7);
    """

  private func connections() throws -> ReadConnections { ReadConnections(try makeDatabase(Self.schema)) }

  private static func columns(_ table: String, _ connections: ReadConnections) async throws -> FilterColumns {
    try await connections.background.read { db in
      FilterColumns(of: try db.tableSchema(TableReference(name: table)), in: db)
    }
  }

  private func groups(
    _ shape: GroupShape, of table: String = "track", where filter: String = "", on connections: ReadConnections
  ) async throws -> CompiledGroups {
    let columns = try await Self.columns(table, connections)
    var rows = RowSet(.table(TableReference(name: table)))
    rows.filter = try Filter.compile(filter, columns: columns).expression.map { RowFilter($0) }
    return try await connections.groups(shape, of: rows, columns: columns)
  }

  /// Returns the rows of groups in their default order, or in another, as texts.
  private func rows(
    _ groups: CompiledGroups, having: String = "", sort: String? = nil, on connections: ReadConnections
  ) async throws -> [String] {
    let view = try RowView(filter: having, sort: sort ?? groups.defaultSort).compiled(for: groups.filterColumns)
    let sql = view.applied(to: groups.rowSet).sqlText
    return try await connections.background.read { db in
      var rows: [String] = []
      try db.scan(sql) { statement in
        rows.append(try (0..<statement.columnCount).map { try statement.columnValue(at: $0).sqlLiteral }.joined(separator: ", "))
        return true
      }
      return rows
    }
  }

  @Test("are a SELECT with GROUP BY, whose columns are named after the texts")
  func sql() async throws {
    let connections = try connections()
    let shape = GroupShape(levels: ["album_id.title", "Length"], aggregates: ["COUNT(*)", "sum( price )", "p = max(price)"])
    let groups = try await groups(shape, where: "id > 1", on: connections)
    #expect(
      groups.sqlText.queryString == """
        SELECT (SELECT title FROM main.album WHERE id = track.album_id) AS "album_id.title", length AS length, count(*) AS count, \
        sum(price) AS "sum( price )", max(price) AS p FROM track WHERE (id > 1) GROUP BY 1, 2
        """)
    #expect(groups.columns.map(\.name) == ["album_id.title", "length", "count", "sum( price )", "p"])
    #expect(groups.columns.map(\.type) == [.text, .integer, .integer, .real, .real])
    #expect(groups.columns[3].kind == .aggregate(1, value: nil))
    #expect(groups.defaultSort == "-count, album_id.title, length")
  }

  @Test(
    "contain the aggregates of their rows",
    arguments: [
      (["album_id.artist_id.name"], ["count", "sum(length)"], "'AC/DC', 3, 35|NULL, 1, 10|'Accept', 1, 39"),
      (["year(at)"], ["count"], "NULL, 1|2021, 3|2022, 1"),
      (["month(at)"], ["count(length)"], "NULL, 0|'2021-01', 2|'2021-02', 1|'2022-01', 1"),
      (["quarter(album_id.released)"], ["count"], "NULL, 1|'2020 Q2', 2|'2021 Q1', 2"),
      (["week(album_id.released)"], ["count"], "NULL, 1|'2020-04-27', 2|'2021-01-25', 1|'2021-02-01', 1"),
      (["range(length, 20)"], ["count", "total(price)"], "NULL, 1, 1.5|0, 2, 0.5|20, 2, 1.25"),
      (["range(price, 0.5)"], ["count"], "NULL, 1|0.0, 1|0.5, 1|1.0, 1|1.5, 1"),
      (["length"], ["n = count", "names = group_concat(name, '+')"], "10, 2, 'a+e'|NULL, 1, 'd'|25, 1, 'b'|39, 1, 'c'"),
      ([], ["count", "count(distinct length)", "avg(length)", "min(name)"], "5, 3, 21.0, 'a'"),
      ([], [], "5"),
      ([], ["sum(length) / count", "round(avg(price), 1)", "sum((length > 10))"], "16, 0.8, 2"),
      ([], ["sum(sum(line.quantity))", "max(count(line))"], "12, 2"),
      (["count(line)"], ["count"], "0, 3|1, 1|2, 1"),
    ] as [([String], [String], String)])
  func cells(levels: [String], aggregates: [String], expected: String) async throws {
    let connections = try connections()
    let groups = try await groups(GroupShape(levels: levels, aggregates: aggregates), on: connections)
    #expect(try await rows(groups, on: connections).joined(separator: "|") == expected)
  }

  @Test("are filtered and sorted by their columns, whose names need no quotes")
  func having() async throws {
    let connections = try connections()
    let shape = GroupShape(levels: ["album_id.title", "month(at)"], aggregates: ["count", "sum(length)", "max(at)"])
    let groups = try await groups(shape, on: connections)
    for (text, expected) in [
      ("sum(length) > 20 and album_id.title = 'Love'", ["'Love', '2021-01', 2, 35, 1609459200"]),
      ("\"sum(length)\" > 35", ["'Balls', '2021-02', 1, 39, 1612137600"]),
      ("month(at) = 2021-02", ["'Balls', '2021-02', 1, 39, 1612137600"]),
      ("max(at) >= 2022-01-01", ["NULL, '2022-01', 1, 10, 1640995200"]), ("count > 1", ["'Love', '2021-01', 2, 35, 1609459200"]),
      ("album_id.title is null", ["NULL, '2022-01', 1, 10, 1640995200"]),
    ] {
      #expect(try await rows(groups, having: text, on: connections) == expected, "\(text)")
    }
    let sorted = try await rows(groups, sort: "-sum(length), album_id.title", on: connections)
    #expect(sorted.first == "'Balls', '2021-02', 1, 39, 1612137600")
    let computed = RowView(filter: "third < 1 and sum(length) > 20", sort: "-sum(length)", columns: ["third = count / 3.0"])
    #expect(throws: Never.self) { try computed.compiled(for: groups.filterColumns) }
    let items = Filter.completions(of: "su", at: 2, columns: groups.filterColumns).items
    #expect(items.contains { $0.text == "sum(length)" })
  }

  @Test("become columns of a pivot")
  func pivot() async throws {
    let connections = try connections()
    let shape = GroupShape(levels: ["album_id.artist_id.name"], across: "year(at)")
    let one = try await groups(shape, on: connections)
    #expect(one.columns.map(\.name) == ["album_id.artist_id.name", "2021", "2022", "NULL"])
    #expect(try await rows(one, on: connections) == ["NULL, 0, 1, 0", "'AC/DC', 2, 0, 1", "'Accept', 1, 0, 0"])
    let shapeOfTwo = GroupShape(levels: [], aggregates: ["sum(length)", "n = count(price)"], across: "album_id.title")
    let two = try await groups(shapeOfTwo, on: connections)
    #expect(
      two.columns.map(\.name) == [
        "Balls sum(length)", "Balls n", "It's sum(length)", "It's n", "Love sum(length)", "Love n", "NULL sum(length)", "NULL n",
      ])
    #expect(two.columns[2].kind == .aggregate(0, value: 1))
    #expect(try await rows(two, on: connections) == ["39, 1, NULL, 1, 35, 2, 10, 0"])
    let none = try await groups(shape, where: "id > 9", on: connections)
    #expect(try await rows(none, on: connections) == [])
  }

  @Test("a pivot of very many values has one column for most of them")
  func wide() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) INSERT INTO t SELECT x, x % 2 FROM n",
      "INSERT INTO t VALUES (70000, 0), (NULL, 1), ('1', 1)")
    let connections = ReadConnections(queue)
    let groups = try await groups(GroupShape(levels: ["b"], across: "a"), of: "t", on: connections)
    #expect(groups.columns.count == 63)
    #expect(groups.columns.suffix(3).map(\.name) == ["70000", "NULL", "other (99,941 values)"])
    let row = try #require(try await rows(groups, on: connections).first)
    #expect(row.hasPrefix("0, 0, 1, 0, 1") && row.hasSuffix(" 2, 0, 49970"))
    let filter = try groups.filter("", addingGroup: [.value(.integer(0))], column: 62)
    let columns = try await Self.columns("t", connections)
    let condition = try #require(try Filter.compile(filter, columns: columns).sqlText)
    let count = try await queue.read { try Int.fetchOne($0, literal: "SELECT count(*) FROM t WHERE \(condition)") }
    #expect(count == 49970)
  }

  @Test("of a pivot have different names, even if their values look alike")
  func names() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b)", "INSERT INTO t VALUES (1, 1), ('1', 1), ('A', 1), ('a', 1), ('b', 1), ('', 1), (x'31', 1), (1.5, 1)")
    let groups = try await groups(GroupShape(levels: ["b"], across: "a"), of: "t", on: ReadConnections(queue))
    #expect(groups.columns.map(\.name) == ["b", "1", "1.5", "''", "'1'", "A", "'a'", "'b'", "X'31'"])
  }

  @Test(
    "lead to their rows by a readable filter",
    arguments: [
      (["album_id.title"], [DatabaseValue.text("It's")], "", "album_id.title = 'It''s'"),
      (
        ["album_id.title", "length"], [.null, .integer(10)], "id > 1 or name = 'x'",
        "(id > 1 or name = 'x') and album_id.title is null and length = 10"
      ),
      (["month(at)"], [.text("2021-01")], "price > 0", "price > 0 and month(at) = 2021-01"),
      (["quarter(at)", "year(at)"], [.text("2021 Q1"), .integer(2021)], "", "quarter(at) = '2021 Q1' and year(at) = 2021"),
      (["range(length, 20)"], [.integer(20)], "", "range(length, 20) = 20"),
      (["at"], [.integer(1_609_459_200)], "", "at is 1609459200"),
      (["album_id.released"], [.text("2020-05-01")], "", "album_id.released is '2020-05-01'"),
      (["length"], [.text("odd")], "", "(typeof(length) = 'text' and cast(length as text) = 'odd')"),
      (["n = length * 2"], [.real(2.5)], "a b", "~ 'a b' and length * 2 = 2.5"),
      (["(length > 10)"], [.integer(1)], "", "(length > 10) = true"),
      ([], [], "id > 1", "id > 1"),
    ] as [([String], [DatabaseValue], String, String)])
  func rows(levels: [String], values: [DatabaseValue], filter: String, expected: String) async throws {
    let connections = try connections()
    let groups = try await groups(GroupShape(levels: levels), on: connections)
    let text = try groups.filter(filter, addingGroup: values.map { .value($0) } + [.value(.integer(1))])
    #expect(text == expected)
    let columns = try await Self.columns("track", connections)
    #expect(throws: Never.self) { try Filter.compile(text, columns: columns) }
  }

  @Test("of the rows of a query are groups of its result")
  func query() async throws {
    let connections = try connections()
    let rows = RowSet(
      .query(sql: "SELECT name, length AS l FROM track WHERE id < ?", arguments: [.integer(4)]),
      matching: [ColumnMatch(column: "name", value: .text("b"))])
    let columns = FilterColumns([FilterColumn("name", type: .any), FilterColumn("l", type: .any)])
    let groups = try await connections.groups(GroupShape(levels: ["name"], aggregates: ["sum(l)"], across: "l"), of: rows, columns: columns)
    #expect(try await self.rows(groups, on: connections) == ["'b', 25"])
  }

  @Test("of a pivot are named after their values even if SQL cannot contain them")
  func oddNames() async throws {
    let connections = ReadConnections(
      try makeDatabase("CREATE TABLE odd(a, b); INSERT INTO odd VALUES (1, 'x' || char(0) || 'y'), (1, CAST(x'ff00' AS TEXT))"))
    let columns = try await Self.columns("odd", connections)
    let rows = RowSet(.table(TableReference(name: "odd")))
    let groups = try await connections.groups(GroupShape(levels: ["a"], across: "b"), of: rows, columns: columns)
    #expect(groups.columns.map(\.name) == ["a", "x␀y", "\u{FFFD}␀"])
    let found = try await RowReader(groups.rowSet, on: connections).page(PageRequest(.first, limit: 9)).rows.map(\.cells)
    #expect(found == [[.integer(1), .integer(1), .integer(1)]])
  }

  @Test("of the rows that a statement returned are stored, because no other connection can read them", arguments: [nil, "track_id"])
  func returned(across: String?) async throws {
    let connections = try connections()
    let returned = try await connections.background.write { db in
      try ReturnedRows(of: db.makeStatement(sql: "DELETE FROM line RETURNING track_id, quantity"))
    }
    let columns = FilterColumns([FilterColumn("track_id", type: .any), FilterColumn("quantity", type: .any)])
    let shape = GroupShape(levels: across == nil ? ["track_id"] : [], aggregates: ["sum(quantity)"], across: across)
    let groups = try await returned.connections.groups(shape, of: RowSet(.returned(returned)), columns: columns).storingReturned()
    let view = RowView(sort: across == nil ? "track_id desc" : "")
    let reader = RowReader(try view.compiled(for: groups.filterColumns).applied(to: groups.rowSet), on: connections)
    let rows = try await reader.page(PageRequest(.first, limit: 9)).rows.map(\.cells)
    #expect(rows == (across == nil ? [[.integer(2), .integer(7)], [.integer(1), .integer(5)]] : [[.integer(5), .integer(7)]]))
  }

  @Test("are lists of texts, separated by commas outside parentheses and quotes")
  func lists() {
    #expect(GroupShape.texts("GenreId.Name, range(UnitPrice, 10) ,\"a,b\"") == ["GenreId.Name", "range(UnitPrice, 10)", "\"a,b\""])
    #expect(GroupShape.texts(" ") == [])
    #expect(GroupShape.texts("a,") == ["a", ""])
    #expect(GroupShape.texts("group_concat(a, ', ')") == ["group_concat(a, ', ')"])
    #expect(DateGrain.allCases.map(\.next) == [.quarter, .month, .week, .day, .year])
  }
}
