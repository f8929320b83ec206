extension String {
  /// Returns whether SQLite takes both for the same name: without regard to the case of ASCII letters, and of those alone.
  package func isSameIdentifier(as other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension String {
  /// The text with the small letters of ASCII capitals, as SQLite compares names.
  package var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

/// Finds the names that a misspelt one may have meant.
package enum NearestNames {
  /// Returns the candidates that are at most a third of the name's letters away from it, nearest first.
  ///
  ///     NearestNames.to("Trakc", among: ["Album", "Track"])   // ["Track"]
  ///
  /// A letter changed, added, left out or swapped with its neighbour counts as one; case counts for nothing.
  package static func to(_ name: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
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

  /// Returns the number of letters changed, added, left out or swapped between two words (optimal string alignment).
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
