import Foundation
import Loops

/// The program that people run, and how the benchmark runs it: with settings and a memory of its own.
struct Program {
  let path: String
  private let home: URL

  /// Finds or builds the program.
  ///
  /// - Parameter path: The program; nil to build its release.
  init(path: String?, home: URL) throws {
    self.path = try path ?? Self.built()
    self.home = home
  }

  /// What the program is to know: for each start folders that nothing has been kept in.
  var environment: [String: String] {
    let folder = home.appending(path: UUID().uuidString).path(percentEncoded: false)
    let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].map { ($0, folder) }
    return ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"].merging(folders) { $1 }
  }

  private static func built() throws -> String {
    // Of Tests/Benchmarks/Sources/bench/Measuring/Program.swift.
    let root = (0..<6).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path(percentEncoded: false)
    let command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "quarry", "--package-path", root]
    try run("/usr/bin/env", command, output: FileHandle.standardError)
    let folder = try output(of: "/usr/bin/env", command + ["--show-bin-path"])
    return folder.trimmingCharacters(in: .whitespacesAndNewlines) + "/quarry"
  }

  /// Returns how long the program takes to write all that it has to say.
  ///
  /// - Parameter status: With what it has to end.
  func time(_ arguments: [String], exit status: Int32 = 0) throws -> Amount {
    try time(path, arguments, exit: status)
  }

  /// Returns how long another program takes for that.
  func time(_ name: String, _ arguments: [String], exit status: Int32 = 0) throws -> Amount {
    try withCStrings([name] + arguments) { words in
      try withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        let start = ContinuousClock.now
        guard loops_run(words, environment) == status << 8 else { throw CError("\(name) failed") }
        return .seconds((ContinuousClock.now - start) / .seconds(1))
      }
    }
  }

  /// Returns how much memory the program has at most while it runs.
  func memory(_ arguments: [String]) throws -> Amount {
    try withCStrings([path] + arguments) { words in
      try withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        var peak: Int64 = 0
        guard loops_run_measured(words, environment, &peak) == 0 else { throw CError("\(path) failed") }
        return .bytes(Double(peak))
      }
    }
  }

  private static func run(_ path: String, _ arguments: [String], output: Any) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CError("\(path) ended with \(process.terminationStatus)") }
  }

  private static func output(of path: String, _ arguments: [String]) throws -> String {
    let pipe = Pipe()
    try run(path, arguments, output: pipe)
    return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
  }
}

/// Lends texts as C has them, with a NULL behind the last.
func withCStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result) rethrows -> Result {
  let copies = texts.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return try body(copies)
}
