import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("The Swift file of a view", .gated) struct SwiftFileTests {
  private static let schema = """
    CREATE TABLE Artist(ArtistId INTEGER PRIMARY KEY, Name TEXT);
    CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title TEXT NOT NULL, ArtistId INTEGER NOT NULL REFERENCES Artist);
    CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT NOT NULL, AlbumId INTEGER REFERENCES Album, Milliseconds INTEGER NOT NULL,
      UnitPrice NUMERIC(10,2), "count" INTEGER, "class" TEXT);
    """

  /// Returns the file of a view of a table.
  private func text(
    _ table: String, _ view: RowView, matching: [ColumnMatch] = [], showing names: [String], sample: [[CellValue]] = [],
    schema: String = schema
  ) async throws -> String {
    let queue = try makeDatabase(schema)
    let reference = TableReference(name: table)
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(reference), in: $0) }
    let computed = try view.columns.map { RowSetColumn(try ColumnExpression.compile($0, columns: columns)) }
    let shown = names.map { RowSetColumn(name: $0, schema: nil) } + computed
    return try SwiftFile(
      RowSet(.table(reference), matching: matching), view, columns: columns, shown: shown, sample: sample, path: "chinook.db"
    ).text
  }

  @Test("declares the tables and the query")
  func whole() async throws {
    let view = RowView(
      filter: "Milliseconds > :least and AlbumId.ArtistId.Name ~ 'AC/DC'", sort: "-UnitPrice",
      arguments: [":least": .integer(300_000)], columns: ["Milliseconds / 60000.0", "AlbumId.Title"])
    #expect(
      try await text("Track", view, showing: ["Name", "UnitPrice"])
        == #"""
        import QuarryEngine

        // let queue = try DatabaseQueue(path: "chinook.db")
        // let rows = try queue.read { db in try trackRows(db) }

        struct Track: Table {
          static let tableName = "Track"
          struct Columns {
            let trackId = Column<Int>("TrackId")
            let name = Column<String>("Name")
            let albumId = Column<Int?>("AlbumId")
            let milliseconds = Column<Int>("Milliseconds")
            let unitPrice = Column<Number?>("UnitPrice")
            let countColumn = Column<Int?>("count")
            let `class` = Column<String?>("class")
          }
          static let columns = Columns()
        }

        struct Album: Table {
          static let tableName = "Album"
          struct Columns {
            let albumId = Column<Int>("AlbumId")
            let title = Column<String>("Title")
            let artistId = Column<Int>("ArtistId")
          }
          static let columns = Columns()
        }

        struct Artist: Table {
          static let tableName = "Artist"
          struct Columns {
            let artistId = Column<Int>("ArtistId")
            let name = Column<String?>("Name")
          }
          static let columns = Columns()
        }

        /// An expression used as one of another type, because SQLite compares values of all types.
        struct Retyped<Value: QueryOperand>: QueryExpression {
          typealias QueryValue = Value
          typealias Output = Value?
          let expression: any QueryExpression
          init(_ expression: any QueryExpression) { self.expression = expression }
          var parenthesization: Parenthesization { expression.parenthesization }
          func write(to sql: inout SQLWriter) { sql.append(expression) }
        }

        /// Returns the rows of Track that match the filter `Milliseconds > :least and AlbumId.ArtistId.Name ~ 'AC/DC'`, sorted by `-UnitPrice`.
        func trackRows(_ db: Database, least: Int = 300_000) throws -> [(String, Number?, Double?, String?)] {
          try Track
            .where { $0.milliseconds > least }
            .where { track in
              let value = Album.where { $0.albumId == track.albumId }.select { album in
                Artist.where { $0.artistId == album.artistId }.select { $0.name }
              }
              return value.like("%AC/DC%", escape: "\\")
            }
            .order { ($0.unitPrice.desc(), $0.trackId) }
            .select { track in
              let value = Album.where { $0.albumId == track.albumId }.select { $0.title }
              return (track.name, track.unitPrice, Retyped<Double>(track.milliseconds) / 60000.0, value)
            }
            .fetchAll(db)
        }

        """#)
  }

  @Test("has the value of a followed foreign key, and no values of parameters that are dates or NULL")
  func matching() async throws {
    let text = try await text(
      "Album", RowView(filter: "Title = :title", arguments: [":title": .null]),
      matching: [ColumnMatch(column: "ArtistId", value: .integer(7))],
      showing: ["Title"])
    #expect(text.contains(".where { $0.artistId.is(7) }\n"))
    #expect(text.contains("func albumRows(_ db: Database) throws -> [String] {"), "\(text)")
  }

  @Test("gives a column that holds values of other types the type of all values")
  func misfits() async throws {
    let cells: [[CellValue]] = [[.integer(1), .integer(5)], [.integer(2), .text("long", byteCount: 4, isValid: true)]]
    let text = try await text("Track", RowView(filter: "Milliseconds > 3"), showing: ["TrackId", "Milliseconds"], sample: cells)
    #expect(text.contains("let milliseconds = Column<DatabaseValue>(\"Milliseconds\")"))
    #expect(text.contains(".where { $0.milliseconds > .integer(3) }"))
    #expect(text.contains("throws -> [(Int, DatabaseValue)]"))
  }

  @Test(
    "writes as SQL what the query builder has no function for",
    arguments: [
      ("hex(Name) = '00FF'", "SQLExpression<String>(\"hex(Name)\") == \"00FF\""),
      ("strftime('%Y', Name) = :year", "SQLExpression<String>(\"strftime(\\(\"%Y\"), Name)\") == year"),
      ("min(Milliseconds, :least) = 3", "SQLExpression<DatabaseValue>(\"min(Milliseconds, \\(least))\") == .integer(3)"),
    ])
  func sql(filter: String, code: String) async throws {
    let view = RowView(filter: filter, arguments: [":year": .text("2020"), ":least": .integer(9)])
    let text = try await text("Track", view, showing: ["TrackId"])
    #expect(text.contains(code), "\(text)")
    #expect(text.contains("struct SQLExpression<Value: QueryOperand>: QueryExpression {"))
  }

  @Test("escapes texts, also in comments")
  func texts() async throws {
    let text = try await text("Track", RowView(filter: "Name = 'a\"b\\\n\u{1B}[31m'"), showing: ["TrackId"])
    #expect(text.contains(#"$0.name == "a\"b\\\n\u{1b}[31m""#), "\(text)")
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains(#"`Name = 'a"b\ \u{1b}[31m'`"#), "\(text)")
  }

  @Test("names tables and columns apart from each other, and from Swift's own types")
  func names() async throws {
    let schema = #"CREATE TABLE "Row"("a b" TEXT, "a_b" TEXT, "aB" TEXT, "" TEXT, "1st" TEXT, "é" TEXT, "URLText" TEXT, "self" TEXT)"#
    let text = try await text("Row", RowView(), showing: ["a b", "aB"], schema: schema)
    let names = text.matches(of: #/let (\S+) = Column</#).map { String($0.output.1) }
    #expect(names == ["aB", "aBColumn", "aB3", "column", "column1st", "é", "urlText", "selfColumn", "rowid"])
    #expect(text.contains("struct RowTable: Table {") && text.contains(".order { $0.rowid }"))
  }
}
