import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What is edited while a commit waits for a lock")
struct EditsDuringCommitTests {
  private static let refusal = "the changes are being written: ^C stops it"
  private static let person = TableReference(name: "person")
  private static let first = StagedRowID.stored(.rowID(1))

  private static func execute(_ sql: String, _ other: DatabaseQueue) throws {
    try other.withoutTransaction { db in try db.execute(sql: sql) }
  }

  private static func names(_ other: DatabaseQueue) throws -> [String] {
    try other.read { db in try String.fetchAll(db, sql: "SELECT name FROM person ORDER BY id") }
  }

  private static func press(_ notation: String, _ driver: SessionDriver) {
    for key in notation.split(separator: " ") { driver.pressAtOnce(String(key)) }
  }

  private static func type(_ text: String, _ driver: SessionDriver) {
    for letter in text { driver.pressAtOnce(letter == " " ? "space" : String(letter)) }
  }

  /// Begins the commit of what is staged, which waits for the lock of the other program.
  private static func beginCommit(_ driver: SessionDriver, _ other: DatabaseQueue) throws {
    try execute("BEGIN IMMEDIATE", other)
    press("ctrl-s enter", driver)
    driver.waitAtOnce { driver.screen.contains("waiting for another program to release its lock") }
  }

  /// Lets the commit go on, and waits for its end.
  private static func endCommit(_ driver: SessionDriver, _ other: DatabaseQueue) throws {
    try execute("COMMIT", other)
    driver.waitAtOnce { driver.browser.workspace.edits.sent == nil }
    driver.settle()
  }

  @Test("A change that was undone before is neither staged again nor lost: the keys say why they wait")
  func undoneBefore() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e ctrl-u")
      driver.type("Ada!")
      driver.press("enter j e ctrl-u")
      driver.type("Bob?")
      driver.press("enter u")
      try Self.beginCommit(driver, other)
      for key in ["u", "ctrl-r", "space", "D", "escape u", "ctrl-r"] {
        Self.press(key, driver)
        driver.waitAtOnce { driver.screen.contains(Self.refusal) }
        Self.press("h l", driver)
      }
      #expect(driver.browser.workspace.staged.counts.cells == 1)
      try Self.endCommit(driver, other)
      driver.screen.expectLine("1 row changed")
      #expect(try Self.names(other) == ["Ada!", "Grace", "Linus"] && driver.browser.workspace.staged.isEmpty)
      driver.press("ctrl-r")
      #expect(driver.browser.workspace.staged.value(of: "name", in: .stored(.rowID(2)), of: Self.person) == .value("Bob?"))
    }
  }

  @Test("Values, new rows and deletions are staged meanwhile, and stay staged")
  func stagedMeanwhile() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e ctrl-u")
      driver.type("Ada!")
      driver.press("enter")
      try Self.beginCommit(driver, other)
      Self.press("escape e ctrl-u", driver)
      Self.type("Eve", driver)
      Self.press("enter j e ctrl-u", driver)
      Self.type("Bob?", driver)
      Self.press("enter j d d o", driver)
      driver.waitAtOnce { driver.browser.workspace.staged.counts == ChangeCounts(cells: 2, updatedRows: 2, newRows: 1, deletedRows: 1) }
      try Self.endCommit(driver, other)
      driver.screen.expectLine("1 row changed; 4 changes staged meanwhile: ^S shows them")
      #expect(try Self.names(other) == ["Ada!", "Grace", "Linus"])
      driver.press("ctrl-s")
      driver.screen.expectLine("'Ada!' → 'Eve'")
      driver.screen.expectLine("'Grace' → 'Bob?'")
      driver.press("escape u u")
      #expect(driver.browser.workspace.staged.counts == ChangeCounts(cells: 2, updatedRows: 2), "\(driver.screen)")
      driver.press("ctrl-s enter")
      driver.screen.expectLine("2 rows changed")
      #expect(try Self.names(other) == ["Eve", "Bob?", "Linus"] && driver.browser.workspace.staged.isEmpty)
    }
  }

  @Test("A field that was opened before the end changes the value that was written")
  func openField() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l l g n")
      try Self.beginCommit(driver, other)
      Self.press("escape e ctrl-u", driver)
      try Self.endCommit(driver, other)
      driver.type("7")
      driver.press("enter")
      let change = driver.browser.workspace.staged.change(of: Self.first, in: Self.person)
      #expect(change == .updated(["age": .init(was: .null, value: 7)]), "\(driver.screen)")
      driver.press("ctrl-s enter")
      driver.screen.expectLine("1 row changed")
    }
  }

  @Test("A new row whose field was opened before the end is changed in the file")
  func openFieldOfNewRow() async throws {
    try await StagingTests.play { driver, other in
      driver.press("o e")
      driver.type("Dan")
      driver.press("enter")
      try Self.beginCommit(driver, other)
      Self.press("escape e ctrl-u", driver)
      try Self.endCommit(driver, other)
      driver.type("Eve")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts == ChangeCounts(cells: 1, updatedRows: 1), "\(driver.screen)")
      driver.press("ctrl-s enter")
      #expect(try Self.names(other) == ["Ada", "Grace", "Linus", "Eve"])
    }
  }

  @Test("The bytes of a file that are staged meanwhile are not lost")
  func file() async throws {
    try await StagingTests.play { driver, other in
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      let path = URL(fileURLWithPath: other.path).deletingLastPathComponent().appendingPathComponent("bytes.bin").path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      driver.press("l e ctrl-u")
      driver.type("Ada!")
      driver.press("enter")
      try Self.beginCommit(driver, other)
      Self.press("escape j j l l e", driver)
      for _ in 0..<8 where !Self.isBlobField(driver) { Self.press("alt-t", driver) }
      Self.press("ctrl-u", driver)
      Self.type("@\(path)", driver)
      Self.press("enter", driver)
      driver.waitAtOnce { driver.browser.workspace.staged.counts.cells == 2 }
      try Self.endCommit(driver, other)
      #expect(driver.browser.workspace.staged.value(of: "note", in: .stored(.rowID(3)), of: Self.person) == .value(.blob(bytes)))
    }
  }

  /// Whether the field of a cell is open for a blob.
  private static func isBlobField(_ driver: SessionDriver) -> Bool {
    driver.screen.contains("blob ·") || driver.screen.contains("· blob")
  }

  @Test("A large file is staged by its path, and read by the commit; one that has changed since is refused with its row")
  func largeFile() async throws {
    try await StagingTests.play { driver, other in
      let url = URL(fileURLWithPath: other.path).deletingLastPathComponent().appendingPathComponent("large.bin")
      let bytes = [UInt8](repeating: 7, count: 2 << 20)
      try Data(bytes).write(to: url)
      driver.press("j j l l l e")
      for _ in 0..<8 where !Self.isBlobField(driver) { driver.press("alt-t") }
      driver.press("ctrl-u")
      driver.type("@\(url.path)")
      driver.press("enter")
      let staged = driver.browser.workspace.staged.value(of: "note", in: .stored(.rowID(3)), of: Self.person)
      #expect(try staged == .file(#require(StagedFile(path: url.path))), "\(driver.screen)")
      try Data(bytes + [8]).write(to: url)
      driver.press("ctrl-s enter")
      #expect(driver.screen.contains("has been changed or removed since it was"), "\(driver.screen)")
      #expect(driver.screen.contains("│ staged: stage it again;"), "\(driver.screen)")
      #expect(driver.screen.contains("file \(url.path.prefix(20))"), "\(driver.screen)")
      driver.press("space")
      driver.press("j j l l l e")
      driver.press("ctrl-u")
      driver.type("@\(url.path)")
      driver.press("enter")
      driver.press("ctrl-s enter")
      let size = try other.read { db in try Int.fetchOne(db, sql: "SELECT length(note) FROM person WHERE id = 3") }
      #expect(size == bytes.count + 1, "\(driver.screen)")
    }
  }

  @Test("The program does not end before the changes are written, and then asks about those staged meanwhile")
  func quitting() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e ctrl-u")
      driver.type("Ada!")
      driver.press("enter")
      try Self.beginCommit(driver, other)
      Self.press("escape ctrl-q", driver)
      driver.waitAtOnce { driver.screen.contains(Self.refusal) }
      Self.press("j g n k d d", driver)
      driver.waitAtOnce { driver.browser.workspace.staged.counts.changes >= 1 }
      try Self.endCommit(driver, other)
      driver.press("ctrl-q")
      driver.screen.expectLine("2 changes, not committed yet")
      #expect(!driver.browser.hasEnded, "\(driver.screen)")
    }
  }
}
