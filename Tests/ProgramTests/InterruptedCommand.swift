import Foundation
import TestSupport
import Testing

/// A command that a signal ends at random moments.
///
/// A moment is a number of reads and writes, between none and as many as the command makes when it is left alone: so the first and the last
/// of its steps, which take no time, are hit as well as the long ones.
struct InterruptedCommand {
  /// Whether the system tells how many reads and writes a program has made.
  static let isPossible = FileManager.default.fileExists(atPath: "/proc/self/io")

  let arguments: [String]
  let folder: TemporaryFolder

  /// How the command has ended, and when the signal was sent.
  struct Interruption: CustomStringConvertible {
    let ending: ChildProcess.Ending
    let signal: Int32
    let calls: Int
    let seed: UInt64

    var description: String { "signal \(signal) after \(calls) reads and writes, seed \(seed): \(ending)" }
  }

  /// Runs the command again and again, each time ended by SIGKILL or SIGINT, and once to its end.
  ///
  /// - Parameters:
  ///   - prepare: Makes what the command begins with; is called before each run.
  ///   - check: Looks at what an interrupted run has left.
  func run(times: Int, prepare: () throws -> Void, check: (Interruption) throws -> Void) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(arguments[0]) is interrupted at random: seed \(seed)")
    var random = SplitMix(seed: seed)
    try prepare()
    let (usual, ending) = try start(until: .max, SIGKILL)
    try #require(ending == .exit(0))
    for _ in 0..<times {
      try prepare()
      let calls = Int.random(in: 0...usual, using: &random)
      let signal = [SIGKILL, SIGINT].randomElement(using: &random) ?? SIGKILL
      let (_, ending) = try start(until: calls, signal)
      try check(Interruption(ending: ending, signal: signal, calls: calls, seed: seed))
    }
    try prepare()
    #expect(try start(until: .max, SIGKILL).ending == .exit(0))
  }

  /// Runs the command, and sends it a signal once it has made so many reads and writes.
  private func start(until limit: Int, _ signal: Int32) throws -> (calls: Int, ending: ChildProcess.Ending) {
    let process = try BuiltProgram.start(arguments, home: folder.path, environment: ["TMPDIR": folder.path])
    var calls = 0
    while let made = Self.calls(of: process.identifier), !Self.hasEnded(process.identifier) {
      calls = max(calls, made)
      if calls >= limit { break }
      sched_yield()
    }
    process.send(signal)
    return (calls, process.wait())
  }

  private static func calls(of process: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8) else { return nil }
    return text.split(separator: "\n").filter { $0.hasPrefix("syscr: ") || $0.hasPrefix("syscw: ") }
      .compactMap { Int($0.dropFirst("syscr: ".count)) }.reduce(0, +)
  }

  /// Whether the process has ended, and waits to be asked how.
  private static func hasEnded(_ process: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last.map { $0.hasPrefix(" Z") } ?? true
  }
}
