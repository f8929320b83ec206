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
  private let nextCase = Atomic<Int>(0)

  public init(_ world: World, attacks: [Attack], seed: UInt64) {
    (self.world, self.attacks, self.seed) = (world, attacks, seed)
    tallies = Mutex(Dictionary(uniqueKeysWithValues: attacks.map { ($0.name, Tally()) }))
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
      while end.map({ .now < $0 }) ?? true {
        let number = nextCase.add(1, ordering: .relaxed).oldValue
        guard number < cases else { break }
        play(number, report)
      }
    }
    return tallies.withLock { $0 }
  }

  private func play(_ number: Int, _ report: @Sendable (Trial.Finding) -> Void) {
    let attack = attacks[number % attacks.count]
    var random = CaseRandom(seed: seed &+ UInt64(number / attacks.count))
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
