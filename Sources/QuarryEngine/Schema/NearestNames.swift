/// Finds the names that a misspelt one may have meant.
public enum NearestNames {
  /// The candidates that are at most a third of the name's letters away from it, nearest first.
  ///
  ///     NearestNames.to("Trakc", among: ["Album", "Track"])   // ["Track"]
  ///
  /// A letter changed, added, left out or swapped with its neighbour counts as one; case counts for nothing.
  public static func to(_ name: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
    let wanted = Array(name.lowercased())
    let farthest = max(1, wanted.count / 3)
    let near = candidates.compactMap { candidate -> (name: String, distance: Int)? in
      let letters = Array(candidate.lowercased())
      guard abs(letters.count - wanted.count) <= farthest else { return nil }
      let distance = distance(wanted, letters)
      return distance <= farthest ? (candidate, distance) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(limit).map(\.name)
  }

  /// The number of letters changed, added, left out or swapped between two words (optimal string alignment).
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var row = [i + 1]
      row.reserveCapacity(second.count + 1)
      for (j, other) in second.enumerated() {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
