import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct FullTextSearchTests {
  private static let notes = "('Pasta', 'water and salt and water'), ('Water', 'cold'), ('Pizza', 'underwater')"

  @Test("A full-text table comes first, finds words, the best first, with snippets, and its shadow tables are not searched")
  func own() async throws {
    let found = try await outcome(
      "water", "CREATE TABLE a(v)", "INSERT INTO a VALUES ('water')", "CREATE VIRTUAL TABLE notes USING fts5(title, body)",
      "INSERT INTO notes VALUES \(Self.notes)")
    #expect(found.tables.map(\.table.name) == ["notes", "a"])
    #expect(found.tables.map(\.isFullText) == [true, false])
    #expect(found.tables.map(\.hitCount) == [2, 1])
    let hits = found.hits.filter { $0.table.name == "notes" }
    #expect(Set(hits.map { "\($0.key) \($0.column ?? "?")" }) == ["rowID(1) body", "rowID(2) title"])
    #expect(hits.map(\.rank) == hits.map(\.rank).sorted { $0 ?? 0 < $1 ?? 0 } && hits.allSatisfy { $0.rank != nil })
    let pasta = try #require(hits.first { $0.column == "body" })
    #expect(pasta.value == .text("water and salt and water"))
    #expect(pasta.matches == [0..<5, 19..<24])
  }

  private static let texts: [(String, [Int64])] = [
    ("wat* NOT cold", [1]), ("title : water", [2]), ("AND", [1]), ("\"water", [1, 2]), ("salt)", [1]), ("and-salt", [1]),
    ("nowhere : x", []), ("water\0zz", []), ("salt\0and", [1]),
  ]

  @Test("Queries of FTS5 are taken as such, and what is none as a phrase", arguments: texts)
  func queries(query: String, rows: [Int64]) async throws {
    let found = try await outcome(
      EverywhereSearch(query), ["CREATE VIRTUAL TABLE notes USING fts5(title, body)", "INSERT INTO notes VALUES \(Self.notes)"])
    #expect(found.hits.map(\.key).sorted { "\($0)" < "\($1)" } == rows.map { .rowID($0) }, "\(found.tables)")
    #expect(found.tables.allSatisfy { $0.state == .done })
  }

  @Test("A table whose texts lie elsewhere finds words, and that table parts of words")
  func externalContent() async throws {
    let found = try await outcome(
      "water", "CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT)", "INSERT INTO docs(title, body) VALUES \(Self.notes)",
      #"CREATE VIRTUAL TABLE "my index" USING fts5(title, body, content='docs', content_rowid='id')"#,
      #"INSERT INTO "my index"("my index") VALUES ('rebuild')"#)
    #expect(found.tables.map(\.table.name) == ["my index", "docs"])
    #expect(found.tables.map(\.hitCount) == [2, 3])
  }

  @Test("A table that keeps no texts tells the rows alone")
  func contentless() async throws {
    let found = try await outcome(
      "water", "CREATE VIRTUAL TABLE notes USING fts5(title, body, content='')",
      "INSERT INTO notes(rowid, title, body) VALUES (5, 'water', 'x'), (6, 'y', 'z')")
    #expect(found.hits.map(\.key) == [.rowID(5)])
    #expect(found.hits.map(\.column) == [nil])
    #expect(found.hits.map(\.value) == [.null])
  }

  @Test("Other virtual tables are searched row by row")
  func fts4() async throws {
    let found = try await outcome("nderwat", "CREATE VIRTUAL TABLE notes USING fts4(title, body)", "INSERT INTO notes VALUES \(Self.notes)")
    #expect(found.tables.map(\.table.name) == ["notes"])
    #expect(found.hits.map(\.key) == [.rowID(3)])
  }
}
