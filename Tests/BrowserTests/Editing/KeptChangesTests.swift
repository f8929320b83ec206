import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Changes outlive the session", .gated)
struct KeptChangesTests {
  /// Plays sessions on a table of two people, one after the other, with the files of a person's state.
  private func play(_ body: @escaping @Sendable (_ start: () throws -> SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER)",
        "INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bob', 5)")
      try await onOwnThread {
        func start() throws -> SessionDriver {
          var storage = Storage()
          storage.staged = try StagedStore(state: folder.path, database: path)
          let changes = ChangeLogFolder(path: folder.appendingPathComponent("changes").path)
          let driver = try SessionDriver(path: path, changes: changes, storage: storage)
          return driver
        }
        try body(start, try DatabaseQueue(path: path))
      }
    }
  }

  private static func names(_ other: DatabaseQueue) throws -> [String] {
    try other.read { db in try String.fetchAll(db, sql: "SELECT name FROM person ORDER BY id") }
  }

  @Test("what is staged when the program is killed is offered at the next start")
  func adoption() async throws {
    try await play { start, other in
      do {
        let driver = try start()
        driver.press("enter l e end")
        driver.type("!")
        driver.press("enter")
      }
      let driver = try start()
      driver.screen.expectLine("1 change from an earlier session, not committed")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts.cells == 1)
      driver.press("ctrl-s enter")
      let names = try Self.names(other)
      #expect(names == ["Ada!", "Bob"], "\(driver.screen)")
      let next = try start()
      #expect(!next.screen.contains("earlier session"), "\(next.screen)")
    }
  }

  @Test("what was committed is not offered again where the program was killed before it removed the file")
  func committed() async throws {
    try await play { start, other in
      do {
        let driver = try start()
        driver.press("enter o")
        driver.type("Cid")
        driver.press("enter")
        let staged = URL(fileURLWithPath: other.path).deletingLastPathComponent().appendingPathComponent("staged")
        let names = try FileManager.default.contentsOfDirectory(atPath: staged.path)
        let file = try #require(names.first { $0.hasSuffix(".changes") })
        let copy = file.replacingOccurrences(of: ".changes", with: "0.changes")
        try FileManager.default.copyItem(at: staged.appendingPathComponent(file), to: staged.appendingPathComponent(copy))
        driver.press("ctrl-s enter")
        driver.screen.expectLine("1 new row")
      }
      let driver = try start()
      #expect(!driver.screen.contains("earlier session"), "\(driver.screen)")
      driver.press("q")
      let next = try start()
      #expect(!next.screen.contains("earlier session"), "\(next.screen)")
    }
  }

  @Test("what was staged during a commit is offered alone where the program was killed after the commit")
  func stagedDuringCommit() async throws {
    try await play { start, other in
      let folder = URL(fileURLWithPath: other.path).deletingLastPathComponent()
      do {
        let driver = try start()
        driver.press("enter l e ctrl-u")
        driver.type("Eva")
        driver.press("enter")
        var edits = driver.browser.workspace.edits
        let sent = try edits.beginCommit()
        try edits.set("Cy", column: "name", row: .stored(.rowID(2)), of: TableReference(name: "person"), was: "Bob")
        driver.press("ctrl-s enter")
        driver.screen.expectLine("1 row changed")
        try StagedStore(state: folder.path, database: other.path).save(edits.staged, sent: sent)
      }
      let driver = try start()
      driver.screen.expectLine("1 change from an earlier session, not committed")
      driver.press("enter")
      driver.press("ctrl-s enter")
      let names = try Self.names(other)
      #expect(names == ["Eva", "Cy"], "\(driver.screen)")
    }
  }

  @Test("what was committed is listed with its rows, and taken back after a restart")
  func undo() async throws {
    try await play { start, other in
      do {
        let driver = try start()
        driver.press("enter l e end")
        driver.type("!")
        driver.press("enter j d d ctrl-s enter")
        driver.screen.expectLine("1 row changed, 1 deleted")
      }
      let driver = try start()
      driver.press("enter g u")
      driver.screen.expectLine("1 changed, 1 deleted")
      #expect(driver.screen.contains(" 1 of 1") && !driver.screen.contains("row 1 of"), "\(driver.screen)")
      driver.press("enter")
      driver.screen.expectLine("'Ada' → 'Ada!'")
      driver.press("escape")
      driver.press("u")
      driver.screen.expectLine(beginning: "undone")
      let names = try Self.names(other)
      #expect(names == ["Ada", "Bob"])
    }
  }

  @Test("after a commit nothing is staged to undo: the key says so, and names the one for what was committed")
  func nothingStaged() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l e end")
      driver.type("!")
      driver.press("enter ctrl-s enter")
      driver.press("u")
      driver.screen.expectLine("no staged change to undo: gu shows commits, and undoes them")
      let names = try Self.names(other)
      #expect(names == ["Ada!", "Bob"])
    }
  }

  @Test("a commit whose rows another program has taken back is said to be undone already")
  func takenBack() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l e")
      driver.type("Eva")
      driver.press("enter")
      driver.press("ctrl-s enter")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Ada' WHERE id = 1") }
      driver.press("g u")
      driver.press("u")
      driver.screen.expectLine("commit 1 had already been undone: its rows have their former values")
      driver.screen.expectLine("1 changed  undone  edit of person")
      driver.press("u")
      driver.screen.expectLine("commit 1 had already been undone: its rows have their former values")
    }
  }

  @Test("a commit whose rows were changed since is taken back row by row, as it is chosen")
  func conflict() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l V G e")
      driver.type("=upper(name)")
      driver.press("enter")
      driver.press("ctrl-s enter")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Eva' WHERE id = 1") }
      driver.press("g u")
      driver.press("u")
      driver.screen.expectLine("Undo of commit 1: 1 conflict")
      driver.screen.expectLine("person  row 1  name")
      driver.screen.expectLine("as committed  now")
      driver.screen.expectLine("name  'ADA'         'Eva'")
      var names = try Self.names(other)
      #expect(names == ["Eva", "BOB"])
      driver.press("enter")
      names = try Self.names(other)
      #expect(names == ["Eva", "Bob"], "\(driver.screen)")
    }
  }

  @Test("a commit of which every row is kept is not undone, and stays in the list")
  func everythingKept() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l e")
      driver.type("Eva")
      driver.press("enter")
      driver.press("ctrl-s enter")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Zoe' WHERE id = 1") }
      driver.press("g u")
      driver.press("u")
      driver.screen.expectLine("Undo of commit 1: 1 conflict")
      driver.press("enter")
      driver.screen.expectLine("nothing was undone: 1 conflict kept; the commit can still be undone")
      #expect(!driver.screen.contains("undone  edit"), "\(driver.screen)")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Eva' WHERE id = 1") }
      driver.press("u")
      driver.screen.expectLine(beginning: "undone")
      let names = try Self.names(other)
      #expect(names == ["Ada", "Bob"])
    }
  }

  @Test("a row that is gone can only be kept, and the key to overwrite it says so")
  func goneRow() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l e")
      driver.type("Eva")
      driver.press("enter")
      driver.press("ctrl-s enter")
      try other.write { db in try db.execute(sql: "DELETE FROM person WHERE id = 1") }
      driver.press("g u")
      driver.press("u")
      driver.screen.expectLine("person  row 1  no longer exists")
      driver.press("space")
      driver.screen.expectLine("this row can only be kept")
      #expect(driver.screen.contains("keep       person"), "\(driver.screen)")
    }
  }

  @Test("what cannot be saved is told with the way out, and is not offered to be kept when the program is left")
  func unsaved() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('x')")
      try await onOwnThread {
        var storage = Storage()
        storage.staged = try StagedStore(state: folder.path, database: path)
        let driver = try SessionDriver(path: path, storage: storage)
        let place = folder.appendingPathComponent("staged")
        try FileManager.default.removeItem(at: place)
        try Data().write(to: place)
        driver.press("enter e end")
        driver.type("!")
        driver.press("enter")
        driver.screen.expectLine("staged changes cannot be saved and will be lost if Quarry exits:")
        driver.press("ctrl-q")
        driver.screen.expectLine(beginning: "They cannot be saved for later")
        #expect(!driver.screen.contains("Save for later"), "\(driver.screen)")
        driver.send([.resized(Size(columns: 40, rows: 10))])
        driver.screen.expectLine("They cannot be saved for later:")
      }
    }
  }

  @Test("changes that cannot be recorded are committed without a record where the person says so")
  func unrecorded() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("enter l e end")
      driver.type("!")
      driver.press("enter ctrl-s enter")
      let folder = URL(fileURLWithPath: other.path).deletingLastPathComponent().appendingPathComponent("changes").path
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".db") })
      try DatabaseQueue(path: "\(folder)/\(name)").write { db in
        try db.execute(sql: "CREATE TRIGGER full BEFORE INSERT ON recorded BEGIN SELECT RAISE(ABORT, 'no room'); END")
      }
      driver.press("e end")
      driver.type("?")
      driver.press("enter ctrl-s")
      driver.press("enter")
      driver.screen.expectLine("These changes cannot be recorded")
      driver.screen.expectLine("no room")
      #expect(try Self.names(other) == ["Ada!", "Bob"])
      driver.press("down enter")
      #expect(try Self.names(other) == ["Ada!?", "Bob"], "\(driver.screen)")
    }
  }

  @Test("what the editor commits is recorded too")
  func editor() async throws {
    try await play { start, other in
      let driver = try start()
      driver.press("f4")
      driver.type("UPDATE person SET name = 'x' WHERE id > 0")
      driver.press("f5")
      driver.press("down enter")
      driver.press("escape")
      driver.press("escape g u")
      driver.press("u")
      let names = try Self.names(other)
      #expect(names == ["Ada", "Bob"], "\(driver.screen)")
    }
  }
}
