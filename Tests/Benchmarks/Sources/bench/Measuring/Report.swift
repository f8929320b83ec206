import Foundation

/// The table that is printed, one line as soon as it is known.
struct Report {
  private static let widths = [4, 46] + Contestant.columns.map { _ in 8 } + [22, 22, 4, 20, 4]

  func begin() {
    line(["#", "what"] + Contestant.columns.map(\.rawValue) + ["ratio", "goal", "met", "stretch", "met"])
    line(Self.widths.map { String(repeating: "-", count: $0) })
  }

  func add(_ outcome: Outcome) {
    let (comparison, amounts) = (outcome.comparison, outcome.amounts)
    let cells = Contestant.columns.map { amounts[$0]?.text ?? "" }
    line(
      [comparison.number, comparison.what] + cells + [outcome.ratios]
        + [comparison.goals, comparison.stretch].flatMap { [Self.text(of: $0), Self.verdict(on: $0, amounts)] })
  }

  private static func text(of goals: [Goal]) -> String {
    goals.map(\.text).joined(separator: ", ")
  }

  private static func verdict(on goals: [Goal], _ amounts: [Contestant: Amount]) -> String {
    let verdicts = goals.compactMap { $0.isMet(by: amounts) }
    return verdicts.isEmpty ? "" : verdicts.allSatisfy(\.self) ? "yes" : "NO"
  }

  private func line(_ cells: [String]) {
    let padded = zip(cells, Self.widths).map { cell, width in cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0) }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    print(line)
    fflush(nil)
  }
}

extension Outcome {
  /// How many times another's amount ours is, for each who took part.
  fileprivate var ratios: String {
    guard let ours = amounts[.ours] else { return "" }
    let others = Contestant.columns.dropFirst().compactMap { other in amounts[other].map { "\(decimal(ours / $0))× \(other.rawValue)" } }
    return others.joined(separator: ", ")
  }
}

extension Goal {
  /// The goal as the report shows it.
  var text: String {
    switch self {
    case .atMost(let limit, let other, let more):
      "≤ \(limit == 1 && more != nil ? "" : "\(decimal(limit))× ")\(other.rawValue)\(more.map { " + \($0.text)" } ?? "")"
    case .timesAsFast(let limit, let other): "≥ \(decimal(limit))× as fast as \(other.rawValue)"
    case .within(let limit): "≤ \(limit.text)"
    case .near(let factor, let other): "\(decimal(1 / factor))× to \(decimal(factor))× \(other.rawValue)"
    }
  }
}

private func decimal(_ number: Double) -> String {
  number.formatted(.number.precision(.fractionLength(2)))
}
