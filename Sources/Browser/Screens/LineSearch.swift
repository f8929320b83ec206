/// Finds a text in lines, in either case of its letters.
enum LineSearch {
  /// Returns the first of the lines from `start` on that has `needle` in it; after the last line comes the first, or the other way round.
  static func index(of needle: String, in lines: [String], from start: Int, backwards: Bool) -> Int? {
    let (count, wanted) = (lines.count, needle.lowercased())
    let order = (0..<count).lazy.map { ((backwards ? start - $0 : start + $0) % count + count) % count }
    return order.first { lines[$0].lowercased().contains(wanted) }
  }

  /// Returns where `needle` stands among the characters of a text.
  static func hits(of needle: String, in letters: [Character]) -> [Range<Int>] {
    let wanted = needle.map { $0.lowercased() }
    guard !wanted.isEmpty, letters.count >= wanted.count else { return [] }
    var hits: [Range<Int>] = []
    var index = 0
    while index <= letters.count - wanted.count {
      let isHit = wanted.indices.allSatisfy { letters[index + $0].lowercased() == wanted[$0] }
      if isHit { hits.append(index..<(index + wanted.count)) }
      index += isHit ? wanted.count : 1
    }
    return hits
  }
}
