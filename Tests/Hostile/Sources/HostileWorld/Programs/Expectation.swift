import Foundation
import Synchronization

/// What a command does if nothing goes wrong.
struct Expectation: Sendable {
  /// The files with which it begins.
  var originals: [String: [UInt8]]
  var before: String
  var after: String
  /// The states between its parts.
  var parts: [String]
  var status: Int32
  var output: Data
  /// The number of its system calls.
  var calls: [FaultShim.Call: Int]

  /// Returns what a file contains: the SQL of a database that SQLite finds sound, or the bytes of another file.
  static func state(of name: String?, in trial: Trial) throws -> String {
    guard let name, let bytes = trial.files.read(name) else { return "nothing" }
    guard bytes.starts(with: Array("SQLite format 3".utf8)) || bytes.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    let check = try trial.shell([trial.files.path(name), "PRAGMA integrity_check"])
    guard check.text == "ok\n" else { return "damaged: \(check.text)\(check.errors)" }
    return try trial.shell([trial.files.path(name), ".dump"]).text
  }
}

/// The expectations of all commands, each found once by running the command.
final class ExpectationStore: Sendable {
  private let known = Mutex<[String: Expectation]>([:])

  func expectation(of command: Command, journal: String, in trial: Trial) throws -> Expectation {
    try known.withLock { known in
      let key = "\(command.name) \(journal)"
      if let expectation = known[key] { return expectation }
      let expectation = try Self.find(command, journal, trial)
      known[key] = expectation
      return expectation
    }
  }

  private static func find(_ command: Command, _ journal: String, _ trial: Trial) throws -> Expectation {
    let originals = try Command.originals(journal: journal, in: trial)
    var parts: [String] = []
    for words in command.parts {
      try trial.begin(command, originals)
      try trial.quarry(command.arguments(words, in: trial.files))
      parts.append(try Expectation.state(of: command.result, in: trial))
    }
    try trial.begin(command, originals)
    let before = try Expectation.state(of: command.result, in: trial)
    let counts = trial.folder.appending(path: "counts").path
    try? FileManager.default.removeItem(atPath: counts)
    let run = try trial.quarry(
      command.arguments(command.words, in: trial.files), environment: trial.world.shim.environment(counts: counts, for: trial))
    let status = run.status ?? -1
    guard [0, 1].contains(status), command.result == nil || status == 0 else {
      throw World.MissingProgram(description: "\(command.name): \(run.errors)")
    }
    let after = try Expectation.state(of: command.result, in: trial)
    return Expectation(
      originals: originals, before: before, after: after, parts: parts, status: status, output: run.output,
      calls: FaultShim.counts(at: counts))
  }
}

extension Trial {
  /// Restores files, with nothing remembered.
  func begin(with originals: [String: [UInt8]]) throws {
    try files.replace(with: originals)
    for name in ["home", "tmp"] {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
  }

  /// Prepares the files of a command, with nothing remembered.
  func begin(_ command: Command, _ originals: [String: [UInt8]]) throws {
    try begin(with: originals)
    for words in command.preparation {
      let run = try quarry(command.arguments(words, in: files))
      expect(run.isSuccess, "\(words[0]): fails without a fault", run.errors)
    }
  }
}
