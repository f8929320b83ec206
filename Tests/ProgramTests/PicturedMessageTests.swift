import Foundation
import TestSupport
import Testing

/// What a hostile database, path or environment holds never reaches a terminal as it is.
@Suite(.gated) struct PicturedMessageTests {
  /// A sequence that clears the screen, a bell, a C1 control and marks of writing direction.
  private static let hostile = "x\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{2066}y"

  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    let name = Self.hostile
    file = try Fixtures.database(
      in: folder, "CREATE TABLE \"\(name)\"(\"\(name)\" INTEGER, b UNIQUE, CHECK (b <> 7))", "INSERT INTO \"\(name)\" VALUES (1, 2)",
      "CREATE TRIGGER \"t\(name)\" BEFORE DELETE ON \"\(name)\" BEGIN SELECT RAISE(ABORT, 'no: \(name)'); END",
      "CREATE VIEW \"v\(name)\" AS SELECT missing FROM \"gone\(name)\"")
  }

  private func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A: true
      case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
  }

  /// The arguments of every kind of failure; F is the database.
  private static let failures: [[String]] = {
    let name = hostile
    return [
      ["tables", "/nowhere/\(name).db"], ["F", name], ["rows", "F", "no\(name)"], ["schema", "F", "no\(name)"], ["rows", "F", "v\(name)"],
      ["rows", "F", name, "--where", "\(name) = 1"], ["rows", "F", name, "--where", "\"\(name)\" = 'a"],
      ["rows", "F", name, "--where", "[\(name)] = abc"],
      ["rows", "F", name, "--sort", name], ["rows", "F", name, "--columns", "no\(name)"],
      ["rows", "F", name, "--where", "b = :x", "-p", "\(name)=1"],
      ["rows", "F", name, "--format", name], ["rows", "F", name, "--\(name)"], ["rows", "F", name, "--limit", name],
      ["query", "F", "SELECT \(name)"],
      ["query", "F", "DELETE FROM \"\(name)\""], ["query", "F", "INSERT INTO \"\(name)\" VALUES (3, 2)"],
      ["query", "F", "INSERT INTO \"\(name)\" VALUES (3, 7)"],
      ["query", "F", "SELECT :x", "-p", "x:integer=\(name)"], ["query", "F", "-f", name], ["query", "F", "--statement", name],
      ["query", "F", "SELECT :b", "-p", "b:blob=@\(name)"], ["query", "F", "ATTACH '/nowhere/\(name)' AS a"],
      ["query", "F", "-- :\(name) nonsense\nSELECT 1"],
      ["filter-check", "F", "no\(name)", "b = 1"], ["config", "--check", name], ["config", "--\(name)"], ["themes", name], ["keys", name],
      ["--demo", "-t", name], ["--demo", "--theme", name], ["--demo", "-t", "reminders", "--where", name + " ="],
      ["F", "--log", "/nowhere/\(name)"],
      ["--demo", "-t", "reminders", "--sort", name], ["--demo", name], [name],
    ]
  }()

  @Test(arguments: failures)
  func `messages are pictured`(_ arguments: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments.map { $0 == "F" ? file : $0 })
    #expect(isSafe(outcome.errors), "\(outcome.errors.debugDescription)")
    #expect(outcome.status == 0 ? arguments[0] == "query" : !outcome.errors.isEmpty)
  }

  @Test func `warnings on settings are pictured`() throws {
    let settings = folder.url.appendingPathComponent("quarry")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    let text = #"theme = "x\u001b[2J\u0007\u009b31m\u202e""# + "\n\"k\u{202e}\" = 1\n# \u{1b}\n"
    try Data(text.utf8).write(to: settings.appendingPathComponent("config.toml"))
    let outcome = try BuiltProgram.run("config", environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(!outcome.errors.isEmpty && isSafe(outcome.errors), "\(outcome.errors.debugDescription)")
  }

  @Test(arguments: [
    ["schema", "F"], ["rows", "F", hostile, "-csv"], ["rows", "F", hostile, "--show-sql"], ["tables", "F"],
    ["query", "F", "SELECT '\(hostile)' AS '\(hostile)'", "-json"], ["config"], ["themes"],
  ])
  func `data are pictured on a terminal, and exact in a pipe`(_ arguments: [String]) throws {
    let words = arguments.map { $0 == "F" ? file : $0 }
    let session = try TerminalSession(words)
    try session.waitForEnd()
    try session.wait(for: "THE END")
    #expect(try session.exitStatus() == 0)
    let shown = try session.output.replacing("\r\n", with: "\n")
    #expect(isSafe(shown), "\(shown.debugDescription)")
    let exact = try BuiltProgram.run(BuiltProgram.url, words).text
    #expect(exact.contains(Self.hostile) == (words.contains(file) && !words.contains("-json")))
  }
}
