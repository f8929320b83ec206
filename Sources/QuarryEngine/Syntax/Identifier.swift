extension String {
  /// Returns whether SQLite treats both as the same name, ignoring only the case of ASCII letters.
  package func isSameIdentifier(as other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension String {
  /// The text with ASCII letters in lower case, for comparing names as SQLite does.
  package var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

/// A search for names similar to a misspelled name.
package enum NearestNames {
  /// Returns the candidates whose distance from the name is at most a third of its letters, nearest first.
  ///
  ///     NearestNames.to("Trakc", among: ["Album", "Track"])   // ["Track"]
  ///
  /// A changed, added, omitted or transposed letter counts as one; case is ignored.
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

  /// Returns the number of changed, added, omitted or transposed letters between two words (optimal string alignment).
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
