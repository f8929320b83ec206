import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A filter follows foreign keys", .gated) struct FilterRelationsTests {
  private static let schema = """
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
    CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist_id INTEGER REFERENCES artist, released DATE);
    CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, album_id INTEGER REFERENCES album(id), data TEXT);
    CREATE TABLE line(id INTEGER PRIMARY KEY, track_id INTEGER NOT NULL REFERENCES track, quantity INTEGER, price REAL);
    CREATE TABLE team(city TEXT, number INTEGER, name TEXT, boss TEXT, PRIMARY KEY (city, number)) WITHOUT ROWID;
    CREATE TABLE player(id INTEGER PRIMARY KEY, city TEXT, number INTEGER, mentor INTEGER REFERENCES player,
      substitute INTEGER REFERENCES player(id), FOREIGN KEY (city, number) REFERENCES team);
    CREATE TABLE alone(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, NULL);
    INSERT INTO album VALUES (1, 'Love', 1, '2020-05-01'), (2, 'Balls', 2, '2021-01-31'), (3, 'Nobody', NULL, NULL), (4, 'Lost', 9, NULL),
      (5, 'Nameless', 3, '2021-02-01');
    INSERT INTO track VALUES (1, 'a', 1, '{"title": 1}'), (2, 'b', 1, NULL), (3, 'c', 2, NULL), (4, 'd', 3, NULL), (5, 'e', NULL, NULL),
      (6, 'f', 9, NULL), (7, 'g', 4, NULL), (8, 'h', 5, NULL);
    INSERT INTO line VALUES (1, 1, 2, 0.5), (2, 1, 10, 1), (3, 2, NULL, 1), (4, 3, 7, NULL), (5, 99, 1, 1);
    INSERT INTO team VALUES ('Rome', 1, 'A', 'x'), ('Rome', 2, 'B', NULL), ('Oslo', 1, 'C', 'y');
    INSERT INTO player VALUES (1, 'Rome', 1, NULL, 2), (2, 'Rome', 2, 1, 1), (3, 'Oslo', 2, 1, 3), (4, 'Oslo', 1, 3, NULL),
      (5, NULL, 1, 4, 1);
    """

  /// Calls `body` with the columns of a table.
  private func withColumns<Value: Sendable>(
    of table: String, _ body: @Sendable @escaping (FilterColumns, Database) throws -> Value
  ) async throws -> Value {
    var configuration = Configuration()
    // Some parents are missing.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { try $0.execute(sql: Self.schema) }
    return try await queue.read { db in
      try body(FilterColumns(of: db.tableSchema(TableReference(name: table)), in: db), db)
    }
  }

  @Test(
    "to the same rows as written SQL",
    arguments: [
      ("track", "album_id.title = 'Love'", "SELECT t.id FROM track t JOIN album a ON a.id = t.album_id WHERE a.title = 'Love'"),
      (
        "track", "album_id.artist_id.name = 'ac/dc'",
        "SELECT t.id FROM track t JOIN album a ON a.id = t.album_id JOIN artist r ON r.id = a.artist_id WHERE r.name = 'ac/dc'"
      ),
      (
        "track", "Album.Artist.Name is null",
        """
        SELECT t.id FROM track t LEFT JOIN album a ON a.id = t.album_id LEFT JOIN artist r ON r.id = a.artist_id WHERE r.name IS NULL
        """
      ),
      ("track", "album.artist_id = 2", "SELECT t.id FROM track t JOIN album a ON a.id = t.album_id WHERE a.artist_id = 2"),
      (
        "track", "album_id.released = 2021",
        "SELECT t.id FROM track t JOIN album a ON a.id = t.album_id WHERE a.released BETWEEN '2021-01-01' AND '2021-12-31'"
      ),
      ("track", "album_id.title ~ love or id = 5", "SELECT id FROM track WHERE id IN (1, 2, 5)"),
      ("track", "data.title = 1", "SELECT 1"),
      ("track", "count(line) = 0", "SELECT id FROM track WHERE id NOT IN (SELECT track_id FROM line)"),
      ("track", "count(line, quantity > 5) = 1", "SELECT id FROM track WHERE id IN (1, 3)"),
      ("track", "count(line.quantity) = 0 and exists(line)", "SELECT 2"),
      ("track", "exists(line, quantity > 5 and price = 1)", "SELECT 1"),
      ("track", "not exists(LINE)", "SELECT id FROM track WHERE id > 3"),
      ("track", "sum(line.quantity * line.price) > 10", "SELECT 1"),
      ("track", "sum(quantity * line.price) > 10", "SELECT 1"),
      ("track", "total(line.price) = 0", "SELECT id FROM track WHERE id > 2"),
      ("track", "max(line.quantity) = 10 and min(line.quantity) = 2 and avg(line.quantity) = 6", "SELECT 1"),
      ("track", "max(id, 7) = 8", "SELECT 8"),
      ("track", "group_concat(line.quantity) = '2,10'", "SELECT 1"),
      ("album", "sum(track.id) > 6", "SELECT id FROM album WHERE id IN (4, 5)"),
      ("album", "exists(track, exists(line))", "SELECT id FROM album WHERE id IN (1, 2)"),
      ("album", "max(track.album_id.artist_id) = 1", "SELECT 1"),
      ("artist", "count(album, count(track) > 1) = 1", "SELECT 1"),
      ("player", "team.name = 'B'", "SELECT 2"),
      ("player", "team.boss is null", "SELECT id FROM player WHERE id IN (2, 3, 5)"),
      ("player", "mentor.mentor.id = 1", "SELECT 4"),
      ("player", "mentor.team.name = 'A'", "SELECT id FROM player WHERE id IN (2, 3)"),
      ("player", "count(player.mentor) > 1", "SELECT 1"),
      ("player", "exists(player.substitute, id <> 1)", "SELECT id FROM player WHERE id IN (1, 3)"),
      ("player", "sum(player.mentor, player.id) = 5", "SELECT 1 UNION SELECT 4"),
      ("player", "sum(player.substitute, id * 2, id > 1) = 14", "SELECT 1"),
      ("player", "max(player.substitute, player.id, city is null) = 5", "SELECT 1"),
      ("team", "count(player) = 0", "SELECT 1 WHERE 0"),
      ("line", "track_id.data.title = 1", "SELECT id FROM line WHERE track_id = 1"),
      ("line", "track_id.data.title is null", "SELECT id FROM line WHERE track_id <> 1"),
      ("line", "track_id.DATA.tags[0] is not null", "SELECT 1 WHERE 0"),
      ("line", "track_id.data ~ title", "SELECT id FROM line WHERE track_id = 1"),
      ("album", "sum(track.data.title) = 1", "SELECT 1"),
      ("album", "exists(track, exists(line, track_id.data.title = 1))", "SELECT 1"),
      ("line", "track_id.album_id.artist_id.name ^= a", "SELECT id FROM line WHERE id < 5"),
    ])
  func rows(table: String, text: String, sql: String) async throws {
    try await withColumns(of: table) { columns, db in
      let filter = try Filter.compile(text, columns: columns)
      let condition = try #require(filter.sqlText)
      let key: SQLText = table == "team" ? "number" : "id"
      let found = try Int.fetchAll(db, literal: "SELECT \(key) FROM main.\(identifier: table) WHERE \(condition) ORDER BY 1")
      #expect(try found == Int.fetchAll(db, sql: sql).sorted(), "\(condition.queryString)")
      // What is written reads back as the same.
      let written = try #require(filter.syntax?.description)
      #expect(try FilterSyntax.parse(written, columns: columns) == filter.syntax, "\(written)")
    }
  }

  @Test("and offers sums for each of several foreign keys")
  func sums() throws {
    let columns = try makeDatabase(
      "CREATE TABLE employee(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES employee, deputy INTEGER REFERENCES employee, salary REAL)"
    ).read { db in FilterColumns(of: try db.tableSchema(TableReference(name: "employee")), in: db) }
    let texts = columns.aggregates.map(\.text)
    #expect(texts == ["boss", "deputy"].flatMap { ["count(employee.\($0))", "sum(employee.\($0), employee.salary)"] })
    for text in texts { #expect(throws: Never.self) { try ColumnExpression.compile(text, columns: columns) } }
    let items = Filter.completions(of: "sum(emp", at: 7, columns: columns).items.map(\.text)
    #expect(items == ["employee.boss, ", "employee.deputy, "])
  }

  @Test("with one subquery for each key")
  func sql() async throws {
    try await withColumns(of: "track") { columns, _ in
      let path = try Filter.compile("album_id.title = 'x'", columns: columns).sqlText?.queryString
      #expect(path == "((SELECT title FROM main.album WHERE id = track.album_id) = 'x')")
      let count = try Filter.compile("count(line, price > 1) = 0", columns: columns).sqlText?.queryString
      #expect(count == "((SELECT count(*) FROM main.line WHERE track_id = track.id AND (price > 1)) = 0)")
    }
  }

  @Test(
    "and says which step is wrong",
    arguments: [
      ("track", "album_id.titel = 'x'", "titel", "album has no column titel.", "title"),
      ("track", "album_id.title.name = 'x'", "title", "title of album is not a foreign key.", "title"),
      ("player", "sum(player.id) = 5", "player", "2 foreign keys of player lead here: mentor; substitute.", "player.mentor, "),
      ("player", "sum(2 * player.id) = 5", "player", "2 foreign keys of player lead here: mentor; substitute.", "player.substitute, "),
      ("line", "track_id.name.title = 1", "name", "name of track is not a foreign key.", "name"),
      ("line", "track_id.data. = 1", ".", "A key is missing after this period.", nil),
      ("track", "data.[title] = 1", ".", "A key is missing after this period.", nil),
      ("track", "album_id.", ".", "A column of album is missing after this period.", nil),
      ("track", "album_id.artist_id.nam = 'x'", "nam", "artist has no column nam.", "name"),
      ("player", "player.id = 1", "player", "2 foreign keys refer to player: mentor; substitute.", nil),
      ("player", "count(player) = 1", "player", "2 foreign keys of player lead here: mentor; substitute.", "player.mentor"),
      ("track", "count(lines) = 0", "lines", "No foreign key of lines refers to track.", "line"),
      ("track", "count(album) = 0", "album", "No foreign key of album refers to track.", nil),
      ("track", "sum(id) > 3", "id", "No foreign key of id refers to track.", nil),
      ("line", "count(track) = 0", "track", "No foreign key refers to line.", nil),
      ("track", "count(line, foo > 1) = 0", "foo", "There is no column foo.", nil),
      ("track", "sum(line.id, 1) > 0", "1", nil, nil),
      ("album", "sum(track.name) > 0", "name", "A number is expected here, but name holds text.", nil),
      ("track", "album_id.title > 3", "3", nil, "'3'"),
    ] as [(String, String, String, String?, String?)])
  func errors(table: String, text: String, part: String, sentence: String?, replacement: String?) async throws {
    try await withColumns(of: table) { columns, _ in
      let error = try #require(Self.errors(of: text, columns).first, "\(text) compiles")
      #expect(String(Substring(text.utf8.dropFirst(error.range.lowerBound).prefix(error.range.count))) == part)
      if let sentence { #expect(error.sentence == sentence) }
      if let replacement { #expect(error.replacements.contains { $0.text == replacement }, "\(error.replacements)") }
    }
  }

  private static func errors(of text: String, _ columns: FilterColumns) -> [FilterError] {
    do throws(FilterErrors) {
      _ = try Filter.compile(text, columns: columns)
      return []
    } catch {
      return error.errors
    }
  }

  @Test("of at most eight keys")
  func longest() async throws {
    try await withColumns(of: "player") { columns, _ in
      let path = Array(repeating: "mentor", count: 8).joined(separator: ".") + ".id = 1"
      #expect(throws: Never.self) { try Filter.compile(path, columns: columns) }
      #expect(throws: FilterErrors.self) { try Filter.compile("mentor." + path, columns: columns) }
    }
  }

  @Test("to the 47 nearest tables, and reports a key to another one")
  func farTables() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      for index in 0..<60 { try db.execute(sql: "CREATE TABLE parent\(index)(id INTEGER PRIMARY KEY)") }
      let keys = (0..<60).map { "key\($0) INTEGER REFERENCES parent\($0)" }.joined(separator: ", ")
      try db.execute(sql: "CREATE TABLE child(id INTEGER PRIMARY KEY, \(keys))")
    }
    try await queue.read { db in
      let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "child")), in: db)
      let errors = (0..<60).flatMap { Self.errors(of: "key\($0).id = 1", columns) }
      #expect(errors.count == 13)
      #expect(errors.allSatisfy { $0.sentence.hasSuffix("is too far away: a filter reaches the nearest 48 tables.") })
    }
  }

  @Test(
    "and completes columns of the next table, and tables that refer here",
    arguments: [
      ("track", "album_id.", ["id", "title", "artist_id", "released"]), ("track", "album_id.t", ["title"]),
      ("track", "album_id.artist_id.", ["id", "name"]), ("track", "count(", ["line"]), ("track", "sum(", ["line."]),
      ("track", "sum(line.", ["id", "track_id", "quantity", "price"]), ("player", "count(", ["player.mentor", "player.substitute"]),
      ("track", "count(line, q", ["quantity"]),
    ])
  func completions(table: String, text: String, wanted: [String]) async throws {
    try await withColumns(of: table) { columns, _ in
      let found = Filter.completions(of: text, at: text.utf8.count, columns: columns).items.map(\.text)
      #expect(found.filter(wanted.contains) == wanted, "\(found)")
    }
  }

  @Test("backward by the collation of the referenced column, and an index in that collation is suggested")
  func collations() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: "CREATE TABLE p(code TEXT COLLATE NOCASE PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p TEXT REFERENCES p)")
      try db.execute(sql: "INSERT INTO p VALUES ('ab'); INSERT INTO c VALUES (1, 'AB'), (2, 'ab'); CREATE INDEX c_p ON c(p)")
    }
    try await queue.read { db in
      let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "p")), in: db)
      let view = try RowView(filter: "count(c) = 2").compiled(for: columns)
      let condition = "(SELECT count(*) FROM main.c WHERE p = p.code COLLATE NOCASE)"
      #expect(view.filter.sqlText?.queryString == "(\(condition) = 2)")
      #expect(try Int.fetchAll(db, sql: "SELECT count(*) FROM p WHERE \(condition) = 2") == [1])
      let plan = try ReadPlan(of: view.applied(to: RowSet(.table(TableReference(name: "p")))), in: db)
      #expect(plan.suggestedIndex == "CREATE INDEX c_p_2 ON c(p COLLATE NOCASE)")
    }
  }

  @Test("in a sort text too")
  func sort() async throws {
    try await withColumns(of: "track") { columns, db in
      let sort = try FilterSort.compile("-album_id.title, count(line)", columns: columns)
      let order = sort.orderings.map(\.sqlText).joined(by: ", ")
      let found = try Int.fetchAll(db, literal: "SELECT id FROM main.track ORDER BY \(order), id")
      let wanted = try Int.fetchAll(
        db,
        sql: """
          SELECT t.id FROM track t LEFT JOIN album a ON a.id = t.album_id
          ORDER BY a.title DESC, (SELECT count(*) FROM line WHERE track_id = t.id), t.id
          """)
      #expect(found == wanted)
      #expect(sort.text == "-album_id.title, count(line)")
    }
  }

  @Test("only where there are foreign keys")
  func none() async throws {
    try await withColumns(of: "alone") { columns, _ in
      #expect(throws: FilterErrors.self) { try Filter.compile("name.id = 1", columns: columns) }
      #expect(throws: FilterErrors.self) { try Filter.compile("count(track) = 1", columns: columns) }
    }
  }
}
