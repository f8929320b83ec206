import Foundation
import QuarryChanges
import QuarryCluster
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

/// What is found out in a copy of the rows that a server has, what it is asked itself, and what is asked before.
@Suite(.gated) struct RemoteInsightTests {
  private static let script = """
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE album(
      id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE NOT NULL, artist INTEGER REFERENCES artist, state TEXT CHECK (state IN ('new', 'old')),
      cover BLOB NOT NULL);
    CREATE TABLE loose(name TEXT, size INTEGER);
    CREATE INDEX album_artist ON album(artist);
    CREATE VIEW sized AS SELECT name FROM loose WHERE size > 3;
    CREATE VIEW listed AS SELECT count(*) AS n FROM json_each((SELECT '[1]' FROM artist LIMIT 1));
    INSERT INTO artist VALUES (1, 'Nina'), (2, 'Miles');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO album SELECT i, CASE i % 2 WHEN 0 THEN 'Blue' ELSE 'BLUE' END, i % 2 + 1, 'new', zeroblob(100) FROM n;
    INSERT INTO loose SELECT title, id FROM album;
    """

  private func withSource(
    longReadLimit: Int = 500_000, _ body: (RemoteDataSource, ServedDatabase, SQLiteDataSource) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("served.db").path
      try await DatabaseQueue(path: path).withoutTransaction { try $0.execute(sql: Self.script) }
      let server = ServedDatabase(path: path)
      try await body(RemoteDataSource(server, longReadLimit: longReadLimit), server, SQLiteDataSource(path: path))
    }
  }

  /// Reads the first rows of a set, and returns how many have come: five, where there are more.
  private func firstRows(of set: RowSet, _ source: RemoteDataSource) async throws -> Int {
    try await source.reader(of: set).page(PageRequest(.first, limit: 5)).rows.count
  }

  private let album = TableReference(name: "album")
  private let loose = TableReference(name: "loose")

  // MARK: Copies

  @Test func `only the columns that are looked at are copied, once, and compared as in the table`() async throws {
    try await withSource { source, server, file in
      let filter = RowFilter(Column<Int>("id") > 4)
      let request = CountRequest(InsightColumn("title"), in: RowSet(.table(album), filter: filter))
      let counts = try await source.counts(request) { _ in }
      // By NOCASE all titles are one value.
      #expect(counts.rows == 16 && counts.lines == 1)
      #expect(try await file.counts(request) { _ in }.lines == 1)
      #expect(!server.requests.contains { $0.contains("cover") && $0.contains("rows of the query") })
      let before = server.requests.count
      _ = try await source.counts(CountRequest(InsightColumn("title"), in: RowSet(.table(album)))) { _ in }
      #expect(server.requests.count == before + 1)
      // Another column is copied with those that are known.
      let states = CountRequest(InsightColumn("state"), in: RowSet(.table(album), filter: filter))
      #expect(try await source.counts(states) { _ in }.rows == 16)
      _ = try await source.counts(request) { _ in }
      _ = try await source.counts(states) { _ in }
      #expect(server.requests.count { $0.contains("rows of the query") } == 2)
    }
  }

  @Test func `what a path or an aggregate reads in other tables is copied too`() async throws {
    try await withSource { source, _, file in
      let columns = try await makeDatabase(Self.script).read { [album] db in FilterColumns(of: try db.tableSchema(album), in: db) }
      let filter = try Filter.compile("artist.name ^= n or artist.name = 'x'", columns: columns).expression.map { RowFilter($0) }
      let set = RowSet(.table(album), filter: filter)
      let name = RowSetColumn(try ColumnExpression.compile("artist.name", columns: columns))
      let request = CountRequest(InsightColumn(name), in: set)
      let counts = try await source.counts(request) { _ in }
      #expect(counts.lines == 1 && counts.rows == 10)
      #expect(try await file.counts(request) { _ in }.rows == 10)
      let profile = try await source.profile(ProfileRequest(set)) { _ in }
      #expect(profile.rows == 10)
      let shape = GroupShape(levels: ["title"], across: "artist.name")
      let groups = try await source.groups(shape, of: RowSet(.table(album)), columns: columns)
      #expect(groups.columns.map(\.name) == ["title", "Miles", "Nina"])
    }
  }

  @Test func `it is told of which moment a copy is`() async throws {
    try await withSource { source, _, _ in
      let told = Monitor<[SourceCopy?]>([])
      source.onCopy { copy in told.change { $0.append(copy) } }
      let start = Date.now
      _ = try await source.counts(CountRequest(InsightColumn("title"), in: RowSet(.table(album)))) { _ in }
      guard case .ready(let moment)? = told.read({ $0.last }) ?? nil else {
        Issue.record("\(told.read { $0 })")
        return
      }
      #expect(moment >= start)
    }
  }

  @Test func `how far a copy is gets told now and then`() async throws {
    let progress = RemoteCopyProgress()
    let told = Monitor<[SourceCopy?]>([])
    progress.onChange { copy in told.change { $0.append(copy) } }
    let report = progress.beginning("album", total: 10)
    let deadline = ContinuousClock.now + Waiting.limit
    while told.read({ $0.isEmpty }), ContinuousClock.now < deadline { report(1) }
    guard case .underWay("album", let found)? = told.read({ $0.first }) ?? nil else {
      Issue.record("\(told.read { $0 })")
      return
    }
    // There may be more than were expected, and never more than all.
    #expect(found.total ?? 0 >= found.rows)
  }

  // MARK: Long reads

  @Test func `rows that no index leads to are asked for first where there are many`() async throws {
    try await withSource(longReadLimit: 10) { source, _, _ in
      let all = RowSet(.table(loose))
      let natural = try await firstRows(of: all, source)
      #expect(natural == 5)
      let filtered = RowSet(.table(loose), filter: RowFilter(Column<Int>("size") > 3))
      let read = await #expect(throws: LongRead.self) { try await source.reader(of: filtered).page(PageRequest(.first, limit: 5)) }
      #expect(read?.description.contains("reads more than 10 rows of loose without an index") == true)
      let sorted = RowSet(.table(loose), order: RowOrder([Column<Int>("size")]))
      await #expect(throws: LongRead.self) { try await source.reader(of: sorted).page(PageRequest(.first, limit: 5)) }
      await #expect(throws: LongRead.self) {
        try await source.reader(of: RowSet(.table(TableReference(name: "sized")))).page(PageRequest(.first, limit: 5))
      }
      source.allowLongRead(of: filtered)
      let allowed = try await firstRows(of: filtered, source)
      #expect(allowed == 5)
      let found = RowSet(.table(album), filter: RowFilter(Column<Int>("artist") == 1))
      let indexed = try await firstRows(of: found, source)
      #expect(indexed == 5)
    }
  }

  @Test func `statements that read all of a large table say so before they run`() async throws {
    try await withSource(longReadLimit: 10) { source, _, _ in
      func reads(_ sql: String) async throws -> Int { try await source.prepare([sql]).longReads.count }
      #expect(try await reads("SELECT * FROM loose") == 0)
      #expect(try await reads("SELECT * FROM album WHERE id = 3") == 0)
      #expect(try await reads("SELECT count(*) FROM loose") == 1)
      #expect(try await reads("SELECT name FROM loose ORDER BY name") == 1)
      #expect(try await reads("SELECT name FROM artist ORDER BY name") == 0)
      let sql = "SELECT name FROM loose ORDER BY name"
      guard case .rows(let rows) = try await source.run(sql, [:], unkeptRows: nil) else {
        Issue.record("no rows")
        return
      }
      let kept = try await firstRows(of: RowSet(rows), source)
      #expect(kept == 5)
    }
  }

  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  @Test(arguments: [
    ("SELECT count(*) FROM loose a, loose b, loose c", "goes through up to 8,000 combinations"),
    ("SELECT sum((SELECT count(*) FROM loose b, loose c WHERE b.size < a.size)) FROM loose a", "goes through up to"),
    ("UPDATE loose SET size = (SELECT count(*) FROM loose b, loose c WHERE b.size <> loose.size)", "goes through up to"),
    ("SELECT count(*) FROM album a JOIN album b USING (id) JOIN album c USING (id)", nil),
    ("SELECT count(*) FROM loose UNION ALL SELECT count(*) FROM loose UNION ALL SELECT count(*) FROM loose", nil),
    ("\(endless) SELECT count(*) FROM n", "repeats the recursive part"), ("\(endless) INSERT INTO loose(size) SELECT i FROM n", "repeats"),
    ("SELECT * FROM loose WHERE size > 3", nil), ("INSERT INTO loose(size) VALUES (1), (2), (3)", nil),
  ])
  func `what goes through all combinations of rows, or repeats itself, says so before it runs`(sql: String, act: String?) async throws {
    try await withSource(longReadLimit: 300) { source, _, _ in
      let told = try await source.prepare([sql]).longReads
      #expect(told.count == (act == nil ? 0 : 1) && told.allSatisfy { $0.contains(act ?? "") }, "\(told)")
    }
  }

  @Test(arguments: [
    ("SELECT count(*) FROM json_each('[1]') a, json_each('[1]') b", "goes through all combinations of rows, and json_each may"),
    ("SELECT count(*) FROM json_each(?) a JOIN json_tree(?) b", "goes through all combinations of rows, and json_"),
    ("SELECT a.id, j.value FROM album a, JSON_EACH(a.title) j", "goes through all combinations"),
    ("SELECT value FROM json_each(:list)", "reads all rows of json_each, which may return any number of them"),
    ("SELECT * FROM listed", "may return any number of them"),
    ("INSERT INTO loose(size) SELECT value FROM json_each(:list)", "reads all rows of"),
    ("SELECT * FROM pragma_integrity_check", "reads all rows of pragma_integrity_check"),
    ("SELECT name FROM pragma_table_info('loose') WHERE pk = 0", nil),
    ("WITH c(n) AS (VALUES (1), (2)) SELECT count(*) FROM c a, c b", nil),
    ("PRAGMA integrity_check", "goes through whole tables"), ("CREATE INDEX i ON loose(size)", "goes through whole tables"),
    ("ANALYZE", "goes through whole tables"), ("EXPLAIN SELECT * FROM json_each(?)", nil), ("PRAGMA table_info(loose)", nil),
  ])
  func `what yields any number of rows counts as large`(sql: String, act: String?) async throws {
    try await withSource(longReadLimit: 10) { source, _, _ in
      let told = try await source.prepare([sql]).longReads
      #expect(told.count == (act == nil ? 0 : 1) && told.allSatisfy { $0.contains(act ?? "") }, "\(told)")
    }
  }

  @Test func `what goes through all combinations of many rows says that, and not only how many these are`() async throws {
    try await withSource(longReadLimit: 10) { source, _, _ in
      let told = try await source.prepare(["SELECT count(*) FROM loose a, loose b WHERE a.size + b.size = 7"]).longReads
      #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("goes through all combinations of rows of its tables") }, "\(told)")
    }
  }

  @Test func `what writes to rows that no index leads to says so, too`() async throws {
    try await withSource(longReadLimit: 10) { source, _, _ in
      let told = try await source.prepare(["UPDATE loose SET size = 1 WHERE name = 'x'"]).longReads
      #expect(told == ["reads more than 10 rows of loose without an index"])
    }
  }

  @Test func `in small tables nothing is asked`() async throws {
    try await withSource { source, _, _ in
      let filtered = RowSet(.table(loose), filter: RowFilter(Column<Int>("size") > 3))
      let small = try await firstRows(of: filtered, source)
      #expect(small == 5)
      #expect(try await source.prepare(["SELECT count(*) FROM loose"]).longReads.isEmpty)
    }
  }

  // MARK: Choices and expressions

  @Test func `choices for cells and parameters are those of a file`() async throws {
    try await withSource { source, _, file in
      let cells = [("artist", album, ""), ("artist", album, "mi"), ("state", album, "n"), ("name", loose, ""), ("id", album, "")]
      for (column, table, prefix) in cells {
        let expected = try await file.choices(for: column, of: table, prefix: prefix, limit: 10)
        #expect(try await source.choices(for: column, of: table, prefix: prefix, limit: 10) == expected, "\(column) \(prefix)")
      }
      for choices in [ParameterChoices.column(loose, "size"), .query("SELECT name, id FROM artist ORDER BY name -- by name")] {
        let expected = try await file.values(of: choices, limit: 100)
        #expect(try await source.values(of: choices, limit: 100) == expected)
      }
    }
  }

  @Test func `what an expression makes of a column is what it makes in a file`() async throws {
    try await withSource { source, _, file in
      let columns = try await file.filterColumns(of: file.schema(of: album))
      let expression = try ColumnExpression.compile("upper(title)", columns: columns)
      let set = RowSet(.table(album), filter: RowFilter(Column<Int>("id") > 15))
      let expected = try await file.edits(of: "title", to: expression, in: set, limit: 100)
      #expect(expected.count == 5)
      #expect(try await source.edits(of: "title", to: expression, in: set, limit: 100) == expected)
    }
  }

  @Test func `an expression over staged values has the values that it has in a file`() async throws {
    try await withSource { source, _, file in
      let columns = try await file.filterColumns(of: file.schema(of: album))
      let expression = try ColumnExpression.compile("upper(title)", columns: columns)
      var changes = StagedChanges()
      try changes.set("new", column: "title", row: .stored(.rowID(1)), of: album, was: "old")
      let rows: [StagedRowID] = [.stored(.rowID(1)), .stored(.rowID(2)), changes.insert(["title": "other"], into: album), .new(99)]
      let expected = try await file.values(of: expression, for: rows, of: album, with: changes)
      #expect(expected.first == "NEW" && expected.suffix(2) == ["OTHER", nil])
      #expect(try await source.values(of: expression, for: rows, of: album, with: changes) == expected)
    }
  }

  @Test func `without a record rows are edited all the same, and not taken back`() async throws {
    try await withSource { source, _, file in
      #expect(source.edits != nil && source.commits == nil)
      var changes = StagedChanges()
      try changes.set("Nora", column: "name", row: .stored(.rowID(1)), of: TableReference(name: "artist"), was: "Nina")
      _ = try await source.commit(changes)
      let row = try await file.storedRows([.rowID(1)], columns: ["name"], of: TableReference(name: "artist"))
      #expect(row == [["name": "Nora"]])
      #expect(try await source.recordedCommits().isEmpty)
      await #expect(throws: DataSourceError.self) { try await source.undo(nil, choosing: UndoChoices()) }
    }
  }
}
