/// The keywords of SQLite's SQL.
public enum SQLKeywords {
  /// All 147, in capitals and in the order of the alphabet; see <https://www.sqlite.org/lang_keywords.html>.
  ///
  /// ```swift
  /// SQLKeywords.all.first   // ABORT
  /// ```
  public static let all = SQLIdentifier.keywords.subtracting(["FALSE", "TRUE"]).sorted()

  /// Whether a word, in the UTF-8 of any case, is one of them.
  static func contains(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, word.count <= longest else { return false }
    let bucket = bucket(length: word.count, first: first)
    return stride(from: starts[bucket], to: starts[bucket + 1], by: word.count).contains { start in
      letters[start..<start + word.count].elementsEqual(word.lazy.map(\.asciiLowercased))
    }
  }

  private static let longest = all.map(\.utf8.count).max() ?? 0

  /// The keywords in small letters one after the other, by length and first letter: a hash of every word of a long line would cost more.
  private static let letters = buckets.joined().joined().map { $0 }
  /// Where the keywords of each length and first letter begin.
  private static let starts = buckets.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.joined().count) }

  private static var buckets: [[[UInt8]]] {
    var buckets: [[[UInt8]]] = Array(repeating: [], count: 32 * (longest + 1))
    for keyword in all.map({ Array($0.lowercased().utf8) }) {
      buckets[bucket(length: keyword.count, first: keyword.first ?? 0)].append(keyword)
    }
    return buckets
  }

  private static func bucket(length: Int, first: UInt8) -> Int {
    32 * length + Int(first & 0x1F)
  }
}
