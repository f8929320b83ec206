import Foundation
import QuarryEngine
import TestSupport

/// The program as it was built beside these tests.
enum BuiltProgram {
  struct Outcome {
    var ending: ChildProcess.Ending
    var output: Data
    var errors: String

    /// The exit status as a shell has it: 128 and more for a signal.
    var status: Int32 {
      switch ending {
      case .exit(let status): status
      case .signal(let signal): 128 + signal
      }
    }

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  static let url = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("quarry")

  /// Runs the program to its end, with nobody's settings, whatever this machine has.
  static func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try run(url, arguments, input: input, environment: environment)
  }

  static func run(_ program: URL, _ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    let folder = try TemporaryFolder()
    let input = try folder.write(Data(input.utf8), to: "input")
    let process = try ChildProcess(
      [program.path] + arguments, environment: Self.environment(home: folder.path, adding: environment), input: .file(input.path),
      output: .file(folder.path("output")), errors: .file(folder.path("errors")))
    let ending = process.wait()
    return try withExtendedLifetime(folder) {
      Outcome(
        ending: ending, output: try Data(contentsOf: folder.url.appending(path: "output")),
        errors: try String(contentsOfFile: folder.path("errors"), encoding: .utf8))
    }
  }

  /// Starts the program with nobody's settings.
  static func start(
    _ arguments: [String], home: String, environment: [String: String] = [:], output: ChildProcess.Stream = .nothing,
    errors: ChildProcess.Stream = .nothing
  ) throws -> ChildProcess {
    try ChildProcess(
      [url.path] + arguments, environment: Self.environment(home: home, adding: environment), output: output, errors: errors)
  }

  static func environment(home: String, adding others: [String: String] = [:]) -> [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["HOME": home, "PATH": path, "LC_ALL": "C.UTF-8"].merging(others) { $1 }
  }
}

/// A folder that goes with the value that made it.
final class TemporaryFolder {
  let url: URL

  var path: String { url.path }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  func write(_ data: Data, to name: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try data.write(to: file)
    return file
  }

  /// Reads the names and bytes of all that lies in the folder.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? Data(contentsOf: url.appendingPathComponent($0))) ?? Data()) })
  }
}

/// Databases for the tests, made by the engine.
enum Fixtures {
  /// Makes a database in `folder` from statements, each run by itself, and closes it.
  @discardableResult
  static func database(_ name: String = "test.db", in folder: TemporaryFolder, isDefensive: Bool = true, _ statements: String...) throws
    -> String
  {
    var configuration = Configuration()
    configuration.isDefensive = isDefensive
    let path = folder.path(name)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in
      for sql in statements { try db.execute(sql: sql) }
    }
    try queue.close()
    return path
  }

  /// Makes a small database with a value of each storage class.
  static func values(in folder: TemporaryFolder) throws -> String {
    try database(
      in: folder,
      "CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB)",
      "INSERT INTO things VALUES (1, 'it''s', 1.5, x'00ff'), (2, NULL, 9e999, NULL), (3, '', -0.1, x'')",
      "CREATE VIEW names AS SELECT name FROM things",
      "CREATE TABLE blank(a, b)")
  }

  /// The sqlite3 shell; nil where it is not installed.
  static let shell: URL? = program("sqlite3")

  /// Finds a program in the folders of `PATH`; nil where it is not installed.
  static func program(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
