import Foundation
import QuarryCluster
import QuarryEngine
import TestSupport
import Testing

/// The verbs print of a cluster what they print of a file with the same rows.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)))
struct ClusterVerbTests {
  private static let script = [
    "CREATE TABLE family(name TEXT PRIMARY KEY, age INTEGER)",
    "CREATE TABLE genre(name TEXT PRIMARY KEY, family TEXT REFERENCES family)",
    "INSERT INTO family VALUES ('American', 120)",
    "INSERT INTO genre VALUES ('Jazz', 'American'), ('Rock', NULL)",
    "CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, genre TEXT REFERENCES genre, seconds REAL, added DATE, cover BLOB)",
    "CREATE INDEX track_name ON track(name)",
    "CREATE VIEW long AS SELECT name, seconds FROM track WHERE seconds > 300",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO track SELECT i, 'Track ' || i, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'Jazz' ELSE 'Rock' END, 100 + i * 1.5,
      CASE i % 5 WHEN 0 THEN 2460000.5 ELSE '2024-01-' || (i % 28) END, zeroblob(i) FROM n
    """,
  ]

  /// Values that a column of texts may have, and a wire may lose.
  private static let oddities = [
    "CREATE TABLE odd(id INTEGER PRIMARY KEY, t TEXT, u VARCHAR(5) COLLATE NOCASE)",
    """
    INSERT INTO odd(t, u) VALUES ('a' || char(0) || 'b', x'00ff'), (x'', ''), (NULL, NULL), (CAST(x'ff61' AS TEXT), 'x'), (5, 6.5),
      (char(0), zeroblob(3)), ('日本', 'b3:abc')
    """,
    "CREATE VIEW either AS SELECT t FROM odd UNION ALL SELECT id FROM odd",
  ]

  @Test(arguments: [
    "SELECT * FROM odd", "SELECT t AS x, u || '' FROM odd", "SELECT t, u FROM odd UNION ALL SELECT 7, 8.5", "SELECT * FROM either",
    "SELECT a.t, b.id, b.u FROM odd a LEFT JOIN odd b ON b.id = a.id AND a.id > 3", "SELECT max(t), u FROM odd GROUP BY u ORDER BY 2",
    "WITH c(v) AS (SELECT t FROM odd UNION ALL SELECT 9) SELECT v FROM c",
  ])
  func `texts, what is none among them, and what a wire would cut, are the same`(sql: String) async throws {
    try await withNode(Self.oddities) { address, file in
      for format in ["json", "csv", "sql", "table"] {
        let runs = try [address, file].map { try BuiltProgram.run("query", $0, sql, "--format", format) }
        #expect(runs[0].output == runs[1].output && runs[0].status == 0, "\(sql) \(format): \(runs[0].text) \(runs[0].errors)")
      }
    }
  }

  @Test(arguments: ["t ~ B", "t !~ b", "t $= B", "t ^= a", "b", "t ~ ''", "u $= ABC", "t ~ '日'"])
  func `a filter finds behind a NUL what it finds in a file`(filter: String) async throws {
    try await withNode(Self.oddities) { address, file in
      let runs = try [address, file].map { try BuiltProgram.run("rows", $0, "odd", "--where", filter, "--columns", "id") }
      #expect(runs[0].text == runs[1].text && runs[0].status == 0, "\(filter): \(runs[0].text) \(runs[1].text) \(runs[0].errors)")
    }
  }

  /// Runs a test with a node and a file of the same tables.
  private func withNode(_ script: [String] = script, _ body: (_ address: String, _ file: String) throws -> Void) async throws {
    let nodes = try DqliteNodes(count: 1)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url("music")), limits: .patient)
    defer { cluster.close() }
    let session = try await cluster.session(for: "fill", isReadOnly: false)
    for sql in script { _ = try await session.execute(sql, []) }
    let folder = try TemporaryFolder()
    let file = folder.path("music.db")
    try await DatabaseQueue(path: file).withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
    try body(nodes.url("music"), file)
    withExtendedLifetime(folder) {}
  }

  @Test func `rows, schemas, counts, profiles, searches and dumps are the same`() async throws {
    try await withNode { address, file in
      for words in [
        ["tables", "FILE"], ["schema", "FILE"], ["rows", "FILE", "track", "--where", "genre = Jazz and seconds > 200", "--sort=-seconds"],
        ["rows", "FILE", "track", "--limit", "3", "--format", "json"], ["rows", "FILE", "long", "--columns", "seconds"],
        ["query", "FILE", "SELECT name, added FROM track WHERE id < :id", "-p", "id=9"], ["counts", "FILE", "track", "genre"],
        ["profile", "FILE", "track"], ["search", "FILE", "track 39"], ["dump", "FILE"],
        ["group", "FILE", "track", "--by", "genre", "--show", "count, sum(seconds)", "--having", "count > 1"],
        ["group", "FILE", "track", "--by", "range(seconds, 60)", "--across", "genre"],
        ["group", "FILE", "track", "--by", "genre.family.age", "--show", "count, max(genre.family.name)"],
        ["group", "FILE", "track", "--by", "genre", "--across", "genre.family.name", "--where", "genre.family.age > 5 or id < 9"],
        ["group", "FILE", "family", "--by", "age", "--show", "sum(count(genre))"], ["counts", "FILE", "track", "genre.family.age"],
        ["counts", "FILE", "genre", "family", "--where", "count(track) > 3"],
      ] {
        let runs = try [address, file].map { place in try BuiltProgram.run(BuiltProgram.url, words.map { $0 == "FILE" ? place : $0 }) }
        #expect(runs[0].text == runs[1].text, "\(words.joined(separator: " "))")
        #expect(runs[0].status == runs[1].status && runs[0].errors == runs[1].errors, "\(words): \(runs[0].errors)")
      }
    }
  }

  @Test func `a cluster and a file are compared as two files are`() async throws {
    try await withNode { address, file in
      let same = try BuiltProgram.run("diff", address, file, "--format", "csv")
      #expect(same.status == 0 && same.text == "object,key,change,column,from,to\n", "\(same.text) \(same.errors)")
      let other = file + ".other"
      try FileManager.default.copyItem(atPath: file, toPath: other)
      try DatabaseQueue(path: other).write { db in
        try db.execute(sql: "UPDATE track SET seconds = '9' WHERE id = 7; DELETE FROM track WHERE id = 9; CREATE INDEX i ON track(genre)")
      }
      let runs = try [address, file].map { try BuiltProgram.run("diff", $0, other, "--ignore", "cover", "--format", "csv") }
      #expect(runs[0].status == 1 && runs[0].text == runs[1].text && runs[0].errors == runs[1].errors, "\(runs[0].text) \(runs[0].errors)")
      #expect(runs[0].text.contains("track,7,changed,seconds,110.5,9.0\n"))
      #expect(runs[0].text.contains(#""index i",,added,,,"CREATE INDEX i ON track(genre)""#))
      #expect(runs[0].text.contains(#"track,9,removed,name,"Track 9","#))
    }
  }

  @Test func `rows and a comparison whose leader is killed half-way are complete, with each row once`() async throws {
    let script = [
      "CREATE TABLE big(id INTEGER PRIMARY KEY, a TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO big SELECT i, 'row ' || i || hex(zeroblob(60)) FROM n
      """,
    ]
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url("music")), limits: .patient)
    defer { cluster.close() }
    let session = try await cluster.session(for: "fill", isReadOnly: false)
    for sql in script { _ = try await session.execute(sql, []) }
    let folder = try TemporaryFolder()
    let (file, other) = (folder.path("music.db"), folder.path("other.db"))
    for path in [file, other] {
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
    }
    try await DatabaseQueue(path: other).withoutTransaction { try $0.execute(sql: "UPDATE big SET a = id || a WHERE id % 3 > 0") }
    for words in [["rows", "FILE", "big"], ["diff", "FILE", other, "--format", "csv"]] {
      let whole = try BuiltProgram.run(BuiltProgram.url, words.map { $0 == "FILE" ? file : $0 })
      for count in [1, whole.output.count / 2] {
        let run = try killingLeader(of: nodes, after: count, words.map { $0 == "FILE" ? nodes.url("music") : $0 }, in: folder)
        #expect(run.status == whole.status, "\(words[0]) after \(count) bytes: \(run.errors)")
        #expect(run.output == whole.output, "\(words[0]) after \(count) bytes: \(run.output.count) of \(whole.output.count)")
      }
    }
  }

  /// Runs a verb that prints more than a pipe takes at once, and kills the leader once so many bytes have been read.
  private func killingLeader(
    of nodes: DqliteNodes, after count: Int, _ words: [String], in folder: TemporaryFolder
  ) throws -> BuiltProgram.Outcome {
    let errors = folder.path("errors")
    let process = try BuiltProgram.start(words, home: folder.path, output: .pipe, errors: .file(errors))
    let output = try #require(process.output)
    var text = Data()
    while text.count < count {
      let more = output.availableData
      try #require(!more.isEmpty)
      text += more
    }
    let leader = try nodes.leader()
    nodes.kill(leader)
    text += try output.readToEnd() ?? Data()
    let ending = process.wait()
    try nodes.restart(leader)
    return BuiltProgram.Outcome(ending: ending, output: text, errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  @Test func `nothing is written without leave`() async throws {
    try await withNode { address, _ in
      let delete = "DELETE FROM track WHERE id > 10"
      let refused = try BuiltProgram.run("query", address, delete)
      #expect(refused.status == 1 && refused.errors.contains("--write"), "\(refused.errors)")
      #expect(!refused.errors.contains(":write"), "a verb has no palette")
      #expect(try BuiltProgram.run("query", address, "SELECT count(*) FROM track").text.contains("400"))
      let written = try BuiltProgram.run("query", "--write", address, delete)
      #expect(written.status == 0, "\(written.errors)")
      let unrecorded = "the changes were not recorded, so `quarry undo` cannot undo them\n"
      #expect(written.errors == "quarry: the statements changed 390 rows; \(unrecorded)")
      #expect(try BuiltProgram.run("query", address, "SELECT count(*) FROM track").text.contains("10"))
      let attached = try BuiltProgram.run("query", "--write", address, "ATTACH 'x.db' AS x")
      #expect(attached.status == 1 && attached.errors.contains("ATTACH is refused"), "\(attached.errors)")
    }
  }

  @Test(arguments: [
    ("DELETE FROM track WHERE id < 0", "no row was changed"), ("SELECT 1", nil), ("PRAGMA user_version", nil),
    ("BEGIN; DELETE FROM track WHERE id < 4; ROLLBACK", nil), ("EXPLAIN DELETE FROM track", nil),
    (
      "BEGIN; DELETE FROM track WHERE id < 4; UPDATE track SET name = 'x' WHERE id = 9; COMMIT",
      "the statements changed 4 rows; the changes were not recorded"
    ),
    ("CREATE TABLE other(a)", "the schema was changed; the changes were not recorded"),
    ("DELETE FROM track WHERE id = 1; SELECT nothing()", "the statements changed 1 row; the changes were not recorded"),
    (
      "BEGIN; DELETE FROM track WHERE id = 1; SAVEPOINT s; DELETE FROM track WHERE id = 2; ROLLBACK TO s; COMMIT",
      "the statements changed at most 2 rows; the changes were not recorded"
    ),
  ])
  func `what is committed to a cluster is said, and that it cannot be undone`(sql: String, report: String?) async throws {
    try await withNode { address, _ in
      let run = try BuiltProgram.run("query", "--write", address, sql)
      #expect(report.map { run.errors.hasPrefix("quarry: \($0)") } ?? !run.errors.contains("changed"), "\(run.errors)")
    }
  }

  @Test func `no statement that does harm by being compiled is sent, whatever stands before it`() async throws {
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let leader = try nodes.leader()
    for (sql, reason) in [
      ("EXPLAIN PRAGMA page_size=8192", "PRAGMA page_size is refused"), ("PRAGMA journal_mode=DELETE", "PRAGMA journal_mode is refused"),
      ("-- a\nEXPLAIN QUERY PLAN PRAGMA page_size(512)", "PRAGMA page_size is refused"),
      ("SELECT 1; EXPLAIN ATTACH 'x' AS y", "ATTACH is refused"),
      ("PRAGMA hard_heap_limit=1", "hard_heap_limit is refused"), ("SELECT * FROM pragma_optimize", "pragma_optimize is refused"),
    ] {
      for options in [[], ["--write"], ["--long"]] {
        let run = try BuiltProgram.run(BuiltProgram.url, ["query", nodes.url(), sql] + options)
        #expect(run.status == 1 && run.text.isEmpty && run.errors.contains(reason), "\(sql): \(run.errors)")
      }
    }
    #expect(try nodes.leader() == leader && nodes.runningCount == 3)
  }

  @Test func `what may take long is refused without a terminal, unless it is let`() async throws {
    try await withNode { address, _ in
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT count(*) FROM n"
      for sql in [endless, "SELECT count(*) FROM json_each('[1]') a, json_each('[1]') b"] {
        let refused = try BuiltProgram.run("query", address, sql)
        #expect(refused.status == 1 && refused.text.isEmpty && refused.errors.contains("--long"), "\(refused.errors)")
        let run = try BuiltProgram.run("query", address, sql, "--long")
        #expect(run.status == 0 && run.text.hasPrefix("count(*)\n"), "\(run.errors)")
      }
      let many = "SELECT 1; \(endless)"
      let refused = try BuiltProgram.run("query", address, many)
      #expect(refused.status == 1 && refused.text.isEmpty && refused.errors.contains("--long"), "\(refused.errors)")
    }
  }

  @Test(arguments: [("y\r", 0, "count(*)"), ("n\r", 1, "nothing was run"), ("\r", 1, "nothing was run")])
  func `what may take long is asked on a terminal, and run after a yes alone`(answer: String, status: Int, words: String) async throws {
    let nodes = try DqliteNodes(count: 1)
    defer { nodes.end() }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT count(*) FROM n"
    let session = try TerminalSession(["query", nodes.url(), endless], showsErrors: true)
    try session.wait(for: "Run it? [y/n]")
    #expect(try !session.screen.contains("count(*)"), "nothing is run before the answer")
    try session.send(answer)
    try session.waitForEnd()
    try session.wait(for: words)
    #expect(try session.exitStatus() == status)
  }

  @Test func `an explained statement that writes is refused for what it does, and runs where it may`() async throws {
    try await withNode { address, _ in
      let refused = try BuiltProgram.run("query", address, "EXPLAIN DELETE FROM track")
      #expect(refused.status == 1 && refused.errors.contains("--write") && !refused.errors.contains("RETURNING"), "\(refused.errors)")
      let explained = try BuiltProgram.run("query", "--write", address, "EXPLAIN DELETE FROM track")
      #expect(explained.status == 0 && explained.text.contains("opcode"), "\(explained.errors)")
      #expect(try BuiltProgram.run("query", address, "SELECT count(*) FROM track").text.contains("400"))
    }
  }

  @Test func `a script that fails names the statement, its place, and what stays of those before it`() async throws {
    try await withNode { address, _ in
      let script = "INSERT INTO track(id) VALUES (1000);\nINSERT INTO track(id) VALUES (1000);\nDELETE FROM track"
      let run = try BuiltProgram.run("query", "--write", address, script)
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.errors.contains("statement 2 of 3") && run.errors.contains("  line 2: INSERT INTO track"), "\(run.errors)")
      #expect(run.errors.contains("^") && run.errors.contains("the statements before it are committed"), "\(run.errors)")
      #expect(try BuiltProgram.run("query", address, "SELECT count(*) FROM track").text.contains("401"))
      let wrong = try BuiltProgram.run("query", "--write", address, "SELECT 1;\nSELECT nothing FROM track")
      #expect(
        wrong.status == 1 && wrong.errors.contains("  line 2: SELECT nothing") && !wrong.errors.contains("were committed"),
        "\(wrong.errors)")
    }
  }

  @Test func `what the server cannot run is refused before anything is printed`() async throws {
    try await withNode { address, file in
      let filter = try BuiltProgram.run("rows", address, "track", "--where", "name =~ 'T.*9'")
      #expect(filter.status == 1 && filter.text.isEmpty && filter.errors.contains("the server has no regular expressions"), "\(filter)")
      let statement = try BuiltProgram.run("query", address, "SELECT name FROM track WHERE name REGEXP 'T.*9'")
      #expect(statement.status == 1 && statement.text.isEmpty && statement.errors.contains("no such function"), "\(statement)")
      let none = try [address, file].map { try BuiltProgram.run("query", $0, "SELECT name FROM track WHERE id < 0") }
      #expect(none[0].text == "name\n" && none[0].text == none[1].text, "\(none)")
    }
  }

  @Test func `who waits for a node that hangs is told so, on the screen and by a verb`() throws {
    let nodes = try DqliteNodes(count: 1)
    defer { nodes.end() }
    nodes.hang(0)
    for words in [[nodes.url()], ["rows", nodes.url(), "track"]] {
      let session = try TerminalSession(words, showsErrors: true)
      try session.waitForEnd()
      let output = try session.output
      #expect(output.contains("waiting for the cluster to answer"), "\(output)")
      #expect(output.contains("does not answer within"), "\(output)")
      #expect(try session.exitStatus() == 3)
    }
  }

  @Test func `an address that leads nowhere is told`() async throws {
    try await withNode { address, _ in
      let empty = try BuiltProgram.run("tables", address.replacingOccurrences(of: "/music", with: "/muisc"))
      #expect(empty.status == 0 && empty.errors.contains("mistyped"), "\(empty.errors)")
      for words in [["tables"], ["counts", "t", "a"], ["query", "SELECT 1"], ["dump"]] {
        let nobody = try BuiltProgram.run(BuiltProgram.url, [words[0], "dqlite://127.0.0.1:1/music"] + words.dropFirst())
        #expect(nobody.status == 3 && nobody.errors.contains("refuses connections"), "\(words): \(nobody.status) \(nobody.errors)")
      }
      #expect(try BuiltProgram.run("tables", "dqlite://127.0.0.1:9001").status == 2)
    }
  }
}
