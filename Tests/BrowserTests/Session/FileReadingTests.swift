import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import TestSupport
import Testing

/// Tables that are made of files, while these are being read and afterwards.
@Suite("Files as tables on the screen", .gated)
struct FileReadingTests {
  /// Plays on the table of a file that is whole.
  private func play(_ text: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("sales.csv").path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let tables = try FileTables([path])
      try tables.start()
      let opened = OpenedFiles([OpenedFiles.File(path: path, database: "main")])
      try await onOwnThread { try body(SessionDriver(path: tables.path, opened: opened, fileTables: tables)) }
    }
  }

  /// Plays on the table of a pipe, of which 40 rows have been read, and which has no end before its writer is closed.
  private func playPipe(_ body: @escaping @Sendable (SessionDriver, FileHandle, URL) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("pipe").path
      #expect(mkfifo(path, 0o600) == 0)
      // The pipe has no end while it is open here for reading too.
      let writer = try #require(FileHandle(forUpdatingAtPath: path))
      // What a text is its first lines tell, which are waited for.
      let lines = (1...40).map { "name \($0),\($0)\n" }
      try writer.write(contentsOf: Data(("name,size\n" + lines.joined()).utf8))
      let tables = try FileTables([path])
      try tables.start()
      try await onOwnThread {
        let driver = try SessionDriver(path: tables.path, watchInterval: .milliseconds(50), fileTables: tables)
        driver.waitAtOnce { driver.screen.contains("40 rows so far") }
        try body(driver, writer, folder)
      }
    }
  }

  @Test("what was decided about a file is told, and its rows are those of a table")
  func whole() async throws {
    try await play("name;zip\nPoe;007\nKafka;12\n") { driver in
      driver.wait { driver.screen.contains("sales.csv: 2 rows, separator “;”, header") }
      driver.screen.expectLine("Kafka")
      #expect(driver.browser.grid?.total == .exact(2), "\(driver.screen)")
      #expect(!driver.screen.contains("so far"), "\(driver.screen)")
    }
  }

  @Test("what a file has beside its rows is told once")
  func losses() async throws {
    try await play("Report\n\nname;zip;n\nPoe;007;1\n\nKafka;12;2\n") { driver in
      driver.wait { driver.browser.notice?.text.contains("2 rows") == true && driver.browser.grid?.total == .exact(2) }
      #expect(
        driver.browser.notice?.text
          == "sales.csv: 2 rows, separator “;”, header: yes; skipped 1 title line before the records, on line 1: “Report” "
          + "(--skip 0 reads it); skipped 2 empty lines")
    }
  }

  @Test("rows come while a pipe is written; what stops it says what is there, and Esc does not stop it")
  func growing() async throws {
    try await playPipe { driver, writer, _ in
      try writer.write(contentsOf: Data("three,3\n".utf8))
      driver.waitAtOnce { driver.screen.contains("41 rows so far") }
      #expect(driver.screen.contains("reading: "), "\(driver.screen)")
      driver.press("escape")
      try writer.write(contentsOf: Data("four,4\n".utf8))
      driver.waitAtOnce { driver.screen.contains("42 rows so far") }
      driver.press("ctrl-c")
      driver.waitAtOnce { driver.screen.contains("stopped: 42 rows of pipe were read") }
      driver.wait { driver.screen.contains("42 rows of part of the file") && !driver.screen.contains("reading: ") }
    }
  }

  @Test("a change is staged and committed in a private copy, and that is said before it goes")
  func edits() async throws {
    try await play("name;zip\nPoe;007\nKafka;12\n") { driver in
      driver.press("tab")
      driver.press("e")
      driver.press("ctrl-u")
      driver.type("Woolf")
      driver.press("enter")
      driver.wait { driver.screen.contains("sales.csv itself stays as it is") }
      driver.press("ctrl-s")
      driver.press("enter")
      driver.wait { driver.screen.contains("sales.csv itself stays as it is") && driver.browser.workspace.staged.isEmpty }
      driver.press("ctrl-q")
      driver.screen.expectLine("Quitting deletes the private copy with your commits; sales.csv itself stays as it is: X writes a file")
      #expect(!driver.browser.hasEnded)
    }
  }

  @Test("what is imported into the private database is said to go with the program, asked about, and no command line's")
  func imports() async throws {
    try await play("name;zip\nPoe;007\n") { driver in
      let folder = try #require(driver.browser.workspace.files.tables.first).path.dropLast("sales.csv".count)
      let path = folder + "more.csv"
      try Data("a\n1\n".utf8).write(to: URL(fileURLWithPath: String(path)))
      driver.play(["tab", "g C"])
      #expect(!driver.screen.contains("private"), "\(driver.screen)")
      driver.play(["down down down"])
      driver.screen.expectLine(beginning: "not available: the rows come from a file that is not a database")
      driver.press("escape")
      driver.play(["I", "'\(path)'", "enter"])
      driver.screen.expectLine("‹a new table, until you quit›")
      driver.play(["f5"])
      driver.screen.expectLine("imported 1 row into more: it was not recorded; it is in a private database, which is deleted on exit")
      driver.play(["g C"])
      driver.press("up")
      driver.screen.expectLine(beginning: "not available: more is in the private database of this session")
      driver.press("enter")
      driver.screen.expectLine("more is in the private database of this session, so no command line can read it")
      driver.press("escape")
      driver.press("ctrl-q")
      driver.screen.expectLine("Quitting deletes the private copy with your commits; sales.csv itself stays as it is: X writes a file")
      #expect(!driver.browser.hasEnded, "\(driver.screen)")
    }
  }

  @Test("what was read is told after the answer to a command, which stays until a key is pressed")
  func answerFirst() async throws {
    try await playPipe { driver, writer, folder in
      let more = folder.appendingPathComponent("more.csv").path
      try Data("a\n1\n".utf8).write(to: URL(fileURLWithPath: more))
      driver.play(["tab", "I", "'\(more)'", "enter", "f5"])
      driver.wait { driver.browser.notice?.text.hasPrefix("imported 1 row into more") == true }
      try writer.close()
      driver.waitAtOnce { !driver.screen.contains("reading: ") }
      #expect(driver.browser.notice?.text.hasPrefix("imported 1 row into more") == true, "\(driver.screen)")
      driver.press("down")
      driver.screen.expectLine(beginning: "pipe: 40 rows")
      driver.press("down")
      #expect(driver.browser.notice == nil, "\(driver.screen)")
    }
  }

  @Test("columns whose names a table cannot have are told with the names that they have got")
  func renamed() async throws {
    try await play("a,,A\n1,2,3\n") { driver in
      driver.wait { driver.screen.contains("column 2, without a name, is named") }
    }
  }

  @Test("what is no row is told with its line, and is in a table of its own")
  func rejects() async throws {
    try await play("a,b\n1,2\n3\n") { driver in
      driver.wait { driver.screen.contains("line 3") }
      driver.screen.expectLine("sales_rejects")
    }
  }

  @Test("the table that is shown first is that of the first file, and many are told in a few words")
  func order() async throws {
    try await withTemporaryFolder { folder in
      let paths = ["zoo.csv", "ants.csv", "bees.csv"].map { folder.appendingPathComponent($0).path }
      for path in paths { try Data("name,size\na,1\nb,2\n".utf8).write(to: URL(fileURLWithPath: path)) }
      let tables = try FileTables(paths)
      try tables.start()
      try await onOwnThread {
        let driver = try SessionDriver(path: tables.path, fileTables: tables, firstTable: TableReference(name: "zoo"))
        driver.wait { driver.screen.contains("3 tables of 3 files: 6 rows") }
        #expect(driver.browser.grid?.title == "zoo", "\(driver.screen)")
      }
    }
  }
}
