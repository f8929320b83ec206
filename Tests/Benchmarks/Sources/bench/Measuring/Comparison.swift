import Foundation

/// Who takes part in a comparison.
enum Contestant: String, CaseIterable {
  case ours
  case c = "C"
  case grdb = "GRDB"
}

/// What the times of the contestants have to be.
enum Goal {
  /// Our time is at most so many times another's.
  case atMost(Double, Contestant)
  /// Another's time is at least so many times ours.
  case timesAsFast(Double, Contestant)
  /// Our time is at most so long.
  case within(Duration)

  /// Tells how far the goal is; nil where somebody it is about took no part.
  func judge(_ times: [Contestant: Duration]) -> Judgement? {
    guard let ours = times[.ours] else { return nil }
    switch self {
    case .atMost(let limit, let contestant):
      return times[contestant].map { Judgement(ratio: ours / $0, contestant: contestant, isMet: ours / $0 <= limit) }
    case .timesAsFast(let limit, let contestant):
      return times[contestant].map { Judgement(ratio: $0 / ours, contestant: contestant, isMet: $0 / ours >= limit) }
    case .within(let limit):
      return Judgement(ratio: ours / limit, contestant: nil, isMet: ours <= limit)
    }
  }
}

/// How far a goal is.
struct Judgement {
  let ratio: Double
  /// Whom the ratio is to; nil where it is to the goal itself.
  let contestant: Contestant?
  let isMet: Bool
}

/// One line of the report: some work, and who does it.
struct Comparison {
  /// Does the work once, and tells how long it took and what came of it, which has to be the same for all.
  typealias Work = () throws -> (time: Duration, checksum: Int64)

  let number: String
  let what: String
  let goals: [Goal]
  let contestants: [(Contestant, Work)]

  /// Lets the contestants take turns, so that whatever else the machine does is shared by all, and keeps the best time of each.
  func run(rounds: Int) throws -> Outcome {
    var best: [Contestant: Duration] = [:]
    var checksum: Int64?
    for _ in 0..<rounds {
      for (contestant, work) in contestants {
        let (time, found) = try work()
        guard checksum == nil || checksum == found else { throw Disagreement(what: what, contestant: contestant) }
        checksum = found
        best[contestant] = min(best[contestant] ?? time, time)
      }
    }
    return Outcome(comparison: self, times: best)
  }
}

/// The times of a comparison.
struct Outcome {
  let comparison: Comparison
  let times: [Contestant: Duration]

  var judgements: [Judgement] { comparison.goals.compactMap { $0.judge(times) } }
}

/// A contestant whose work came to something else than that of the others.
struct Disagreement: Error, CustomStringConvertible {
  let what: String
  let contestant: Contestant

  var description: String { "\(what): \(contestant.rawValue) came to another result than the others" }
}

/// Runs `body`, and tells how long the processor took: what runs here is one thread that waits for nothing, and other programs are not its
/// fault.
func measured(_ body: () throws -> Int64) rethrows -> (time: Duration, checksum: Int64) {
  let start = processorTime()
  let checksum = try body()
  return (processorTime() - start, checksum)
}

private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
