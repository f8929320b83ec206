import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import Terminal
import TestSupport
import Testing

@Suite("The import of a file", .gated)
struct ImportScreenTests {
  private static let people = [
    "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER)",
    "INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Grace', 85)",
  ]

  /// What a test plays on: the folder of the database, and another connection to it.
  struct Stage: Sendable {
    let folder: URL
    let other: DatabaseQueue

    /// Writes a file into the folder; returns its path.
    func write(_ text: String, to name: String) throws -> String {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      return file.path
    }

    /// Returns the rows of a table, a text each: the values as SQL, with commas between them.
    func rows(of table: String, _ columns: String) throws -> [String] {
      let list = columns.split(separator: ",").map { "quote(\($0))" }.joined(separator: " || ',' || ")
      return try other.read { db in try String.fetchAll(db, sql: "SELECT \(list) FROM \(table)") }
    }
  }

  /// Plays on a table of two people, with the keys in the grid.
  private func play(refusal: String? = nil, _ body: @escaping @Sendable (SessionDriver, Stage) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.people[0], Self.people[1])
      let stage = Stage(folder: folder, other: try DatabaseQueue(path: path))
      try await onOwnThread {
        let changes = ChangeLogFolder(path: folder.appending(path: "changes").path)
        let driver = try SessionDriver(path: path, refusal: refusal, changes: changes)
        driver.play(["tab"])
        try body(driver, stage)
      }
    }
  }

  /// Has a file read.
  private static func read(_ path: String, _ driver: SessionDriver) { driver.play(["I", "'\(path)'", "enter"]) }

  @Test("a newcomer sees why a column has no place, maps it to the near name, imports, and takes it back")
  func newcomer() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("id,nmae,age\n3,Ken,75\n4,Alan,41\n", to: "people.csv"), driver)
      driver.screen.expectLine("→ no column (name?)")
      driver.play(["f5"])
      driver.screen.expectLine("“nmae” is not a column of person: did you mean name?")
      #expect(try stage.rows(of: "person", "id").count == 2)
      driver.play(["G k enter"])
      driver.screen.expectLine("similar name")
      driver.play(["enter"])
      #expect(driver.screen.contains(/nmae +→ name +TEXT +Ken +Alan/), "\(driver.screen)")
      driver.play(["f5"])
      driver.screen.expectLine("imported 2 rows into person: gu u undoes it")
      #expect(try stage.rows(of: "person", "id,name,age") == ["1,'Ada',36", "2,'Grace',85", "3,'Ken',75", "4,'Alan',41"])
      driver.screen.expectLine("Alan")
      #expect(!driver.browser.hasTopScreen, "\(driver.screen)")
      driver.play(["g u u"])
      #expect(try stage.rows(of: "person", "id") == ["1", "2"])
    }
  }

  @Test("makes a new table, whose name, types and columns can be chosen, and opens it")
  func newTable() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("zip,price,drop,note\n007,1.5,x,\n123,2.25,y,z\n", to: "town halls.csv"), driver)
      driver.screen.expectLine("‹a new table›")
      driver.screen.expectLine("town halls")
      #expect(driver.screen.contains(/zip +→ zip +TEXT +'007' +'123'/), "\(driver.screen)")
      #expect(driver.screen.contains(/price +→ price +REAL +1.5 +2.25/), "\(driver.screen)")
      driver.play(["G k space"])
      #expect(driver.screen.contains(/drop +→ skipped/), "\(driver.screen)")
      driver.play(["k t t"])
      #expect(driver.screen.contains(/price +→ price +TEXT +'1.5' +'2.25'/), "\(driver.screen)")
      driver.play(["g g j j enter ctrl-u", "'hall'", "f5"])
      driver.screen.expectLine("imported 2 rows into hall: gu u undoes it")
      #expect(try stage.rows(of: "hall", "zip,price,note") == ["'007','1.5',NULL", "'123','2.25','z'"])
      #expect(driver.browser.workspace.grid?.rowSet.sourceTable == TableReference(name: "hall"))
    }
  }

  @Test(
    "goes to the table on the screen by itself only where its columns do",
    arguments: [
      ("id,name,age\n3,Ken,75\n", "person"), ("ID,town\n3,Ulm\n", "person"), ("id,town,zip\n3,Ulm,1\n", "a new table"),
      ("3,Ken,75\n", "person"), ("[]", "person"),
    ])
  func defaultTarget(text: String, target: String) async throws {
    try await play { driver, stage in
      Self.read(try stage.write(text, to: text == "[]" ? "a.json" : "a.csv"), driver)
      driver.screen.expectLine("‹\(target)›")
      // What a person has chosen stays.
      driver.play(["right"])
      driver.screen.expectLine(target == "person" ? "‹a new table›" : "‹person›")
    }
  }

  @Test("an export is read into its own table only where it is said what becomes of the rows that are there")
  func ownExport() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("\"id\",\"name\",\"age\"\n1,\"Ada\",36\n", to: "person.csv"), driver)
      driver.play(["f5"])
      #expect(driver.screen.contains("there is already a row with id 1"), "\(driver.screen)")
      #expect(driver.screen.contains("choose above"), "\(driver.screen)")
    }
  }

  @Test("a file that is not UTF-8 is read once it is said how it is encoded")
  func encoding() async throws {
    try await play { driver, stage in
      let file = stage.folder.appending(path: "latin.csv")
      try Data([UInt8]("id,name\n3,Zo".utf8) + [0xEB, 0x0A]).write(to: file)
      Self.read(file.path, driver)
      driver.screen.expectLine("character. Choose its encoding above. It may be Latin-1.")
      driver.play(["down down right"])
      driver.screen.expectLine("‹Latin-1›")
      driver.screen.expectLine("Zoë")
      driver.play(["f5"])
      #expect(try stage.rows(of: "person", "id,name").last == "3,'Zoë'")
    }
  }

  @Test("the undo of a new table goes back to the table before it, and the undo of that to the new one")
  func undoneNewTable() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("zip\n007\n123\n", to: "town.csv"), driver)
      driver.play(["f5"])
      #expect(driver.browser.workspace.grid?.rowSet.sourceTable == TableReference(name: "town"), "\(driver.screen)")
      driver.play(["g u u"])
      driver.screen.expectLine("undone: 2 deleted, town (dropped); this is commit 2, which can be undone too")
      driver.play(["escape"])
      #expect(driver.browser.workspace.grid?.rowSet.sourceTable == TableReference(name: "person"), "\(driver.screen)")
      driver.screen.expectLine("Grace")
      #expect(!driver.screen.contains("no such table"), "\(driver.screen)")
      driver.play(["g u u"])
      driver.screen.expectLine("undone: 2 new, town (new); this is commit 3, which can be undone too")
      driver.play(["escape"])
      driver.screen.expectLine("007")
      driver.screen.expectLine("row 1 of 2")
      // Going back leads over rows of a table that is there.
      driver.play(["g u u escape", "ctrl-o ctrl-o"])
      #expect(driver.browser.workspace.grid?.rowSet.sourceTable == TableReference(name: "person"), "\(driver.screen)")
      #expect(!driver.screen.contains("no such table"), "\(driver.screen)")
    }
  }

  @Test("the undo of the only table leaves none, and that of a table without rows before it opens the first one")
  func undoneOnlyTable() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE other(id)", "DROP TABLE other")
      let file = folder.appending(path: "town.csv")
      try Data("zip\n007\n".utf8).write(to: file)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, changes: ChangeLogFolder(path: folder.appending(path: "changes").path))
        Self.read(file.path, driver)
        driver.play(["f5"])
        driver.screen.expectLine("imported 1 row into town: gu u undoes it")
        driver.play(["g u u"])
        driver.screen.expectLine("town (dropped)")
        #expect(driver.browser.workspace.grid == nil, "\(driver.screen)")
        driver.play(["escape"])
        driver.screen.expectLine("This database has no tables yet.")
        driver.play(["g u u escape"])
        #expect(driver.browser.workspace.grid?.rowSet.sourceTable == TableReference(name: "town"), "\(driver.screen)")
      }
    }
  }

  @Test("gives columns of a new table other names")
  func columnNames() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("zip,price\n007,1.5\n", to: "halls.csv"), driver)
      driver.play(["right G r"])
      driver.screen.expectLine("columns can be renamed only in a new table")
      driver.play(["g g j right G r ctrl-u", "'cost in €'", "enter"])
      #expect(driver.screen.contains(/price +→ cost in € +REAL +1.5/), "\(driver.screen)")
      driver.play(["f5"])
      #expect(try stage.rows(of: "halls", "zip,\"cost in €\"") == ["'007',1.5"])
    }
  }

  @Test("lists the tables of a JSON file, and calls a new one as that which is chosen")
  func tablesInFile() async throws {
    try await play { driver, stage in
      Self.read(try stage.write(#"{"users": [{"id": 1}], "orders": [{"id": 10, "sum": 3.5}]}"#, to: "shop.json"), driver)
      driver.screen.expectLine("‹users›  orders")
      driver.play(["right"])
      #expect(driver.screen.contains(/named +users/), "\(driver.screen)")
      driver.play(["k enter"])
      driver.screen.expectLine("Table in the file")
      driver.play(["down enter"])
      driver.screen.expectLine("users  ‹orders›")
      #expect(driver.screen.contains(/named +orders/), "\(driver.screen)")
      #expect(driver.screen.contains(/sum +→ sum +REAL +3.5/), "\(driver.screen)")
      driver.play(["f5"])
      #expect(try stage.rows(of: "orders", "id,sum") == ["10,3.5"])
    }
  }

  @Test("goes to the first column without a place where the import is begun too early, and lists free columns before taken ones")
  func unplaced() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("id,who\n3,Ken\n", to: "people.csv"), driver)
      driver.play(["f5"])
      driver.screen.expectLine("who has no target column yet: ⏎ chooses one, - skips it")
      driver.play(["enter"])
      #expect(driver.screen.contains(/▌ name/), "\(driver.screen)")
      driver.play(["enter f5"])
      #expect(try stage.rows(of: "person", "id,name,age") == ["1,'Ada',36", "2,'Grace',85", "3,'Ken',NULL"])
    }
  }

  @Test("finds separator and header, and reads the file again where another one is chosen")
  func dialect() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("id;name;age\n3;Ken, Jr.;75\n", to: "people.csv"), driver)
      driver.screen.expectLine("‹semicolon ;›")
      driver.screen.expectLine("‹yes›")
      #expect(driver.screen.contains(/name +→ name +TEXT +Ken, Jr\./), "\(driver.screen)")
      driver.play(["down left"])
      driver.screen.expectLine("‹comma ,›")
      #expect(!driver.screen.contains(/name +→ name/), "\(driver.screen)")
    }
  }

  @Test("updates rows whose key is there, where that is chosen")
  func conflicts() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("id,name,age\n2,Grace Hopper,85\n3,Ken,75\n", to: "people.csv"), driver)
      driver.play(["f5"])
      driver.screen.expectLine(beginning: "line 2:")
      #expect(driver.screen.contains("nothing was imported"), "\(driver.screen)")
      #expect(try stage.rows(of: "person", "id").count == 2)
      let steps = try #require(driver.browser.top(ImportScreen.self)).lines.firstIndex(of: .conflicts)
      driver.play(["g g"] + Array(repeating: "j", count: steps ?? 0) + ["left f5"])
      driver.screen.expectLine("imported 2 rows into person (1 updated): gu u undoes it")
      #expect(try stage.rows(of: "person", "id,name") == ["1,'Ada'", "2,'Grace Hopper'", "3,'Ken'"])
    }
  }

  @Test("lists rows that fail with their lines and reasons, and imports the others, where that is chosen")
  func rejects() async throws {
    try await play { driver, stage in
      Self.read(try stage.write("id,name,age\n3,Ken,75\n4,,41\n5,Alan\n6,Edsger,72\n", to: "people.csv"), driver)
      #expect(driver.screen.contains(/line 4: .*2 fields/), "\(driver.screen)")
      let steps = try #require(driver.browser.top(ImportScreen.self)).lines.firstIndex(of: .failing)
      driver.play(["g g"] + Array(repeating: "j", count: steps ?? 0) + ["right f5"])
      #expect(try stage.rows(of: "person", "id") == ["1", "2", "3", "6"])
      driver.screen.expectLine("imported 2 rows into person (2 rejected): gu u undoes it")
      driver.screen.expectLine("Rejected rows")
      #expect(driver.screen.contains(/line 3 .*NOT NULL/) && driver.screen.contains(/line 4 .*2 fields/), "\(driver.screen)")
      let kept = try String(contentsOf: stage.folder.appending(path: "people.rejects.csv"), encoding: .utf8)
      #expect(kept.contains("Alan") && !kept.contains("Edsger"))
      // Those of another import go to another file.
      driver.play(["escape"])
      Self.read(try stage.write("id,name,age\n7,,1\n", to: "people.csv"), driver)
      driver.play(["g g"] + Array(repeating: "j", count: steps ?? 0) + ["right"])
      driver.screen.expectLine("people-2.rejects.csv")
      driver.play(["f5"])
      #expect(try String(contentsOf: stage.folder.appending(path: "people.rejects.csv"), encoding: .utf8) == kept)
      #expect(try String(contentsOf: stage.folder.appending(path: "people-2.rejects.csv"), encoding: .utf8).contains("NOT NULL"))
    }
  }

  @Test("says why a file cannot be read, and takes another one", arguments: ["missing.csv", "", "empty.csv", "test.db"])
  func unreadable(name: String) async throws {
    try await play { driver, stage in
      _ = try stage.write("", to: "empty.csv")
      Self.read("\(stage.folder.path)/\(name)", driver)
      let screen = try #require(driver.browser.top(ImportScreen.self))
      #expect(screen.preview == nil && screen.problem != nil && screen.line == .path, "\(driver.screen)")
      let good = try stage.write("id\n3\n", to: "good.csv")
      driver.play(["ctrl-u", "'\(good)'", "enter"])
      #expect(driver.screen.contains(/id +→ id/), "\(driver.screen)")
    }
  }

  @Test("completes the path by Tab")
  func completion() async throws {
    try await play { driver, stage in
      _ = try stage.write("id\n3\n", to: "people.csv")
      driver.play(["I", "'\(stage.folder.path)/peo'", "tab enter"])
      #expect(driver.screen.contains(/id +→ id/), "\(driver.screen)")
    }
  }

  @Test("is refused with the reason where nothing may be written")
  func readOnly() async throws {
    try await play(refusal: "the database is open read-only") { driver, _ in
      driver.play(["I"])
      driver.screen.expectLine("the database is open read-only")
      #expect(!driver.browser.hasTopScreen, "\(driver.screen)")
    }
  }

  @Test("has the path of a file pasted, and a click on a choice")
  func mouse() async throws {
    try await play { driver, stage in
      driver.play(["I"])
      driver.send([.paste(try stage.write("id,name\n3,Ken\n", to: "people.csv"))])
      driver.play(["enter"])
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains("a new table") })
      let column = try #require(
        lines[row].firstRange(of: "a new table").map { lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound) })
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: column, row: row)))])
      driver.screen.expectLine("‹a new table›")
    }
  }

  @Test("tells its progress, is stopped by ^C with nothing written, and keeps the program until then")
  func progress() throws {
    var browser = BrowserFixture.openBrowser()
    browser.begin(ImportFile(plan: ImportPlan(path: "/tmp/a.csv", into: .existing(BrowserFixture.songs))))
    browser.reportImport(bytes: 25, of: 100, rows: 1_200, after: .seconds(1))
    browser.screen.expectLine("importing a.csv: 1,200 rows, 25 %, 25 B/s, 3 s left")
    // Esc is pressed for many reasons, and an import costs too much to be begun again by mistake.
    let id = try #require(browser.outstanding(ImportFile.self).first?.id)
    // The first one ends the reading of rows.
    let escaped = browser.press("escape") + browser.press("escape")
    #expect(!escaped.contains { if case .cancel(id) = $0 { true } else { false } })
    browser.screen.expectLine("importing a.csv continues: ^C stops it")
    browser.press("ctrl-q")
    browser.screen.expectLine("a file is being imported: ^C stops it")
    #expect(!browser.hasEnded, "\(browser.screen)")
    let effects = browser.press("ctrl-c")
    #expect(effects.contains { if case .cancel = $0 { true } else { false } })
    browser.answer(ImportFile.self, .failure(.stopped))
    browser.screen.expectLine("stopped: nothing was imported")
    browser.press("ctrl-q")
    #expect(browser.hasEnded)
  }
}
