/// Finds the name that somebody probably meant.
enum NearestName {
  /// Returns the candidate with the fewest edits from `name`, if they are few for its length.
  static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 3)
    let wanted = Array(name.utf8)
    guard wanted.count <= 64 else { return nil }
    let ranked = candidates.map { (name: $0, edits: edits(wanted, Array($0.utf8))) }
    return ranked.filter { $0.edits <= limit }.min { $0.edits < $1.edits }?.name
  }

  /// The insertions, removals, changes and swaps of neighbours that make one of the other.
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
