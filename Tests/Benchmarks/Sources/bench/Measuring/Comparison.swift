import Foundation
import Synchronization

/// Who takes part in a comparison.
enum Contestant: String {
  case ours
  case c = "C"
  /// C's functions, called from a loop in Swift.
  case loop = "Swift"
  case grdb = "GRDB"
  case shell = "sqlite3"
  /// SQLite's program that compares databases.
  case sqldiff
  /// The shell of dqlite.
  case dqlite
  /// A question and an answer over the network, with nothing done.
  case bare
  /// We on a table with a tenth of the rows.
  case tenth = "1/10"
  /// The text itself of what has changed on the screen.
  case text
  /// The same statement on the file itself.
  case file

  /// Those that have a column in the report.
  static let columns: [Contestant] = [.ours, .c, .loop, .grdb, .shell, .sqldiff, .dqlite, .bare, .tenth, .text, .file]
}

/// What our amount has to be.
enum Goal {
  /// At most so many times another's, and so much more.
  case atMost(Double, Contestant, plus: Amount? = nil)
  /// Another's is at least so many times ours.
  case timesAsFast(Double, Contestant)
  /// At most so much.
  case within(Amount)
  /// At most so many times another's, and not less than another's divided by that.
  case near(Double, Contestant)

  /// Returns whether the goal is met; nil where somebody it is about took no part.
  func isMet(by amounts: [Contestant: Amount]) -> Bool? {
    guard let ours = amounts[.ours] else { return nil }
    switch self {
    case .atMost(let limit, let contestant, let more):
      return amounts[contestant].map { other in
        let bound = other * limit
        return ours <= (more.map { bound + $0 } ?? bound)
      }
    case .timesAsFast(let limit, let contestant): return amounts[contestant].map { $0 / ours >= limit }
    case .within(let limit): return ours <= limit
    case .near(let factor, let contestant): return amounts[contestant].map { (1 / factor...factor).contains(ours / $0) }
    }
  }
}

/// One line of the report: some work, and who does it.
struct Comparison {
  /// What a contestant's work took, and what came of it, which has to be the same for all; nil where nothing is to be compared.
  typealias Result = (amount: Amount, checksum: Int64?)
  typealias Work = () throws -> Result

  let number: String
  let what: String
  let goals: [Goal]
  /// What is really aimed at.
  var stretch: [Goal] = []
  let contestants: [(Contestant, Work)]

  /// Lets the contestants take turns, so that whatever else the machine does is shared by all, and keeps the best of each.
  func run(rounds: Int) throws -> Outcome {
    var best: [Contestant: Amount] = [:]
    var expected: Int64?
    for _ in 0..<rounds {
      for (contestant, work) in contestants {
        let (amount, checksum) = try work()
        guard expected == nil || checksum == nil || checksum == expected else { throw Disagreement(what: what, contestant: contestant) }
        expected = checksum ?? expected
        best[contestant] = min(best[contestant] ?? amount, amount)
      }
    }
    return Outcome(comparison: self, amounts: best)
  }
}

/// What the contestants took.
struct Outcome {
  let comparison: Comparison
  let amounts: [Contestant: Amount]
}

/// A contestant whose work came to something else than that of the others.
struct Disagreement: Error, CustomStringConvertible {
  let what: String
  let contestant: Contestant

  var description: String { "\(what): \(contestant.rawValue) came to another result than the others" }
}

/// Runs `body`, and tells how long the processor took: what runs here is one thread that waits for nothing, and other programs are not its
/// fault.
func measured(_ body: () throws -> Int64) rethrows -> Comparison.Result {
  let start = processorTime()
  let checksum = try body()
  return (.seconds(processorTime() - start), checksum)
}

/// Runs `body`, and tells how long it took on the clock: what waits for the disk.
func timed(_ body: () throws -> Void) rethrows -> Amount {
  let start = ContinuousClock.now
  try body()
  return .seconds((ContinuousClock.now - start) / .seconds(1))
}

/// Runs what is asynchronous, and waits for its end.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let end = DispatchSemaphore(value: 0)
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task.detached {
    do {
      let value = try await body()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    end.signal()
  }
  end.wait()
  guard let value = result.withLock({ $0 }) else { throw CancellationError() }
  return try value.get()
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What is measured: a time or a number of bytes.
struct Amount: Comparable, Sendable {
  enum Unit: Sendable {
    case seconds
    case bytes
  }

  var value: Double
  let unit: Unit

  static func seconds(_ value: Double) -> Amount { Amount(value: value, unit: .seconds) }
  static func milliseconds(_ value: Double) -> Amount { .seconds(value / 1e3) }
  static func bytes(_ value: Double) -> Amount { Amount(value: value, unit: .bytes) }
  static func mebibytes(_ value: Double) -> Amount { .bytes(value * 1_048_576) }

  static func < (first: Amount, second: Amount) -> Bool { first.value < second.value }
  static func / (first: Amount, second: Amount) -> Double { first.value / second.value }
  static func / (amount: Amount, count: Int) -> Amount { Amount(value: amount.value / Double(count), unit: amount.unit) }
  static func * (amount: Amount, factor: Double) -> Amount { Amount(value: amount.value * factor, unit: amount.unit) }
  static func + (first: Amount, second: Amount) -> Amount { Amount(value: first.value + second.value, unit: first.unit) }

  /// The amount in the unit that people would take: `345 ms`, `41 MiB`.
  var text: String {
    let scales: [(Double, String)] =
      switch unit {
      case .seconds: [(1e-3, "ms"), (1e-6, "µs")]
      case .bytes: [(1_048_576, "MiB"), (1024, "KiB"), (1, "B")]
      }
    let (scale, name) = scales.first { value >= $0.0 } ?? scales[scales.count - 1]
    let number = value / scale
    let digits = number < 9.95 && name != "B" ? 1 : 0
    return "\(number.formatted(.number.precision(.fractionLength(digits)).grouping(.never))) \(name)"
  }
}

extension Amount {
  /// Returns the amount that so large a part of some is not above, such as 0.99; the greatest of few.
  static func percentile(_ part: Double, of amounts: [Amount]) -> Amount {
    let sorted = amounts.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
