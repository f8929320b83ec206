import Foundation

/// The program as it was built beside these tests.
enum BuiltProgram {
  struct Outcome {
    var status: Int32
    var output: Data
    var errors: String

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
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = Self.environment(home: folder.path, adding: environment)
    process.standardInput = try FileHandle(forReadingFrom: try folder.write(Data(input.utf8), to: "input"))
    let output = try folder.write(Data(), to: "output")
    let errors = try folder.write(Data(), to: "errors")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return try withExtendedLifetime(folder) {
      Outcome(
        status: process.terminationStatus, output: try Data(contentsOf: output),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
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

  /// The names and bytes of all that lies in the folder.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? Data(contentsOf: url.appendingPathComponent($0))) ?? Data()) })
  }
}
