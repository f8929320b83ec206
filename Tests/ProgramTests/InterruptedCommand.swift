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
    let counter = CallCounter(of: process.identifier)
    let calls = counter.wait(until: limit) { Self.hasEnded(process.identifier) }
    process.send(signal)
    return (calls, process.wait())
  }

  /// Whether the process has ended, and waits to be asked how.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
  }
}

/// How many reads and writes a program makes, which the system counts.
final class CallCounter {
  private let file: Int32

  init(of process: pid_t) {
    file = open("/proc/\(process)/io", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    close(file)
  }

  /// The sum of `syscr` and `syscw`; nil once the program is gone.
  var count: Int? {
    var text = [UInt8](repeating: 0, count: 512)
    let count = pread(file, &text, text.count, 0)
    guard count > 0 else { return nil }
    let lines = text[..<count].split(separator: UInt8(ascii: "\n"), maxSplits: 4)
    guard lines.count > 3 else { return nil }
    return lines[2...3].reduce(0) { sum, line in
      sum + line.reduce(0) { number, byte in (0x30...0x39).contains(byte) ? number * 10 + Int(byte - 0x30) : number }
    }
  }

  /// Waits until there are so many, or until something else is so; returns how many there were.
  func wait(until limit: Int, orUntil isOver: () -> Bool) -> Int {
    var calls = 0
    while let made = count, !isOver() {
      calls = max(calls, made)
      if calls >= limit { break }
      // The processor is for the program: looking again at once would take one of its own, and be no more exact where there are but two.
      usleep(20)
    }
    return calls
  }
}
