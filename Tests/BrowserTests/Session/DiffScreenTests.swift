import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarrySources
import Terminal
import TestSupport
import Testing

/// The comparison of two databases on the screen.
@Suite(.gated) struct DiffScreenTests {
  private static let old = """
    CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
    CREATE TABLE same(id INTEGER PRIMARY KEY, v);
    INSERT INTO same VALUES (1, 'x');
    INSERT INTO city VALUES (1, 'Dresden', 563311), (2, 'Wien', 2028289), (3, 'Lausanne', 140000);
    CREATE TABLE river(name TEXT PRIMARY KEY, length REAL);
    INSERT INTO river VALUES ('Elbe', 1094.0), ('Donau', 2857.0);
    """
  private static let new = """
    CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
    CREATE TABLE same(id INTEGER PRIMARY KEY, v);
    INSERT INTO same VALUES (1, 'x');
    INSERT INTO city VALUES (1, 'Dresden', 571510), (3, 'Lausanne', 140000), (4, '京都', 1400000);
    CREATE TABLE river(name TEXT PRIMARY KEY, length REAL);
    INSERT INTO river VALUES ('Elbe', 1112.0), ('Donau', 2857.0);
    CREATE INDEX city_by_name ON city(name);
    """

  /// Plays on the comparison of two databases, which is the only screen.
  private func play(
    _ old: String = old, _ new: String = new, columns: Int = 100,
    subject change: @escaping @Sendable (inout DiffSubject) -> Void = { _ in },
    _ body: @escaping @Sendable (SessionDriver, _ folder: URL) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      for (name, sql) in [("old.db", old), ("new.db", new)] {
        try await DatabaseQueue(path: folder.appending(path: name).path).withoutTransaction { try $0.execute(sql: sql) }
      }
      try await onOwnThread {
        var storage = Storage()
        storage.comparing = .files(current: nil)
        var subject = DiffSubject(
          DiffSubject.Place(name: "old.db", path: folder.appending(path: "old.db").path),
          DiffSubject.Place(name: "new.db", path: folder.appending(path: "new.db").path))
        change(&subject)
        try body(
          SessionDriver(source: NoDatabase(), columns: columns, rows: 24, storage: storage, first: .diff(subject)), folder)
      }
    }
  }

  private func screen(_ driver: SessionDriver) throws -> ComparisonState { try #require(driver.comparison) }

  private func line(_ driver: SessionDriver, _ beginning: String) -> String? {
    driver.screen.split(separator: "\n").map(String.init).first { $0.contains(beginning) }
  }

  @Test func `the tables are listed with their counts, those that are the same last`() async throws {
    try await play { driver, _ in
      try #expect(screen(driver).entries == ["schema", "city", "river", "same"])
      #expect(line(driver, "city ")?.contains("≠ +1 −1 ~1") == true)
      #expect(line(driver, "river ")?.contains("~1") == true)
      #expect(line(driver, "same ")?.contains("same") == true)
      #expect(driver.screen.contains("2 of 3 tables differ"))
    }
  }

  @Test func `n and N go through the changes of the schema and of all tables`() async throws {
    try await play { driver, _ in
      var places: [String] = []
      func note() throws {
        let screen = try screen(driver)
        places.append("\(screen.table ?? "schema") \(screen.position)")
      }
      for _ in 0..<5 {
        driver.press("n")
        try note()
      }
      #expect(places == ["schema 0", "city 0", "city 1", "city 2", "river 0"])
      driver.press("n")
      #expect(driver.browser.notice?.text == "this is the last change")
      driver.press("N")
      try note()
      #expect(places.last == "city 2")
    }
  }

  @Test func `a changed row has its new values below the old ones, or beside them`() async throws {
    try await play { driver, _ in
      driver.press("j n")
      #expect(line(driver, "563311")?.contains("~") == true)
      #expect(line(driver, "571510")?.contains("→") == true)
      #expect(line(driver, "Wien")?.contains("−") == true)
      #expect(line(driver, "京都")?.contains("+") == true)
      driver.press("v")
      #expect(line(driver, "563311")?.contains("571510") == true)
    }
  }

  @Test func `the last line shows keys only where they have an effect`() async throws {
    try await play { driver, _ in
      func hints() -> String { driver.screen.split(separator: "\n").last.map(String.init) ?? "" }
      #expect(!hints().contains("layout"), "the schema is always unified")
      driver.press("v")
      #expect(driver.browser.notice?.text == "definitions are always unified: select a table to see its rows side by side")
      driver.press("j n")
      #expect(hints().contains("v layout") && hints().contains("⏎ open"), "\(hints())")
      driver.press("enter")
      #expect(!hints().contains("layout") && !hints().contains("open"), "\(hints())")
      driver.press("v")
      #expect(driver.browser.notice?.text == "a record always has old and new side by side")
    }
  }

  @Test func `long definitions are wrapped`() async throws {
    let sql = "CREATE INDEX of_names ON city(name COLLATE NOCASE, people) WHERE name IS NOT NULL AND people > 0;"
    try await play(Self.old, Self.old + sql + "PRAGMA user_version = 3", columns: 70) { driver, _ in
      #expect(driver.screen.contains("│    + CREATE INDEX of_names ON city(name"), "\(driver.screen)")
      #expect(driver.screen.contains("people > 0"), "\(driver.screen)")
      driver.press("n n")
      #expect(line(driver, "│▌")?.contains("pragma user_version") == true, "\(driver.screen)")
    }
  }

  @Test func `Enter shows the old record beside the new one, and Esc leaves it`() async throws {
    try await play { driver, _ in
      driver.press("j n enter")
      #expect(line(driver, "people")?.contains("563311") == true)
      #expect(line(driver, "people")?.contains("571510") == true)
      driver.press("n")
      #expect(line(driver, "name ")?.contains("Wien") == true)
      driver.press("escape")
      try #expect(!screen(driver).showsRecord)
      driver.press("escape")
      #expect(driver.comparison != nil, "Esc does not quit")
      #expect(!driver.browser.hasEnded)
      driver.press("q")
      #expect(driver.browser.hasEnded)
    }
  }

  @Test func `y copies the SQL of a row, of an index and of a table`() async throws {
    try await play { driver, _ in
      driver.press("n y")
      #expect(driver.browser.workspace.copied?.text == "CREATE INDEX city_by_name ON city(name);\n")
      driver.press("n y")
      #expect(driver.browser.workspace.copied?.text == "UPDATE main.city SET people = 571510 WHERE id IS 1;\n")
      driver.press("n y")
      #expect(driver.browser.workspace.copied?.text == "DELETE FROM main.city WHERE id IS 2;\n")
      driver.press("n y")
      #expect(driver.browser.workspace.copied?.text == "INSERT INTO main.city(id, name, people) VALUES(4, '京都', 1400000);\n")
    }
  }

  @Test func `a filter names columns of either side, and reports faults`() async throws {
    try await play { driver, _ in
      driver.play(["j", "&", "'new.people > 600000'", "enter"])
      try #expect(screen(driver).count == 1)
      #expect(driver.screen.contains("京都") && !driver.screen.contains("Wien"))
      driver.play(["&", "ctrl-u", "'people > 5'"])
      #expect(driver.screen.contains("There is no column people"))
      driver.press("alt-enter enter")
      try #expect(!screen(driver).isTypingFilter)
      driver.press("F")
      try #expect(screen(driver).count == 3)
      driver.play(["&", "'new.na'", "tab"])
      try #expect(screen(driver).filter == "new.name")
      driver.press("escape")
      try #expect(screen(driver).count == 3)
    }
  }

  @Test func `a text is found in the changes of all tables and of the schema`() async throws {
    try await play { driver, _ in
      driver.play(["/", "'ELBE'", "enter"])
      try #expect(screen(driver).table == "river")
      driver.play(["/", "'by_name'", "enter"])
      try #expect(screen(driver).table == nil)
      driver.play(["/", "'Lausanne'", "enter"])
      #expect(driver.browser.notice?.text.contains("was not found") == true)
    }
  }

  @Test func `equal databases are said to be the same`() async throws {
    try await play(Self.old, Self.old) { driver, _ in
      #expect(driver.screen.contains("No differences. The schemas and all rows are the same."))
      let hints = driver.screen.split(separator: "\n").last.map(String.init) ?? ""
      for hint in ["next", "open", "find", "layout", "export"] { #expect(!hints.contains(hint), "\(hints)") }
      for key in ["n", "enter"] {
        driver.press(key)
        #expect(driver.browser.notice?.text == "there are no changes")
      }
    }
  }

  @Test func `a table that cannot be compared is listed with the reason`() async throws {
    try await play(Self.old, Self.new, subject: { $0.key = ["name"] }) { driver, _ in
      #expect(line(driver, "same ")?.contains("not compared") == true)
      driver.press("G")
      while try screen(driver).table != "same" { driver.press("k") }
      #expect(driver.screen.contains("The rows were not compared: --key names “name”"))
    }
  }

  @Test func `a change of a database is reported, and R compares again`() async throws {
    try await play { driver, folder in
      try DatabaseQueue(path: folder.appending(path: "new.db").path).write { try $0.execute(sql: "DELETE FROM same") }
      driver.wait { driver.screen.contains("changed since") }
      driver.press("R")
      #expect(line(driver, "same ")?.contains("−1") == true)
    }
  }

  @Test func `a file that replaces a database is reported, and R compares it`() async throws {
    try await play { driver, folder in
      let (path, other) = (folder.appending(path: "new.db").path, folder.appending(path: "newer.db").path)
      try DatabaseQueue(path: other).withoutTransaction { try $0.execute(sql: Self.new + "DELETE FROM same;") }
      #expect(rename(other, path) == 0)
      driver.wait { driver.screen.contains("changed since") }
      driver.press("R")
      #expect(line(driver, "same ")?.contains("−1") == true)
    }
  }

  @Test func `side by side, the line of a row shows how many of its changed values are not visible`() async throws {
    let columns = (1...9).map { "column_\($0) TEXT DEFAULT 'a longer value'" }.joined(separator: ", ")
    let table = "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(columns)); INSERT INTO wide(id) VALUES (1), (2), (3);"
    let changes = """
      UPDATE wide SET column_2 = 'x', column_5 = 'y', column_8 = 'z' WHERE id = 1;
      UPDATE wide SET column_2 = 'x' WHERE id = 2; DELETE FROM wide WHERE id = 3;
      """
    try await play(table, table + changes, columns: 80) { driver, _ in
      driver.press("v")
      let lines = driver.screen.split(separator: "\n").filter { $0.contains("~   ") || $0.contains("−   ") }
      #expect(lines.first { $0.contains(" 1 ") }?.contains(" +2 ›") == true, "\(driver.screen)")
      #expect(lines.count == 3 && lines.count { $0.contains("›") } == 1, "\(driver.screen)")
    }
  }

  @Test func `an export asks for the format and the path, and before it replaces a file`() async throws {
    try await play { driver, folder in
      let path = folder.appending(path: "out.sql").path
      driver.play(["X", "'sql'", "enter", "ctrl-u", "'\(path)'", "enter"])
      try #expect(String(contentsOfFile: path, encoding: .utf8) == "sql old.db new.db")
      driver.play(["X", "'sql'", "enter", "ctrl-u", "'\(path)'", "enter"])
      #expect(driver.screen.contains("already exists"))
      driver.press("escape q")
    }
  }

  @Test func `the open database is compared with a file`() async throws {
    try await withTemporaryFolder { folder in
      let (path, other) = (folder.appending(path: "now.db").path, folder.appending(path: "before.db").path)
      for (path, sql) in [(path, Self.new), (other, Self.old)] {
        try await DatabaseQueue(path: path).withoutTransaction { try $0.execute(sql: sql) }
      }
      try await onOwnThread {
        var storage = Storage()
        storage.comparing = .files(current: path)
        let driver = try SessionDriver(path: path, storage: storage)
        driver.play([":", "'diff'", "enter", "enter"])
        #expect(driver.browser.notice?.text.contains("name a database") == true)
        driver.play([":", "'diff \(folder.path)/bef'", "tab"])
        #expect(driver.screen.contains("before.db"))
        driver.press("enter")
        try #expect(screen(driver).addedCounts == [1, 0, 0])
        driver.press("escape")
        #expect(driver.comparison == nil)
        driver.play([":", "'diff \(folder.path)/nothing.db'", "enter"])
        #expect(driver.screen.contains("nothing.db"))
        #expect(driver.tellsError)
        driver.press("escape")
        driver.play([":", "'diff ada@box:/srv/before.db'", "enter"])
        #expect(driver.screen.contains("old box:before.db"), "\(driver.screen)")
      }
    }
  }

  @Test(arguments: [(1, 1), (10, 3), (20, 6), (40, 10), (300, 80)])
  func `the screen fits every size`(size: (Int, Int)) async throws {
    try await play { driver, _ in
      driver.send([.resized(Size(columns: size.0, rows: size.1))])
      driver.settle()
      for keys in ["n", "n", "v", "enter", "escape", "&", "escape"] { driver.press(keys) }
    }
  }
}
