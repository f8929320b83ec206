import Browser
import TestSupport
import Testing

@Suite("The room of catalog and grid", .gated)
struct RoomTests {
  /// Plays on a table like that of a music library's tracks.
  private func play(columns: Int, rows: Int, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder,
        """
        CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200), AlbumId INTEGER REFERENCES Album(AlbumId), MediaTypeId INTEGER,
          GenreId INTEGER, Composer NVARCHAR(220), Milliseconds INTEGER, Bytes INTEGER, UnitPrice NUMERIC(10,2))
        """,
        "CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title TEXT)", "INSERT INTO Album VALUES (1, 'x')",
        """
        INSERT INTO Track WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          SELECT i, 'For Those About To Rock (We Salute You)', 1, 2, 3, 'Angus Young, Malcolm Young, Brian Johnson',
          343719, 11170334, 0.99 FROM n
        """)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows)
        driver.press("ctrl-p")
        driver.type("Track")
        driver.press("enter")
        try body(driver)
      }
    }
  }

  private static let names = ["TrackId", "Name", "AlbumId", "MediaTypeId", "GenreId", "Composer", "Milliseconds", "Bytes", "UnitPrice"]

  /// The names as the header shows at least their beginnings: values get the width first.
  private static let beginnings = names.map { String($0.prefix(4)) }

  private static func header(_ driver: SessionDriver) -> String {
    String(driver.screen.split(separator: "\n", omittingEmptySubsequences: false)[1])
  }

  @Test("80×24 shows six of nine columns with the catalog folded away, 160 columns all nine beside it")
  func columns() async throws {
    try await play(columns: 80, rows: 24) { driver in
      #expect(Self.beginnings.prefix(6).allSatisfy(Self.header(driver).contains), "\(driver.screen)")
      #expect(!driver.screen.contains("▾ Tables"))
    }
    try await play(columns: 160, rows: 24) { driver in
      #expect(Self.beginnings.allSatisfy(Self.header(driver).contains), "\(driver.screen)")
      driver.screen.expectLine("▾ Tables")
    }
  }

  @Test("below 100 columns the catalog comes with the keys and goes with them, unless it is wanted")
  func folding() async throws {
    try await play(columns: 80, rows: 24) { driver in
      driver.press("tab")
      driver.screen.expectLine("▾ Tables")
      driver.press("tab")
      #expect(!driver.screen.contains("▾ Tables"))
      driver.press("g c")
      driver.screen.expectLine("▾ Tables")
      #expect(driver.browser.focus == .rows)
      driver.press("g c")
      #expect(!driver.screen.contains("▾ Tables"))
    }
  }

  @Test("the catalog is as wide as its names and counts need, and hides no column of the grid for more")
  func catalog() async throws {
    try await play(columns: 120, rows: 24) { driver in
      let border = Self.header(driver).firstIndex(of: "│").map {
        Self.header(driver).distance(from: Self.header(driver).startIndex, to: $0)
      }
      #expect(border.map { $0 < 20 } ?? false, "\(driver.screen)")
    }
  }
}
