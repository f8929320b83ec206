import Foundation
import HostileWorld

/// The figures of a run: what was tried, how often, and what failed.
struct Report {
  private let attacks: [Attack]
  private let tallies: [String: TestBench.Tally]

  init(_ attacks: [Attack], _ tallies: [String: TestBench.Tally]) {
    (self.attacks, self.tallies) = (attacks, tallies)
  }

  /// Prints the figures, and removes the folder if there is no finding.
  ///
  /// Returns whether there is none.
  func write(_ folder: URL) -> Bool {
    for attack in attacks {
      guard let tally = tallies[attack.name] else { continue }
      print("\n\(attack.name): \(attack.summary)")
      print(Self.line("cases", tally.cases))
      for (name, count) in tally.counts.sorted(by: { $0.key < $1.key }) { print(Self.line(name, count)) }
      print(Self.line("findings", tally.findings.count))
      for (title, count) in Dictionary(grouping: tally.findings, by: \.title).mapValues(\.count).sorted(by: { $0.key < $1.key }) {
        print("    \(count) × \(title)")
      }
    }
    let isSound = tallies.values.allSatisfy(\.findings.isEmpty)
    if isSound { try? FileManager.default.removeItem(at: folder) } else { print("\nThe input of the findings is in \(folder.path)") }
    return isSound
  }

  private static func line(_ name: String, _ count: Int) -> String {
    let number = "\(count)"
    return String(repeating: " ", count: max(1, 12 - number.count)) + number + "  " + name
  }
}
