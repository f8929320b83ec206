import Foundation
import Synchronization

/// Plays cases of attacks, several at a time, until a budget is used up.
public final class TestBench: Sendable {
  /// What was tried, and how often.
  public struct Tally: Sendable {
    public var cases = 0
    public var counts: [String: Int] = [:]
    public var findings: [Trial.Finding] = []
  }

  private let world: World
  private let attacks: [Attack]
  private let seed: UInt64
  private let tallies: Mutex<[String: Tally]>
  private let plan: Mutex<[Share]>

  /// The part of the time that an attack has had.
  private struct Share {
    var spent = Duration.zero
    var cases = 0
  }

  public init(_ world: World, attacks: [Attack], seed: UInt64) {
    (self.world, self.attacks, self.seed) = (world, attacks, seed)
    tallies = Mutex(Dictionary(uniqueKeysWithValues: attacks.map { ($0.name, Tally()) }))
    plan = Mutex(attacks.map { _ in Share() })
  }

  /// Plays cases until the time is over, or a number of cases has been played.
  ///
  /// - Parameters:
  ///   - jobs: The number of cases at a time.
  ///   - report: Called for each finding of a kind that was not found before.
  public func run(
    until end: ContinuousClock.Instant?, cases: Int = .max, jobs: Int, report: @escaping @Sendable (Trial.Finding) -> Void
  ) -> [String: Tally] {
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while end.map({ .now < $0 }) ?? true, let (attack, number) = next(upTo: cases) {
        let start = ContinuousClock.now
        play(attacks[attack], number, report)
        plan.withLock { $0[attack].spent += .now - start }
      }
    }
    return tallies.withLock { $0 }
  }

  /// Returns the attack that has had the least time, and the number of its next case.
  private func next(upTo limit: Int) -> (attack: Int, number: Int)? {
    plan.withLock { plan in
      guard plan.map(\.cases).reduce(0, +) < limit, let attack = plan.indices.min(by: { plan[$0].spent < plan[$1].spent }) else {
        return nil
      }
      defer {
        plan[attack].cases += 1
        // The next job takes another attack.
        plan[attack].spent += .milliseconds(1)
      }
      return (attack, plan[attack].cases)
    }
  }

  private func play(_ attack: Attack, _ number: Int, _ report: @Sendable (Trial.Finding) -> Void) {
    var random = CaseRandom(seed: seed &+ UInt64(number))
    let (counts, findings) = attack.run(seed: random.next() >> 16, in: world)
    for finding in add(counts, findings, to: attack.name) { report(finding) }
  }

  /// Adds what a case has found, and returns the findings of new kinds.
  ///
  /// The files of the fourth and later of a kind are removed.
  private func add(_ counts: [String: Int], _ findings: [Trial.Finding], to name: String) -> [Trial.Finding] {
    tallies.withLock { tallies in
      var new: [Trial.Finding] = []
      var tally = tallies[name] ?? Tally()
      tally.cases += 1
      tally.counts.merge(counts, uniquingKeysWith: +)
      for finding in findings {
        let known = tally.findings.count { $0.title == finding.title }
        if known < 3 { new.append(finding) } else if let folder = finding.folder { try? FileManager.default.removeItem(atPath: folder) }
        tally.findings.append(finding)
      }
      tallies[name] = tally
      return new
    }
  }
}
