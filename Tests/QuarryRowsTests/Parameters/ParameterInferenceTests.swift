import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What parameters are by where they stand", .gated)
struct ParameterInferenceTests {
  static let schema = [
    "CREATE TABLE Artist(ArtistId INTEGER PRIMARY KEY, Name TEXT)",
    "CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title NVARCHAR(160), ArtistId INTEGER REFERENCES Artist, Released DATE)",
    "CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, AlbumId INTEGER REFERENCES Album, Price REAL, Kind TEXT, Cover BLOB, Any)",
    "CREATE INDEX TrackKind ON Track(Kind)", "CREATE UNIQUE INDEX TrackCode ON Track(Name)",
    "CREATE VIEW Cheap AS SELECT Name, Price FROM Track WHERE Price < 1",
    "CREATE TABLE Strict(a INT, b ANY, c TEXT) STRICT", "CREATE TABLE made(a INTEGER, b AS (a + 1), c TEXT)",
    "ATTACH ':memory:' AS other", "CREATE TABLE other.Track(Name REAL, Only TEXT)",
  ]

  private func parameters(_ sql: String) throws -> [StatementParameter] {
    let queue = try DatabaseQueue()
    return try queue.withoutTransaction { db in
      for statement in Self.schema { try db.execute(sql: statement) }
      return try db.parameters(of: sql)
    }
  }

  /// Returns the type of each parameter, and the column after a blank where there is one.
  private func inferred(_ sql: String) throws -> [String] {
    try parameters(sql).map { parameter in
      let type = parameter.type.map { "\($0)" } ?? "?"
      return parameter.column.map { "\(type) \($0.table.name).\($0.name)" } ?? type
    }
  }

  @Test(
    "comparisons with columns, on either side",
    arguments: [
      ("SELECT * FROM Track WHERE Price > :a", "real Track.Price"), ("SELECT * FROM Track WHERE :a <= Price", "real Track.Price"),
      ("SELECT * FROM Track t WHERE t.Price = ?", "real Track.Price"),
      ("SELECT * FROM Track AS t WHERE T.PRICE <> ?", "real Track.Price"),
      ("SELECT * FROM main.Track WHERE main.Track.Price == ?", "real Track.Price"),
      ("SELECT * FROM \"Track\" WHERE [Price] != ?", "real Track.Price"),
      ("SELECT * FROM Track WHERE Name IS :a", "text Track.Name"), ("SELECT * FROM Track WHERE Name IS NOT :a", "text Track.Name"),
      ("SELECT * FROM Track WHERE :a IS Name", "text Track.Name"), ("SELECT * FROM Track WHERE :a IS NOT Name", "text Track.Name"),
      ("SELECT * FROM Track WHERE Name IS NOT DISTINCT FROM :a", "text Track.Name"),
      ("SELECT * FROM Track WHERE Name IS DISTINCT FROM :a", "text Track.Name"),
      ("SELECT * FROM Track WHERE rowid = :a", "integer Track.rowid"), ("SELECT * FROM Track WHERE Price > -:a", "real Track.Price"),
      ("SELECT * FROM Track WHERE Price > (:a)", "real Track.Price"),
      ("SELECT * FROM Track WHERE (Price) > ((:a))", "real Track.Price"),
      ("SELECT * FROM Track WHERE Name COLLATE NOCASE = :a COLLATE RTRIM", "text Track.Name"),
      ("SELECT * FROM Track WHERE Cover = :a", "blob Track.Cover"), ("SELECT * FROM Track WHERE \"Any\" = :a", "? Track.Any"),
      ("SELECT * FROM Album WHERE Released >= :a", "date Album.Released"), ("SELECT * FROM Cheap WHERE Price < :a", "real Cheap.Price"),
      ("SELECT * FROM Strict WHERE b = :a", "? Strict.b"), ("SELECT * FROM other.Track WHERE Name = :a", "real Track.Name"),
      ("DELETE FROM Track WHERE Price < :a", "real Track.Price"),
      ("SELECT * FROM Track WHERE Price NOT BETWEEN 1 AND :a", "real Track.Price"),
      ("SELECT * FROM Track WHERE Kind IN (:a)", "text Track.Kind"),
      ("SELECT * FROM Track WHERE :a IN (SELECT Kind FROM Track)", "text Track.Kind"),
      ("SELECT * FROM Track WHERE (:a IS NULL OR Price > :a)", "real Track.Price"),
      ("SELECT * FROM Track WHERE :a = 0 OR Price > :a", "real Track.Price"),
      ("SELECT * FROM Track WHERE :a BETWEEN Price AND 3", "real Track.Price"),
      ("SELECT CASE Kind WHEN :a THEN 1 END FROM Track", "text Track.Kind"),
      ("SELECT CASE :a WHEN Kind THEN 1 END FROM Track", "text Track.Kind"),
      ("SELECT * FROM Track WHERE CASE WHEN Price = :a THEN 1 END", "real Track.Price"),
      ("SELECT * FROM Track WHERE Name LIKE :a", "text Track.Name"), ("SELECT * FROM Track WHERE Price LIKE :a", "text Track.Price"),
      ("SELECT * FROM Track WHERE coalesce(Price, 0) > :a", "real Track.Price"),
      ("SELECT * FROM Track WHERE Price = ifnull(:a, Price)", "real Track.Price"),
      ("SELECT * FROM Track GROUP BY Kind HAVING max(Price) > :a", "real Track.Price"),
      ("SELECT * FROM Track WHERE Price > (SELECT avg(Price) FROM Track WHERE Kind = :a)", "text Track.Kind"),
    ])
  func comparisons(_ sql: String, _ expected: String) throws {
    #expect(try inferred(sql) == [expected])
  }

  @Test(
    "several parameters, each by its own place",
    arguments: [
      ("SELECT * FROM Track WHERE Price BETWEEN :a AND :b AND Kind = :c", ["real Track.Price", "real Track.Price", "text Track.Kind"]),
      ("SELECT * FROM Track WHERE Kind NOT IN (:a, 'x', :b)", ["text Track.Kind", "text Track.Kind"]),
      ("SELECT * FROM Track t JOIN Album a USING (AlbumId) WHERE a.Title = ? AND Price > ?", ["text Album.Title", "real Track.Price"]),
      ("SELECT * FROM Track, Album WHERE Title = ? AND Kind = ?", ["text Album.Title", "text Track.Kind"]),
      ("SELECT * FROM (Track JOIN Album USING (AlbumId)) WHERE Title = ? AND Kind = ?", ["text Album.Title", "text Track.Kind"]),
      (
        "SELECT * FROM Track LEFT JOIN Album ON Album.AlbumId = Track.AlbumId AND Title = ? WHERE Price = ?",
        ["text Album.Title", "real Track.Price"]
      ),
      ("SELECT * FROM Track ORDER BY Name LIMIT :n OFFSET :o", ["integer", "integer"]),
      ("SELECT * FROM Track LIMIT :o, :n", ["integer", "integer"]),
      ("SELECT * FROM Track WHERE (Kind, Price) = (:a, :b)", ["text Track.Kind", "real Track.Price"]),
      ("SELECT * FROM Track WHERE (:a, :b) < (Kind, Price)", ["text Track.Kind", "real Track.Price"]),
      ("SELECT * FROM Track WHERE Kind = :a UNION ALL SELECT * FROM Track WHERE Price = :b", ["text Track.Kind", "real Track.Price"]),
      (
        "SELECT Kind FROM Track WHERE Kind = :a UNION SELECT Title FROM Album WHERE Released = :b",
        ["text Track.Kind", "date Album.Released"]
      ),
    ])
  func several(_ sql: String, _ expected: [String]) throws {
    #expect(try inferred(sql) == expected)
  }

  @Test(
    "values that are stored are what their columns are",
    arguments: [
      ("INSERT INTO Artist VALUES (:a, :b)", ["integer Artist.ArtistId", "text Artist.Name"]),
      (
        "INSERT INTO Artist(Name, ArtistId) VALUES (:a, :b), (:c, -:d)",
        ["text Artist.Name", "integer Artist.ArtistId", "text Artist.Name", "integer Artist.ArtistId"]
      ),
      ("INSERT OR REPLACE INTO main.Artist(Name) VALUES (lower(:a))", ["text"]),
      ("REPLACE INTO made VALUES (:a, :b)", ["integer made.a", "text made.c"]),
      ("INSERT INTO Artist(Name) SELECT :a WHERE NOT EXISTS (SELECT 1 FROM Artist WHERE Name = :a)", ["text Artist.Name"]),
      ("INSERT INTO Artist(Name) SELECT Title FROM Album WHERE Released > :a", ["date Album.Released"]),
      (
        "INSERT INTO Artist VALUES (:a, :b) ON CONFLICT (ArtistId) DO UPDATE SET Name = :c WHERE excluded.Name <> :d",
        ["integer Artist.ArtistId", "text Artist.Name", "text Artist.Name", "text Artist.Name"]
      ),
      ("UPDATE Track SET Price = :a, Kind = :b WHERE TrackId = :c", ["real Track.Price", "text Track.Kind", "integer Track.TrackId"]),
      ("UPDATE OR IGNORE Track AS t SET (Price, Kind) = (:a, :b)", ["real Track.Price", "text Track.Kind"]),
      ("UPDATE Track SET Price = Price * :a", ["numeric"]),
      (
        "UPDATE Track SET Kind = :a FROM Album WHERE Album.AlbumId = Track.AlbumId AND Title = :b", ["text Track.Kind", "text Album.Title"]
      ),
    ])
  func stored(_ sql: String, _ expected: [String]) throws {
    #expect(try inferred(sql) == expected)
  }

  @Test(
    "CTEs and sub-selects are looked into",
    arguments: [
      ("WITH r AS (SELECT * FROM Track WHERE Price > :a) SELECT * FROM r WHERE Kind = :b", ["real Track.Price", "text Track.Kind"]),
      ("WITH r(x, y) AS (SELECT Name, Price AS p FROM Track) SELECT * FROM r WHERE y = :a", ["real Track.Price"]),
      (
        "WITH r AS (SELECT Price p, count(*) AS n FROM Track GROUP BY 1) SELECT * FROM r AS q WHERE q.p = :a AND n > :b",
        ["real Track.Price", "integer"]
      ),
      ("SELECT * FROM (SELECT t.Price AS p, t.* FROM Track t) d WHERE d.p = :a AND d.Kind = :b", ["real Track.Price", "text Track.Kind"]),
      (
        "SELECT * FROM Album a WHERE EXISTS (SELECT 1 FROM Track WHERE Track.AlbumId = a.AlbumId AND Title = :a AND Kind = :b)",
        ["text Album.Title", "text Track.Kind"]
      ),
      ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < :a) SELECT * FROM n", ["numeric"]),
      ("WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x FROM n LIMIT 3) SELECT * FROM n WHERE x = :a", ["?"]),
      ("SELECT count(*) AS n FROM Track GROUP BY Kind HAVING n > :a", ["integer"]),
    ])
  func nested(_ sql: String, _ expected: [String]) throws {
    #expect(try inferred(sql) == expected)
  }

  @Test(
    "functions and operators tell what they take and give",
    arguments: [
      ("SELECT substr(Name, :a, :b) FROM Track", ["integer", "integer"]),
      ("SELECT round(:a, :b), abs(:c)", ["numeric", "integer", "numeric"]),
      ("SELECT * FROM Track WHERE length(Name) > :a", ["integer"]), ("SELECT * FROM Album WHERE date(Released) = :a", ["date"]),
      ("SELECT date(:a, :b), strftime(:c, :d)", ["date", "text", "text", "date"]),
      ("SELECT * FROM Track WHERE Name LIKE '%' || :a || '%'", ["text"]),
      ("SELECT Name || :a FROM Track", ["text"]), ("SELECT :a || '/' || :a", ["text"]),
      ("WITH t(n) AS (SELECT :n UNION ALL SELECT n + 1 FROM t WHERE n < :to) SELECT sum(n), :n || '/' || :to FROM t", ["?", "?"]),
      ("SELECT :a || Name FROM Track WHERE Price > :a", ["real Track.Price"]), ("SELECT * FROM Track WHERE Price > :a * 2", ["numeric"]),
      ("SELECT CAST(:a AS INTEGER)", ["integer"]),
      ("SELECT * FROM Track WHERE Name LIKE 'a' ESCAPE :a", ["text"]), ("SELECT * FROM Track WHERE Price + 1 > :a", ["numeric"]),
      ("SELECT :a", ["?"]), ("SELECT * FROM Track WHERE :a", ["?"]), ("SELECT coalesce(:a, NULL)", ["?"]),
      ("SELECT unknown_to_us.a FROM (SELECT :a AS a) AS unknown_to_us", ["?"]),
      ("SELECT * FROM Album WHERE '2024-01-01' < :a", ["date"]), ("SELECT sum(Price) OVER (ROWS :a PRECEDING) FROM Track", ["integer"]),
      ("SELECT 1 FROM Track GROUP BY Kind HAVING count(*) FILTER (WHERE Kind = :a) > :b", ["text Track.Kind", "integer"]),
      ("SELECT * FROM Track WHERE :a = Price OR :a = Name", ["? Track.Price"]),
      ("SELECT * FROM Track WHERE :a = Price OR :a = TrackId", ["numeric Track.Price"]),
      ("VACUUM INTO :a", ["text"]),
    ])
  func functions(_ sql: String, _ expected: [String]) throws {
    #expect(try inferred(sql) == expected)
  }

  @Test("a list that json_each takes is JSON")
  func lists() throws {
    let parameter = try #require(parameters("SELECT * FROM Track WHERE TrackId IN (SELECT value FROM json_each(:ids))").first)
    #expect(parameter.valueType == .json)
    #expect(parameter.declaredType == nil)
    #expect(parameter.expectation == "JSON")
  }

  @Test(
    "values to choose from come from foreign keys and indexes",
    arguments: [
      ("SELECT * FROM Track WHERE AlbumId = :a", ParameterChoices.column(TableReference(name: "Track"), "AlbumId")),
      ("SELECT * FROM Track WHERE Kind = :a", .column(TableReference(name: "Track"), "Kind")),
      ("SELECT * FROM Track WHERE trackid = :a", .column(TableReference(name: "Track"), "TrackId")),
      ("SELECT * FROM Track WHERE Price = :a", nil), ("SELECT * FROM Track LIMIT :a", nil),
      ("INSERT INTO Track(AlbumId) VALUES (:a)", .column(TableReference(name: "Album"), "AlbumId")),
      ("INSERT INTO Track(Kind) VALUES (:a)", .column(TableReference(name: "Track"), "Kind")),
      ("INSERT INTO Track(Name) VALUES (:a)", nil), ("INSERT INTO Track(TrackId) VALUES (:a)", nil),
      ("UPDATE Track SET AlbumId = :a", .column(TableReference(name: "Album"), "AlbumId")),
    ] as [(String, ParameterChoices?)])
  func choices(_ sql: String, _ expected: ParameterChoices?) throws {
    #expect(try parameters(sql).map(\.choices) == [expected])
  }

  @Test(
    "a value that no other row may have is a new one where it is stored, and one of those that are there where it is compared",
    arguments: [
      ("INSERT INTO Track(TrackId) VALUES (:a)", true), ("UPDATE Track SET TrackId = :a", true),
      ("SELECT * FROM Track WHERE TrackId = :a", false), ("INSERT INTO Track(AlbumId) VALUES (:a)", false),
      ("INSERT INTO Track(Kind) VALUES (:a)", false),
    ])
  func newValues(_ sql: String, isNew: Bool) throws {
    #expect(try parameters(sql).map(\.isNew) == [isNew])
  }

  @Test("what reads itself, or nests without end, ends")
  func depth() throws {
    #expect(try inferred("SELECT " + String(repeating: "(", count: 60) + ":a" + String(repeating: ")", count: 60)) == ["?"])
    #expect(
      try inferred("SELECT * FROM Track WHERE " + String(repeating: "(", count: 60) + "Price" + String(repeating: ")", count: 60) + " = :a")
        .count == 1)
    let chain = (1...45).map { "c\($0) AS MATERIALIZED (SELECT coalesce(z, z, z) AS z FROM c\($0 - 1))" }.joined(separator: ", ")
    #expect(try inferred("WITH c0 AS (SELECT NULL AS z), \(chain) SELECT * FROM c45 WHERE z = :a") == ["?"])
  }
}
