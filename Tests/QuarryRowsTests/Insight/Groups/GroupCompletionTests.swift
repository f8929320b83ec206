import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A text about groups is completed", .gated) struct GroupCompletionTests {
  private static func texts(_ text: String, _ part: GroupShape.Part) throws -> [String] {
    let columns = try makeDatabase(
      """
      CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE track(id INTEGER PRIMARY KEY, album_id INTEGER REFERENCES album, seconds INTEGER);
      """
    ).read { db in FilterColumns(of: try db.tableSchema(TableReference(name: "track")), in: db) }
    return GroupShape.completions(of: text, at: text.utf8.count, part: part, columns: columns).items.map(\.text)
  }

  @Test("with aggregates, which no parentheses contain")
  func aggregates() throws {
    #expect(try Self.texts("", .aggregate(0)).prefix(3) == ["count", "sum(", "total("])
    #expect(try Self.texts("mean = av", .aggregate(1)) == ["avg("])
    #expect(try Self.texts("sum(", .aggregate(0)).prefix(3) == ["id", "album_id", "seconds"])
    #expect(try Self.texts("count / su", .aggregate(0)) == ["sum(", "substr("])
    #expect(try Self.texts("sum(seconds) / co", .aggregate(0)).first == "count")
  }

  @Test("with columns, paths and functions")
  func values() throws {
    #expect(try Self.texts("album_id.t", .level(0)) == ["title"])
    #expect(try Self.texts("", .level(0)).prefix(3) == ["id", "album_id", "seconds"])
    #expect(try Self.texts("mo", .across) == ["month("])
    #expect(try Self.texts("max(album_id.", .aggregate(0)) == ["id", "title"])
    #expect(try Self.texts("av", .level(0)) == [])
  }
}
