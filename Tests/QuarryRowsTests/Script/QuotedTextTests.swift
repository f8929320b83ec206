import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// A misspelt name between double quotes is a text to SQLite, which is reported.
@Suite struct QuotedTextTests {
  private static func texts(_ sql: String) throws -> [QuotedText] {
    let queue = try DatabaseQueue()
    return try queue.withoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE t(id INTEGER PRIMARY KEY, "GEO LOC" TEXT, name TEXT); INSERT INTO t(name) VALUES ('a');
          CREATE VIEW quoted AS SELECT "no column" AS a FROM t
          """)
      let found = try db.quotedTexts(in: sql)
      // The connection goes on as it was.
      #expect(try String.fetchOne(db, sql: "SELECT \"text\" FROM t") == "text")
      return found
    }
  }

  @Test(arguments: [
    ("SELECT count(\"GEO LOCX\") FROM t", ["\"GEO LOCX\""], ["\"GEO LOC\""]),
    ("SELECT * FROM t WHERE \"nmae\" = \"a\" ORDER BY \"zzzzzz\"", ["\"nmae\"", "\"a\"", "\"zzzzzz\""], ["name", nil, nil]),
    ("UPDATE t SET name = \"it\"\"s\"", ["\"it\"\"s\""], [nil]), ("INSERT INTO t(name) VALUES (\"Ontario\")", ["\"Ontario\""], [nil]),
    ("SELECT \"GEO LOC\", \"t\".\"id\" AS \"x y\" FROM \"t\" ORDER BY \"x y\"", [], []), ("SELECT '\"x\"' FROM t", [], []),
    ("SELECT * FROM quoted", [], []), ("SELECT 1 -- \"x\"", [], []), ("CREATE TABLE \"u\"(\"a\")", [], []),
  ])
  func `each such name is found with what may be meant`(sql: String, written: [String], nearest: [String?]) throws {
    let found = try Self.texts(sql)
    #expect(found.map(\.written) == written && found.map(\.nearest) == nearest, "\(found)")
    for text in found { #expect(String(decoding: Array(sql.utf8)[text.range], as: UTF8.self) == text.written) }
  }

  @Test func `the sentence says how a text and the column are written`() throws {
    let sentence = try Self.texts("SELECT count(\"GEO LOCX\") FROM t").first?.sentence
    let expected =
      "there is no column \"GEO LOCX\", so SQLite reads it as text: write 'GEO LOCX', or \"GEO LOC\" if you mean that column"
    #expect(sentence == expected)
  }
}
