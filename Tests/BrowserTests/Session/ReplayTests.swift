import Browser
import Foundation
import QuarryEngine
import Synchronization
import Terminal
import TestSupport
import Testing

/// Whether the command line that is copied prints what is on the screen when a shell runs it.
@Suite("The command line that shows what is on the screen", .gated)
struct ReplayTests {
  private static let schema = [
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT)",
    "CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, album REFERENCES album, length REAL, made DATE, data TEXT)",
    "CREATE INDEX track_album ON track(album, name)",
    "CREATE TABLE \"-odd 'table'\"(\"a,b\" TEXT, \" c\" BLOB, \"d\"\"e\" ANY)",
    "CREATE TABLE pairs(x TEXT, y TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID",
    "CREATE VIEW long AS SELECT name, length FROM track WHERE length > 2 ORDER BY length DESC",
    "INSERT INTO album VALUES (1, 'First'), (2, 'It''s \"two\"'), (3, NULL)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO track SELECT i, char(97 + (i * 7) % 26) || ' $HOME `x` !! ' || (i % 5), nullif(i % 4, 0), (i % 9) / 3.0,
      '2024-01-' || printf('%02d', i % 28 + 1), json_object('price', i % 6, 'tags', json_array('a', i)) FROM n
    """,
    "INSERT INTO track(id, name, album, length) VALUES (100, 'esc ' || char(27) || '[31m tab' || char(9), 2, 9e999)",
    "INSERT INTO track(id) VALUES (101)",
    "INSERT INTO track(id, name, album) VALUES (102, 'two' || char(10) || 'lines', 1), (103, 'é👩‍👩‍👧 \\n %s ', 3)",
    "INSERT INTO \"-odd 'table'\" VALUES ('', x'00ff', 1), (NULL, NULL, '007'), ('it''s', 'text', 1.5)",
    "INSERT INTO pairs VALUES ('b', '1'), ('a', '2'), ('a', '1')",
  ]

  /// What a person does before the command line is copied: keys, texts to type, tables to open.
  enum Step: Sendable {
    case open(String)
    case press(String)
    case type(String)
  }

  private static func running(_ sql: String, _ more: [Step] = []) -> [Step] { [.press("f4"), .type(sql), .press("f5")] + more }
  private static func filter(_ text: String) -> [Step] { [.press("&"), .type(text), .press("enter")] }

  @Test(
    "it prints the same rows and columns in the same order",
    arguments: [
      [.open("track")],
      [.open("track")] + filter("name ~ '\u{1B}' or album = 2"),
      [.open("track")] + filter("name like '%$HOME%' and album is not null") + [.press("l"), .press("s")],
      [.open("track"), .press("l"), .press("l"), .press("s"), .press("s"), .press("0"), .press("l"), .press("S"), .press("-")],
      [.open("track")] + filter("length > :least and name != :n") + [.type("0.5"), .press("enter"), .type("it's"), .press("enter")],
      [.open("track")] + filter("made >= :day") + [.type("2024-01-10"), .press("enter")],
      [.open("track"), .press("$"), .press("h"), .press("-"), .press("0"), .press("-")],
      [.open("album"), .press("j"), .press("g r")],
      [.open("album"), .press("g r")] + filter("length < 2") + [.press("l"), .press("s")],
      [.open("-odd 'table'"), .press("l"), .press("-")],
      [.open("-odd 'table'")] + filter("\"a,b\" = 'it''s'"),
      [.open("pairs"), .press("l"), .press("s")],
      [.open("long"), .press("s")],
      [.open("long")] + filter("length < 2.5"),
      [.open("track")] + filter("data.price > 3"),
      [.open("track"), .press("$"), .press("g j"), .press("space"), .press("enter")] + filter("data.price > 3") + [.press("-")],
      running("select id, name from track where album = 1"),
      running("-- which are long\nselect t.id, a.id, title from track t join album a on a.id = t.album -- the end"),
      running(
        "select t.id, a.id, a.title as id from track t join album a on a.id = t.album",
        [.press("l"), .press("s"), .press("h"), .press("-")]),
      running("select name, count(*), sum(length) from track group by album", [.press("l"), .press("s"), .press("s")]),
      running("select * from track where album = :album and id > ?", [.type("2"), .press("enter"), .type("10"), .press("enter")]),
      running(
        "select * from track where album = :album", [.type("2"), .press("enter")] + filter("length > 1") + [.press("l"), .press("-")]),
      running("pragma table_info(track)"),
    ] as [[Step]])
  func same(_ steps: [Step]) async throws {
    try await withTemporaryFolder { folder in
      let path = try Self.makeDatabase(in: folder)
      let (line, seen) = try await onOwnThread { try Self.play(steps, path: path) }
      let printed = try Self.output(of: line, in: folder)
      #expect(printed == seen, "\(line)")
    }
  }

  @Test(
    "that of counts, a profile, a chart or a search prints what is on the screen",
    arguments: [
      (
        [.open("track")] + filter("length > :least")
          + [.type("0.5"), .press("enter"), .press("c"), .type("album"), .press("enter #")], ["1,", "2,"]
      ),
      ([.open("track")] + filter("name ~ '$HOME'") + [.press("g #")], ["column,declared", "album,", "length,REAL"]),
      ([.open("track")] + filter("id <= 60") + [.press("c"), .type("length"), .press("enter g v")], ["length"]),
      ([.open("track"), .press("g /"), .type("HOME"), .press("enter")], ["track,", "$HOME"]),
      ([.open("track")] + filter("id <= 60") + [.press("c"), .type("name"), .press("enter g v")], ["rows by name"]),
      (running("select name, count(*) as n from track where album = :a group by 1", [.type("2"), .press("enter escape g v b")]), ["n"]),
    ] as [([Step], [String])])
  func insight(steps: [Step], words: [String]) async throws {
    try await withTemporaryFolder { folder in
      let path = try Self.makeDatabase(in: folder)
      let line = try await onOwnThread {
        let driver = try SessionDriver(path: path, opened: OpenedFiles([OpenedFiles.File(path: path, database: "main")]))
        for step in steps {
          switch step {
          case .open(let name): driver.open(TableReference(name: name))
          case .press(let keys): driver.play([keys])
          case .type(let text): driver.type(text)
          }
        }
        driver.press("g C")
        return try #require(driver.terminal.copies.last, "\(driver.screen)")
      }
      let printed = try Self.output(of: line, in: folder)
      #expect(words.allSatisfy(printed.contains), "\(line)\n\(printed)")
    }
  }

  @Test(
    "the SQL of the rows returns the same rows in the editor, where parameters keep their names",
    arguments: [
      (
        [.open("track")] + filter("length > :least and name != :n") + [.type("0.5"), .press("enter"), .type("it's"), .press("enter")],
        ["0.5", "it's"], "WHERE ((length > :least) AND (name IS NOT :n))\nORDER BY id"
      ),
      (
        [.open("track")] + filter("album.title ~ first") + [.press("l"), .press("s"), .press("s"), .press("-")], [],
        "ORDER BY name DESC, id"
      ),
      ([.open("album"), .press("j"), .press("g r")], [], "WHERE album IS 2"),
      ([.open("pairs"), .press("l"), .press("s")], [], "SELECT *\nFROM pairs\nORDER BY y, x"),
      (
        running("select * from track where album = :album", [.type("2"), .press("enter"), .press("escape")] + filter("length > 1")), ["2"],
        "album = :album\n) WHERE (length > 1)"
      ),
    ] as [([Step], [String], String)])
  func sql(steps: [Step], values: [String], part: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try Self.makeDatabase(in: folder)
      try await onOwnThread {
        let driver = try Self.driver(after: steps, path: path)
        let rows = try Self.rows(driver)
        driver.play(["escape", "g C", "down down", "enter"])
        let copied = try #require(driver.terminal.copies.last)
        #expect(copied.contains(part), "\(copied)")
        driver.play(["g C", "down", "enter"])
        #expect(driver.browser.sql.buffer.text == copied)
        driver.press("f5")
        for value in values {
          driver.press("ctrl-u")
          driver.type(value)
          driver.press("enter")
        }
        #expect(try Self.rows(driver) == rows, "\(copied)")
      }
    }
  }

  @Test("the Swift file of a query runs its SQL with the same values")
  func swiftOfQuery() async throws {
    try await withTemporaryFolder { folder in
      let path = try Self.makeDatabase(in: folder)
      try await onOwnThread {
        let steps = Self.running(
          "select * from track where album = :a and id > ?3 or id = ?3", [.type("2"), .press("enter"), .type("1"), .press("enter")])
        let driver = try Self.driver(after: steps, path: path)
        driver.play(["escape", "g C", "down down down", "enter"])
        driver.screen.expectLine("copied the Swift file to the clipboard (the terminal)")
        let text = try #require(driver.terminal.copies.last)
        #expect(
          text.hasSuffix(
            """
            func queryRows(_ db: Database, a: Int = 2, value3: Int = 1) throws -> [Row] {
              try Row.fetchAll(db, sql: "select * from track where album = :a and id > ?3 or id = ?3", arguments: [nil, value3] + ["a": a])
            }

            """), "\(text)")
      }
    }
  }

  @Test("verbs that look at tables are not offered for the rows of a statement, and it says so")
  func statement() async throws {
    try await withTemporaryFolder { folder in
      let path = try Self.makeDatabase(in: folder)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, opened: OpenedFiles([OpenedFiles.File(path: path, database: "main")]))
        driver.play(["f4", "'select * from track'", "f5 escape #", "g C"])
        driver.screen.expectLine("quarry counts reads tables and views, but these rows come from a statement")
      }
    }
  }

  private static func makeDatabase(in folder: URL) throws -> String {
    let path = folder.appendingPathComponent("it's a test.db").path
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      for sql in schema { try db.execute(sql: sql) }
    }
    try queue.close()
    return path
  }

  /// Returns the command line for what the steps lead to, and all rows there as CSV.
  private static func play(_ steps: [Step], path: String) throws -> (line: String, rows: String) {
    let lines = Mutex<[String]>([])
    let driver = try SessionDriver(
      path: path, columns: 200, opened: OpenedFiles([OpenedFiles.File(path: path, database: "main")]),
      log: { line in lines.withLock { $0.append(line) } })
    follow(steps, driver)
    driver.press("escape")
    driver.play(["g C", "enter"])
    let line = try #require(driver.terminal.copies.last, "\(driver.screen)")
    driver.screen.expectLine("copied the command line to the clipboard (the terminal)")
    let logged = lines.withLock { $0.joined(separator: "\n") }
    #expect(logged.contains("$ " + line), "the log has it as well")
    return (line, try rows(driver))
  }

  private static func driver(after steps: [Step], path: String) throws -> SessionDriver {
    let driver = try SessionDriver(path: path, columns: 200, opened: OpenedFiles([OpenedFiles.File(path: path, database: "main")]))
    follow(steps, driver)
    return driver
  }

  private static func follow(_ steps: [Step], _ driver: SessionDriver) {
    for step in steps {
      switch step {
      case .open(let name): driver.open(TableReference(name: name))
      case .press(let keys): driver.press(keys)
      case .type(let text): driver.type(text)
      }
    }
  }

  /// Returns all rows as CSV.
  private static func rows(_ driver: SessionDriver) throws -> String {
    driver.play(["escape", "g g", "V", "G", "g y"])
    driver.type("csv")
    driver.press("enter")
    return try #require(driver.terminal.copies.last)
  }

  /// Runs a command line in a shell, in which `quarry` is the program that was built beside these tests.
  private static func output(of line: String, in folder: URL) throws -> String {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    let path = products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let (output, errors) = (folder.appendingPathComponent("output").path, folder.appendingPathComponent("errors").path)
    let shell = try ChildProcess(
      ["/bin/sh", "-c", line], environment: ["PATH": path, "HOME": folder.path, "LC_ALL": "C.UTF-8"], output: .file(output),
      errors: .file(errors))
    let ending = shell.wait()
    #expect(ending == .exit(0), "\(line)\n\((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}

/// A text as a word of a shell's command line.
@Suite("Words of a shell", .gated)
struct ShellWordTests {
  @Test(
    "a shell reads a word as what it was made of",
    arguments: [
      "", "plain", "two words", "it's", "''", "$HOME `ls` \\ \"x\" !! * ? [a] {b,c} ~ # & ; | < >", "=ls", "-n", "line\nbreak\n",
      "tab\there",
      "\u{1B}[31mred\u{7}", "é 👩‍👩‍👧 日本", "'\u{301}", "\u{202E}turned", "\u{9B}31m", "%s \\n \\033",
    ])
  func word(_ text: String) throws {
    let word = ShellWord.quoted(text)
    let isShown = word.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
    #expect(isShown, "a terminal would act on a control character")
    try withTemporaryFolder { folder in
      let output = folder.appendingPathComponent("output").path
      let shell = try ChildProcess(["/bin/sh", "-c", "printf '%s|' \(word)"], output: .file(output))
      #expect(shell.wait() == .exit(0))
      #expect(try String(contentsOfFile: output, encoding: .utf8) == text + "|")
    }
  }
}
