import Foundation
import TestSupport
import Testing

/// `quarry` alone in a real terminal.
@Suite(.gated) struct StartScreenTests {
  @Test func `without a file it shows the start screen, from which the demo is opened in the same program`() throws {
    let session = try TerminalSession([])
    try session.wait(for: "the tour")
    try session.press("d")
    // Not a word of the start screen's own: between the two screens the terminal has ^Q.
    try session.wait(for: "events · 100,000 rows")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test func `the tour begins on the demo, and leaves the terminal as it was`() throws {
    let session = try TerminalSession([])
    try session.wait(for: "the tour")
    try session.press("t")
    try session.wait(for: "1 of 10")
    try session.press("C-q")
    try session.wait(for: "THE END")
    #expect(try session.lineModes("after") == session.lineModes("before"))
  }

  @Test func `a path that leads nowhere is told and stays; one to a database opens it`() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE planets(name)", "INSERT INTO planets VALUES ('Mars')")
      let session = try TerminalSession([])
      try session.wait(for: "the tour")
      try session.press("o")
      try session.send("/nowhere.db")
      try session.press("Enter")
      try session.wait(for: "There is no file")
      try session.press("C-u")
      try session.send(path)
      try session.press("Enter")
      try session.wait(for: "planets")
      try session.press("C-q")
      try session.waitForEnd()
      #expect(try session.exitStatus() == 0)
    }
  }

  @Test func `a path below the tilde is below HOME`() throws {
    let folder = try TemporaryFolder()
    try Fixtures.database("sky.db", in: folder, "CREATE TABLE planets(name)")
    let session = try TerminalSession([], environment: ["HOME": folder.path])
    try session.wait(for: "the tour")
    try session.press("o")
    try session.send("~/sky.db")
    try session.press("Enter")
    try session.wait(for: "planets")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }
}
