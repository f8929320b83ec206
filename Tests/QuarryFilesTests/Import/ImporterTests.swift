import Foundation
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct ImporterTests {
  /// Imports a text as a file into a database in memory.
  private func importing(
    _ text: String, named name: String = "file.csv", into target: ImportPlan.Target, of queue: DatabaseQueue,
    _ change: (inout ImportPlan) -> Void = { _ in }
  ) throws -> ImportResult {
    try importer(of: text, named: name, into: target, of: queue, change) { importer, db in try importer.run(in: db) }
  }

  private func previewing(_ text: String, into target: ImportPlan.Target, of queue: DatabaseQueue) throws -> ImportPreview {
    try importer(of: text, named: "file.csv", into: target, of: queue) { importer, _ in importer.preview }
  }

  private func importer<Value>(
    of text: String, named name: String, into target: ImportPlan.Target, of queue: DatabaseQueue,
    _ change: (inout ImportPlan) -> Void = { _ in }, _ body: (Importer, Database) throws -> Value
  ) throws -> Value {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      var plan = ImportPlan(path: path, into: target)
      change(&plan)
      return try queue.withoutTransaction { db in try body(Importer(plan, in: db), db) }
    }
  }

  private func rows(_ sql: String, _ queue: DatabaseQueue) throws -> [[DatabaseValue]] {
    try queue.read { db in try Row.fetchAll(db, sql: sql).map { try $0.databaseValues } }
  }

  private let track = TableReference(name: "Track")

  @Test func `a new table has the columns and types of the file`() throws {
    let queue = try DatabaseQueue()
    let text = "id,zip,price,mixed,note\n1,007,0.5,1,x\n2,12345,1.0,2.5,\n3,1,2.25,3,\"\"\n"
    let result = try importing(text, into: .new(track), of: queue)
    #expect(result.inserted == 3 && result.isNewTable && result.rejected == 0)
    let schema = try queue.read { try $0.tableSchema(track) }
    #expect(schema.columns.map(\.declaredType) == ["INTEGER", "TEXT", "REAL", "NUMERIC", "TEXT"])
    #expect(
      try rows("SELECT * FROM Track", queue) == [
        [.integer(1), .text("007"), .real(0.5), .integer(1), .text("x")], [.integer(2), .text("12345"), .real(1), .real(2.5), .null],
        [.integer(3), .text("1"), .real(2.25), .integer(3), .text("")],
      ])
  }

  @Test func `columns go by their names, in whatever order and case`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, Zip TEXT, Price REAL DEFAULT 9)")
    let result = try importing("name,TRACKID,zip\nOne,1,007\nTwo,2,12\n", into: .existing(track), of: queue)
    #expect(result.inserted == 2)
    #expect(
      try rows("SELECT * FROM Track", queue) == [
        [.integer(1), .text("One"), .text("007"), .real(9)], [.integer(2), .text("Two"), .text("12"), .real(9)],
      ])
  }

  @Test func `a column that matches none is refused with near names, and can be mapped`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER, Name TEXT)")
    let text = "TrackId,Nmae\n1,One\n"
    let failure = #expect(throws: ImportFailure.self) { try importing(text, into: .existing(track), of: queue) }
    #expect(failure?.description == "“Nmae” is not a column of Track: did you mean Name?")
    #expect(try rows("SELECT * FROM Track", queue) == [])
    let result = try importing(text, into: .existing(track), of: queue) { $0.mapping = ["Nmae": "Name"] }
    #expect(result.inserted == 1)
    let partly = try importing(text, into: .existing(track), of: queue) { $0.columns = ["TrackId"] }
    #expect(partly.inserted == 1)
    #expect(try rows("SELECT * FROM Track", queue) == [[.integer(1), .text("One")], [.integer(1), .null]])
  }

  @Test(arguments: [
    ("genre", ["GenreId"]), ("genre_id", ["GenreId"]), ("Genre Id", ["GenreId"]), ("g", []), ("nmae", ["Name"]), ("name of it", ["Name"]),
  ])
  func `near names go on from each other, or are a few letters apart`(_ name: String, _ near: [String]) throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER, Name TEXT, GenreId INTEGER, x)")
    let preview = try previewing("TrackId,\(name)\n1,2\n", into: .existing(track), of: queue)
    #expect(preview.columns[1].nearest == near)
    let taken = try previewing("Name,name of it\n1,2\n", into: .existing(track), of: queue)
    #expect(taken.columns[1].nearest == [])
  }

  @Test func `what a person says of columns that are not there is told`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER, Name TEXT)")
    let failure = #expect(throws: ImportFailure.self) {
      try importing("TrackId,Name\n1,One\n", into: .existing(track), of: queue) {
        $0.mapping = ["Nam": "Name"]
        $0.types = ["x": .text]
      }
    }
    #expect(failure?.description == "the file has no column “Nam”; did you mean Name?\nthe file has no column “x”")
  }

  @Test func `a row that fails undoes all, and says its line`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT NOT NULL)")
    let failure = #expect(throws: ImportFailure.self) {
      try importing("TrackId,Name\n1,One\n2,\n3,Three\n", into: .existing(track), of: queue)
    }
    #expect(failure?.reason == .row(ImportReject(line: 3, reason: "NOT NULL constraint failed: Track.Name")))
    #expect(try rows("SELECT * FROM Track", queue) == [])
  }

  @Test func `rows that fail go to the file of rejects with their lines and reasons`() throws {
    try withTemporaryFolder { folder in
      let queue = try makeDatabase(
        "CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY)", "INSERT INTO Album VALUES (1)",
        """
        CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT NOT NULL CHECK (length(Name) < 9), AlbumId INTEGER REFERENCES Album)
        """,
        "CREATE TRIGGER refusing BEFORE INSERT ON Track WHEN new.Name = 'no' BEGIN SELECT RAISE(ABORT, 'not this one'); END")
      let rejects = folder.appendingPathComponent("rejects.csv").path
      let text = "TrackId,Name,AlbumId\n1,One,1\n1,Again,1\n2,,1\n3,Far too long,1\n4,Four,9\n5,no,\n6,a,b,c\nx,X,1\n7,\"Sev\"\"en\",1\n"
      let result = try importing(text, into: .existing(track), of: queue) { $0.rejectsPath = rejects }
      #expect(result.inserted == 2 && result.rejected == 7 && result.rejects.count == 7)
      #expect(try rows("SELECT TrackId FROM Track", queue) == [[.integer(1)], [.integer(7)]])
      let written = try String(contentsOfFile: rejects, encoding: .utf8)
      let lines = written.split(separator: "\n")
      #expect(lines.first == "line,reason,record")
      #expect(
        Set(lines.dropFirst()) == [
          #"3,"UNIQUE constraint failed: Track.TrackId: there is already a row with TrackId 1","1,Again,1""#,
          #"4,"NOT NULL constraint failed: Track.Name","2,,1""#,
          #"5,"CHECK constraint failed: length(Name) < 9","3,Far too long,1""#,
          #"6,"FOREIGN KEY constraint failed: AlbumId 9 does not exist in Album.AlbumId","4,Four,9""#, #"7,"not this one","5,no,""#,
          #"8,"It has 4 fields instead of 3.","6,a,b,c""#, #"9,"datatype mismatch","x,X,1""#,
        ])
    }
  }

  @Test func `rows of the same key are left out, replaced or updated`() throws {
    let text = "TrackId,Name\n1,New\n3,Three\n"
    for (rule, expected) in [
      (ImportPlan.ConflictRule.ignore, "1|Old|a,2|Two|b,3|Three|"), (.update, "1|New|a,2|Two|b,3|Three|"),
      (.replace, "1|New|,2|Two|b,3|Three|"),
    ] {
      let queue = try makeDatabase(
        "CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, Note TEXT)", "INSERT INTO Track VALUES (1, 'Old', 'a'), (2, 'Two', 'b')"
      )
      let result = try importing(text, into: .existing(track), of: queue) { $0.onConflict = rule }
      #expect(result.ignored == (rule == .ignore ? 1 : 0) && result.updated == (rule == .update ? 1 : 0))
      #expect(result.replaced == (rule == .replace ? 1 : 0) && result.inserted == (rule == .replace ? 2 : 1))
      let sql = "SELECT group_concat(TrackId || '|' || Name || '|' || ifnull(Note, '')) FROM (SELECT * FROM Track ORDER BY TrackId)"
      #expect(try rows(sql, queue) == [[.text(expected)]])
    }
  }

  @Test func `a column whose key an object lacks keeps its value in an updated row, whatever the other objects have`() throws {
    let records = [
      #"{"id":1,"a":"A2"}"#, #"{"b":"D2","id":2}"#, #"{"id":3,"a":null}"#, #"{"id":4,"b":"H2","a":"G2"}"#, #"{"id":5}"#,
      #"{"id":6,"a":"new"}"#, #"{"id":7,"c":1}"#,
    ]
    let made = [
      "CREATE TABLE Track(id INTEGER PRIMARY KEY, a, b DEFAULT 'none', c)",
      "INSERT INTO Track VALUES (1, 'A', 'B', 0), (2, 'C', 'D', 0), (3, 'E', 'F', 0), (4, 'G', 'H', 0), (5, 'I', 'J', 0), (7, 'K', 'L', 0)",
    ]
    func rowsAfter(_ files: [String]) throws -> [[DatabaseValue]] {
      let queue = try makeDatabase(made[0], made[1])
      for file in files { _ = try importing(file, named: "x.json", into: .existing(track), of: queue) { $0.onConflict = .update } }
      let row = "id || '|' || ifnull(a, 'NULL') || '|' || b || '|' || ifnull(c, 'NULL')"
      return try rows("SELECT \(row) FROM Track ORDER BY id", queue)
    }
    let expected = ["1|A2|B|0", "2|C|D2|0", "3|NULL|F|0", "4|G2|H2|0", "5|I|J|0", "6|new|none|NULL", "7|K|L|1"]
      .map { [DatabaseValue.text($0)] }
    for text in ["[" + records.joined(separator: ",") + "]", records.reversed().joined(separator: "\n")] {
      #expect(try rowsAfter([text]) == expected)
    }
    #expect(try rowsAfter(records) == expected)
  }

  @Test func `objects with many sets of keys update only the columns of their keys`() throws {
    let (names, ids) = (["a", "b", "c", "d", "e", "f", "g"], 0..<Int64(300))
    let old = ids.map { "(\($0), 'a', 'b', 'c', 'd', 'e', 'f', 'g')" }.joined(separator: ", ")
    let queue = try makeDatabase("CREATE TABLE Track(id INTEGER PRIMARY KEY, a, b, c, d, e, f, g)", "INSERT INTO Track VALUES \(old)")
    func hasKey(_ place: Int, _ id: Int64) -> Bool { id >> place & 1 == 1 }
    let objects = ids.map { id in
      "{\"id\":\(id)" + names.indices.filter { hasKey($0, id) }.map { ",\"\(names[$0])\":\(id)" }.joined() + "}\n"
    }
    let result = try importing(objects.joined(), named: "x.ndjson", into: .existing(track), of: queue) { $0.onConflict = .update }
    #expect(result.inserted == 0)
    let expected = ids.map { id -> [DatabaseValue] in
      [.integer(id)] + names.indices.map { hasKey($0, id) ? .integer(id) : .text(names[$0]) }
    }
    #expect(try rows("SELECT * FROM Track ORDER BY id", queue) == expected)
  }

  @Test func `rows that the file has only the keys of are unchanged, and triggers are not blamed for them`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(a, b, PRIMARY KEY (a, b))", "INSERT INTO Track VALUES (1, 1)")
    let result = try importing("a,b\n1,1\n2,2\n", into: .existing(track), of: queue) { $0.onConflict = .update }
    #expect(result.inserted == 1 && result.updated == 0 && result.unchanged == 1 && result.notes.isEmpty)
    try queue.withoutTransaction { db in
      try db.execute(sql: "CREATE TRIGGER stop BEFORE INSERT ON Track WHEN new.a = 3 BEGIN SELECT RAISE(IGNORE); END")
    }
    let next = try importing("a,b\n1,1\n3,3\n4,4\n", into: .existing(track), of: queue) { $0.onConflict = .update }
    #expect(next.inserted == 1 && next.unchanged == 1 && next.notes == ["triggers of Track skipped 1 row"])
    #expect(try rows("SELECT a, b FROM Track ORDER BY a", queue) == [1, 2, 4].map { [.integer($0), .integer($0)] })
  }

  @Test func `only rows that an upsert has written count as updated`() throws {
    try withTemporaryFolder { folder in
      let queue = try makeDatabase(
        "CREATE TABLE Track(id INTEGER PRIMARY KEY, a UNIQUE)", "INSERT INTO Track VALUES (1, 'A'), (2, 'B'), (3, 'C')",
        "CREATE TRIGGER stop BEFORE UPDATE ON Track WHEN old.id = 3 BEGIN SELECT RAISE(IGNORE); END")
      let result = try importing("id,a\n1,B\n2,X\n3,Y\n4,Z\n", into: .existing(track), of: queue) {
        $0.onConflict = .update
        $0.rejectsPath = folder.appendingPathComponent("r.csv").path
      }
      #expect(result.inserted == 1 && result.updated == 1 && result.rejected == 1)
      #expect(result.notes == ["triggers of Track skipped 1 row"])
    }
  }

  @Test func `a rejected object keeps its nulls and has no other keys`() throws {
    try withTemporaryFolder { folder in
      let rejects = folder.appendingPathComponent("r.csv").path
      let queue = try makeDatabase("CREATE TABLE Track(id INTEGER PRIMARY KEY, a CHECK (a <> 1), b, c)")
      let text = #"[{"id":1,"c":2},{"id":2,"a":1,"b":null}]"#
      _ = try importing(text, named: "x.json", into: .existing(track), of: queue) {
        $0.onConflict = .update
        $0.rejectsPath = rejects
      }
      #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains(#""{""id"":2,""a"":1,""b"":null}""#))
    }
  }

  @Test func `a row that breaks another rule than that of a key is never left out`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT NOT NULL ON CONFLICT IGNORE)")
    #expect(throws: ImportFailure.self) {
      try importing("TrackId,Name\n1,\n", into: .existing(track), of: queue) { $0.onConflict = .ignore }
    }
  }

  @Test func `rows of WITHOUT ROWID tables are updated by their keys`() throws {
    let queue = try makeDatabase(
      "CREATE TABLE Track(a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID, STRICT", "INSERT INTO Track VALUES ('x', 1, 'old')")
    let result = try importing("b,a,c\n1,x,new\n2,x,two\n", into: .existing(track), of: queue) { $0.onConflict = .update }
    #expect(result.updated == 1 && result.inserted == 1)
    #expect(try rows("SELECT c FROM Track", queue) == [[.text("new")], [.text("two")]])
  }

  @Test func `rows may refer to others of the file that stand further down`() throws {
    let setup = "CREATE TABLE Track(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES Track)"
    let queue = try makeDatabase(setup)
    #expect(try importing("id,boss\n1,2\n2,\n", into: .existing(track), of: queue).inserted == 2)
    let failure = #expect(throws: ImportFailure.self) { try importing("id,boss\n3,4\n4,9\n", into: .existing(track), of: queue) }
    #expect(failure?.reason == .row(ImportReject(line: 3, reason: "FOREIGN KEY constraint failed: it references no row of Track")))
    try withTemporaryFolder { folder in
      let result = try importing("id,boss\n3,4\n4,9\n5,5\n", into: .existing(track), of: queue) {
        $0.rejectsPath = folder.appendingPathComponent("r").path
      }
      #expect(result.inserted == 1 && result.rejected == 2)
    }
    #expect(try rows("SELECT id FROM Track", queue) == [[.integer(1)], [.integer(2)], [.integer(5)]])
  }

  @Test func `a row that is found to refer to none at the end is rejected with its line and text also where others are left out`() throws {
    let queue = try makeDatabase(
      "CREATE TABLE Album(id INTEGER PRIMARY KEY)",
      "CREATE TABLE Track(id INTEGER PRIMARY KEY, name, album REFERENCES Album DEFERRABLE INITIALLY DEFERRED)",
      "INSERT INTO Album VALUES (1)", "INSERT INTO Track VALUES (1, 'old', 1)")
    try withTemporaryFolder { folder in
      let rejects = folder.appendingPathComponent("r.csv").path
      let result = try importing("id,name,album\n1,again,9\n2,two,1\n3,\"th, ree\",8\n", into: .existing(track), of: queue) {
        $0.onConflict = .ignore
        $0.rejectsPath = rejects
      }
      #expect(result.inserted == 1 && result.ignored == 1 && result.rejected == 1)
      let reason = "FOREIGN KEY constraint failed: it references no row of Album"
      #expect(result.rejects == [ImportReject(line: 4, reason: reason)])
      #expect(
        try String(contentsOfFile: rejects, encoding: .utf8) == "line,reason,record\n4,\"\(reason)\",\"3,\"\"th, ree\"\",8\"\n")
    }
    #expect(try rows("SELECT id, name FROM Track", queue) == [[.integer(1), .text("old")], [.integer(2), .text("two")]])
  }

  private static let replacing = [ImportPlan.ConflictRule.replace, .update]

  @Test(arguments: replacing)
  func `a row that is found to refer to none at the end is named where it has replaced or changed another`(
    rule: ImportPlan.ConflictRule
  ) throws {
    let queue = try makeDatabase(
      "CREATE TABLE Album(id INTEGER PRIMARY KEY)", "INSERT INTO Album VALUES (1)",
      "CREATE TABLE Track(id INTEGER PRIMARY KEY, album REFERENCES Album DEFERRABLE INITIALLY DEFERRED)",
      "INSERT INTO Track VALUES (1, 1)")
    let failure = #expect(throws: ImportFailure.self) {
      try importing("id,album\n2,1\n1,9\n", into: .existing(track), of: queue) { $0.onConflict = rule }
    }
    let reason = "FOREIGN KEY constraint failed: it references no row of Album"
    #expect(failure?.reason == .row(ImportReject(line: 3, reason: reason)))
    #expect(try rows("SELECT * FROM Track", queue) == [[.integer(1), .integer(1)]])
  }

  @Test(arguments: replacing)
  func `what such a row has replaced or changed is there again once it is rejected, and so is what triggers and keys have done`(
    rule: ImportPlan.ConflictRule
  ) throws {
    let queue = try makeDatabase(
      "CREATE TABLE Track(id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES Track)", "CREATE TABLE Log(id, boss)",
      "CREATE TRIGGER noted AFTER INSERT ON Track BEGIN INSERT INTO Log VALUES (new.id, new.boss); END",
      "CREATE TABLE Play(track REFERENCES Track ON DELETE CASCADE)", "INSERT INTO Track VALUES (1, 'one', NULL), (2, 'two', 1)",
      "INSERT INTO Play VALUES (1), (2)", "DELETE FROM Log")
    try withTemporaryFolder { folder in
      let rejects = folder.appendingPathComponent("r.csv").path
      // 4 refers to 5, which refers to none. Of 2 the last row refers to none, and those before the last but one do not count.
      let text = "id,name,boss\n4,four,5\n2,zwei,4\n5,five,9\n2,deux,8\n3,three,2\n2,dos,1\n2,due,7\n1,\"u, no\",99\n"
      let result = try importing(text, into: .existing(track), of: queue) { ($0.onConflict, $0.rejectsPath) = (rule, rejects) }
      #expect(result.rejects.map(\.line) == [2, 4, 8, 9] && result.rejected == 4)
      #expect(result.inserted + result.updated == 4)
      let kept = try String(contentsOfFile: rejects, encoding: .utf8)
      #expect(kept.hasSuffix("9,\"FOREIGN KEY constraint failed: it references no row of Track\",\"1,\"\"u, no\"\",99\"\n"), "\(kept)")
    }
    let tracks = "SELECT group_concat(id || name || ifnull(boss, ''), ' ') FROM (SELECT * FROM Track ORDER BY id)"
    #expect(try rows(tracks, queue) == [[.text("1one 2dos1 3three2")]])
    #expect(try rows("SELECT count(*) FROM Play", queue) == [[.integer(rule == .replace ? 1 : 2)]])
    #expect(try rows("SELECT group_concat(id) FROM Log", queue) == [[.text(rule == .replace ? "2,2,3,2" : "3")]])
  }

  @Test func `records of one line are told from each other`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES Track)")
    try withTemporaryFolder { folder in
      let text = #"[{"id": 1, "boss": 2}, {"id": 2, "boss": 2}, {"id": 3, "boss": 9}]"#
      let result = try importing(text, into: .existing(track), of: queue) {
        ($0.onConflict, $0.rejectsPath) = (.update, folder.appendingPathComponent("r").path)
      }
      #expect(result.inserted == 2 && result.rejected == 1)
    }
    #expect(try rows("SELECT id FROM Track", queue) == [[.integer(1)], [.integer(2)]])
  }

  @Test func `rows of other tables that would refer to replaced ones are told`() throws {
    let queue = try makeDatabase(
      "CREATE TABLE Track(id INTEGER PRIMARY KEY, name TEXT UNIQUE)", "INSERT INTO Track VALUES (1, 'one')",
      "CREATE TABLE Play(track REFERENCES Track DEFERRABLE INITIALLY DEFERRED)", "INSERT INTO Play VALUES (1)")
    let failure = #expect(throws: ImportFailure.self) {
      try importing("id,name\n2,one\n", into: .existing(track), of: queue) { $0.onConflict = .replace }
    }
    #expect(failure?.description.contains("rows of other tables refer to rows of Track that would no longer exist") == true)
    #expect(try rows("SELECT id FROM Track", queue) == [[.integer(1)]])
  }

  @Test func `a file of rejects that is there stands against the import`() throws {
    try withTemporaryFolder { folder in
      let queue = try makeDatabase("CREATE TABLE Track(a INTEGER NOT NULL)")
      let path = folder.appendingPathComponent("x.rejects.csv").path
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      let failure = #expect(throws: ImportFailure.self) {
        try importing("a\n1\n", into: .existing(track), of: queue) { $0.rejectsPath = path }
      }
      #expect(failure?.description.contains("already exists: name another file") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      #expect(try rows("SELECT * FROM Track", queue) == [])
    }
  }

  @Test func `numbers are numbers where every field stands in quotes, and only there`() throws {
    let all = try DatabaseQueue()
    let result = try importing("\"id\",\"zip\",\"note\"\n\"1\",\"007\",\"a,b\"\n\"2\",\"8\",\"\"\n", into: .new(track), of: all)
    #expect(result.columns.map(\.declaredType) == ["INTEGER", "TEXT", "TEXT"])
    #expect(
      try rows("SELECT * FROM Track", all) == [
        [.integer(1), .text("007"), .text("a,b")], [.integer(2), .text("8"), .text("")],
      ])
    #expect(result.notes == ["every field is quoted; columns of numbers are read as numbers"])
    let some = try DatabaseQueue()
    #expect(try importing("\"id\",\"n\"\n\"1\",2\n", into: .new(track), of: some).columns.map(\.declaredType) == ["TEXT", "INTEGER"])
  }

  @Test func `a number stays one in a column without a type that had strings before, however far down it stands`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(a)")
    let strings = String(repeating: "{\"a\":\"\(String(repeating: "x", count: 1000))\"}\n", count: 1500)
    _ = try importing(strings + "{\"a\":7}\n{\"a\":\"7\"}\n", into: .existing(track), of: queue)
    #expect(try rows("SELECT a FROM Track WHERE rowid > 1500", queue) == [[.integer(7)], [.text("7")]])
  }

  @Test func `generated columns are left out and that is told`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(a INTEGER, twice AS (a * 2), Photo BLOB)")
    let result = try importing("a,twice,Photo\n1,2,x'00ff'\n2,4,\n", into: .existing(track), of: queue)
    #expect(result.notes == ["twice is computed by the table, so its values in the file are skipped"])
    #expect(try rows("SELECT * FROM Track", queue) == [[.integer(1), .integer(2), .blob([0, 255])], [.integer(2), .integer(4), .null]])
  }

  @Test func `values that a column of numbers stores otherwise are told`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(a INTEGER)")
    let result = try importing("a\n1\n007\n+8\nx\n", into: .existing(track), of: queue)
    #expect(try rows("SELECT a FROM Track", queue) == [[.integer(1)], [.integer(7)], [.integer(8)], [.text("x")]])
    #expect(result.notes.count == 1 && result.notes.first?.hasSuffix("2 values are stored differently, the first “007” on line 3") == true)
  }

  @Test func `infinities are read as they are written`() throws {
    let text = "a\n9e999\n1.5\n-9e999\n"
    let expected: [[DatabaseValue]] = [[.real(.infinity)], [.real(1.5)], [.real(-.infinity)]]
    let queue = try makeDatabase("CREATE TABLE Track(a REAL)")
    #expect(try importing(text, into: .existing(track), of: queue).notes.isEmpty)
    #expect(try rows("SELECT a FROM Track", queue) == expected)
    let new = try DatabaseQueue()
    let result = try importing(text, into: .new(track), of: new)
    #expect(result.columns.map(\.declaredType) == ["REAL"] && result.notes.isEmpty)
    #expect(try rows("SELECT a FROM Track", new) == expected)
  }

  @Test func `a dry run tells what would be and writes nothing`() throws {
    try withTemporaryFolder { folder in
      let queue = try makeDatabase("CREATE TABLE Track(a INTEGER NOT NULL, b TEXT)")
      let rejects = folder.appendingPathComponent("rejects.csv").path
      let result = try importing("a,b\n1,\n,x\n", into: .existing(track), of: queue) {
        $0.isDryRun = true
        $0.rejectsPath = rejects
      }
      #expect(result.inserted == 1 && result.rejected == 1)
      #expect(try rows("SELECT * FROM Track", queue) == [])
      #expect(!FileManager.default.fileExists(atPath: rejects))
    }
  }

  @Test func `JSON keeps numbers and strings apart, and gets columns as they come`() throws {
    let queue = try DatabaseQueue()
    let text = #"[{"a":1,"b":"1","c":[1,2]},{"a":"x","d":0.5},{"b":"2","e":{"blob":"AAE="},"f":true}]"#
    let result = try importing(text, named: "x.json", into: .new(track), of: queue)
    #expect(result.inserted == 3)
    #expect(result.columns.map(\.declaredType) == ["", "TEXT", "TEXT", "REAL", "BLOB", "INTEGER"])
    #expect(
      try rows("SELECT * FROM Track", queue) == [
        [.integer(1), .text("1"), .text("[1,2]"), .null, .null, .null], [.text("x"), .null, .null, .real(0.5), .null, .null],
        [.null, .text("2"), .null, .null, .blob([0, 1]), .integer(1)],
      ])
  }

  @Test func `each table of a file that is not imported is named, also one of the same name`() throws {
    let text = #"{"a":[{"x":1,"y":2}],"a":[{"y":4,"x":3}],"b":[{"x":5}]}"#
    let note = "the file has other tables, which were skipped: a, b"
    for key in [nil, "a"] {
      let queue = try DatabaseQueue()
      let result = try importing(text, named: "x.json", into: .new(track), of: queue) { $0.tableInFile = key }
      #expect(result.inserted == 1 && result.notes == [note])
      #expect(try rows("SELECT * FROM Track", queue) == [[.integer(1), .integer(2)]])
    }
  }

  @Test func `a missing header is reported only if no one has decided about it`() throws {
    let queue = try makeDatabase("CREATE TABLE Track(a INTEGER, b REAL)")
    for (given, notes) in [(nil, ["no header found: the first line looks like data"]), (false, [])] as [(Bool?, [String])] {
      let result = try importing("1,0.5\n2,1.5\n", into: .existing(track), of: queue) { $0.reading.hasHeader = given }
      #expect(result.inserted == 2 && result.notes == notes)
    }
  }

  @Test func `the preview has the first rows as they would be stored`() throws {
    try withTemporaryFolder { folder in
      let queue = try makeDatabase("CREATE TABLE Track(Zip TEXT, Price REAL, Name TEXT)")
      let path = folder.appendingPathComponent("a.csv").path
      try Data("Zip;Price;Nam\n1;2;x\n".utf8).write(to: URL(fileURLWithPath: path))
      try queue.withoutTransaction { db in
        let preview = try Importer(ImportPlan(path: path, into: .existing(track)), in: db).preview
        #expect(preview.rows == [[.text("1"), .real(2)]] && preview.lines == [2])
        #expect(preview.columns.map(\.target) == ["Zip", "Price", nil] && preview.columns[2].nearest == ["Name"])
        #expect(preview.dialect?.separator == UInt8(ascii: ";") && preview.notes == ["the separator is “;”"])
        #expect(preview.problems == ["“Nam” is not a column of Track: did you mean Name?"])
      }
    }
  }
}
