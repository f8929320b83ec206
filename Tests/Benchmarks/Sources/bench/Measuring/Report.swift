import Foundation

/// The table that is printed, one line as soon as it is known.
struct Report {
  private static let widths = [4, 44, 9, 9, 9, 24, 24, 4]

  func begin() {
    line(["#", "what", "ours", "C", "GRDB", "ratio", "goal", "met"])
    line(Self.widths.map { String(repeating: "-", count: $0) })
  }

  func add(_ outcome: Outcome) {
    let times = Contestant.allCases.map { outcome.times[$0].map(Self.text) ?? "" }
    let judgements = outcome.judgements
    let ratios = judgements.map { "\(decimal($0.ratio))× \($0.contestant?.rawValue ?? "the goal")" }.joined(separator: ", ")
    let goals = outcome.comparison.goals.map(\.text).joined(separator: ", ")
    let verdict = judgements.isEmpty ? "" : judgements.allSatisfy(\.isMet) ? "yes" : "NO"
    line([outcome.comparison.number, outcome.comparison.what] + times + [ratios, goals, verdict])
  }

  private func line(_ cells: [String]) {
    let padded = zip(cells, Self.widths).map { cell, width in cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0) }
    print(padded.joined(separator: "  "))
    fflush(nil)
  }

  /// A time in milliseconds, a short one in microseconds.
  static func text(_ time: Duration) -> String {
    let isShort = time < .milliseconds(1)
    let number = time / (isShort ? .microseconds(1) : .milliseconds(1))
    return "\(number.formatted(.number.precision(.fractionLength(0)).grouping(.never))) \(isShort ? "µs" : "ms")"
  }
}

extension Goal {
  /// The goal as the report shows it.
  var text: String {
    switch self {
    case .atMost(let limit, let other): "≤ \(decimal(limit))× \(other.rawValue)"
    case .timesAsFast(let limit, let other): "≥ \(decimal(limit))× as fast as \(other.rawValue)"
    case .within(let limit): "≤ \(Report.text(limit))"
    }
  }
}

private func decimal(_ number: Double) -> String {
  number.formatted(.number.precision(.fractionLength(2)))
}
