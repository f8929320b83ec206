import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct SQLScriptTests {
  private func statements(_ text: String) -> [String] {
    let script = SQLScript(text)
    return script.parts.map(script.sql)
  }

  @Test(
    "Statements end where SQLite ends them",
    arguments: [
      ("", []), (" ; ;; -- a\n /* b */ ", []),
      ("SELECT 1", ["SELECT 1"]), (" SELECT 1 ; ;\n SELECT 2;", ["SELECT 1 ;", "SELECT 2;"]),
      ("SELECT ';', \";\", [;], `;`; SELECT 'it'';s'", ["SELECT ';', \";\", [;], `;`;", "SELECT 'it'';s'"]),
      ("SELECT 1 -- ;\n + /* ; */ 2; x", ["SELECT 1 -- ;\n + /* ; */ 2;", "x"]),
      ("SELECT 'a; b", ["SELECT 'a; b"]), ("SELECT 1 /* a; b", ["SELECT 1"]),
      (
        "\u{FEFF}create trigger t after insert on a begin select 1; end; select 2",
        [
          "create trigger t after insert on a begin select 1; end;", "select 2",
        ]
      ),
      (
        "EXPLAIN CREATE TEMPORARY TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END ; SELECT 2",
        [
          "EXPLAIN CREATE TEMPORARY TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END ;", "SELECT 2",
        ]
      ),
      ("CREATE TABLE trigger(x); END; SELECT 1", ["CREATE TABLE trigger(x);", "END;", "SELECT 1"]),
      ("é;ü;", ["é;", "ü;"]),
    ])
  func splitting(text: String, expected: [String]) {
    #expect(statements(text) == expected)
    #expect(!SQLScript(text).parts.dropLast().contains { !$0.isEnded })
  }

  @Test("Comments before a statement belong to it, and one beside the end of the statement before does not")
  func comments() {
    #expect(statements("-- a\n\n/* b */ SELECT 1; -- c\n-- d\nSELECT 2 -- e") == ["-- a\n\n/* b */ SELECT 1;", "-- d\nSELECT 2"])
    #expect(statements("SELECT 1; /* b */ SELECT 2; /* c\n */ SELECT 3") == ["SELECT 1;", "/* b */ SELECT 2;", "/* c\n */ SELECT 3"])
    #expect(statements("SELECT 1; /* b */ -- c\nSELECT 2") == ["SELECT 1;", "SELECT 2"])
  }

  @Test("The last statement alone may be without its end")
  func ends() {
    #expect(SQLScript("SELECT 1; SELECT 2").parts == [.init(range: 0..<9, isEnded: true), .init(range: 10..<18, isEnded: false)])
  }

  @Test(
    "The statement under the caret is the one it is on, else the one before on its line, else the next, else the last",
    arguments: [
      (0, 1), (5, 1), (8, 1), (9, 1), (11, 2), (20, 2), (25, 2), (36, 2), (37, 3), (38, 3), (39, 3), (46, 3), (47, 3), (50, 3), (-5, 1),
      (99, 3),
    ])
  func partAtCaret(offset: Int, number: Int) throws {
    //          0         9 11        20              36 38
    let text = "SELECT 1;  SELECT 2;  -- two -- line\n\nSELECT 3\n\n"
    let script = SQLScript(text)
    let part = try #require(script.part(at: offset))
    #expect(script.sql(of: part).contains("SELECT \(number)"))
  }

  @Test("There is no statement under the caret where there is none at all")
  func noPart() {
    #expect(SQLScript("-- a").part(at: 2) == nil)
  }

  @Test("Ten thousand statements are found")
  func many() {
    #expect(SQLScript(String(repeating: "SELECT 1;\n", count: 10_000)).parts.count == 10_000)
  }

  @Test(
    "Statements are those that SQLite compiles one after the other",
    arguments: [
      "CREATE TABLE t(x); INSERT INTO t VALUES (';'), ('it''s;'); SELECT \"x\", [x], `x` FROM t;",
      "-- first;\nSELECT 1 /* ; */ + 2;\n\n/* second; */ SELECT x'00', 'a' ; SELECT 3",
      """
      CREATE TABLE a(x);
      CREATE TABLE log(x);
      CREATE TRIGGER b AFTER INSERT ON a BEGIN
        INSERT INTO log VALUES (new.x); -- end;
        UPDATE log SET x = CASE WHEN x THEN 1 ELSE 2 END;
      END;
      CREATE TEMP TRIGGER c AFTER DELETE ON a WHEN old.x > 1 BEGIN SELECT 1; END;
      INSERT INTO a VALUES (1); SELECT * FROM log
      """,
      "SELECT :a, @b, $c, $d::e(f;g), ?, ?5; SELECT 1e3, .5, 0x1F; VALUES (1), (2);",
      "BEGIN; CREATE TABLE t(\"a;b\" TEXT DEFAULT ';'); END; EXPLAIN SELECT 1; EXPLAIN QUERY PLAN SELECT 2;",
      "\u{FEFF}SELECT 1; \u{FEFF} SELECT 2;",
      "WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3) SELECT * FROM c; ;; SELECT 4",
    ])
  func agreement(text: String) throws {
    let queue = try makeDatabase()
    let compiled = try queue.withoutTransaction { db in
      let statements = try db.allStatements(sql: text)
      var compiled: [String] = []
      while let statement = try statements.next() {
        compiled.append(statement.sql)
        // Those with parameters do not run; that another one has not shows in those after it.
        try? statement.execute()
      }
      return compiled
    }
    #expect(statements(text).map(trimmed) == compiled.map(trimmed))
  }

  /// Returns a text without the white space, byte order marks and semicolons around it, which a statement's own text may begin with.
  private func trimmed(_ sql: String) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || character == ";" || character == "\u{FEFF}" }
    let end = sql.lastIndex { !isBlank($0) }.map { sql.index(after: $0) } ?? sql.startIndex
    return String(sql[..<end].drop(while: isBlank))
  }
}
