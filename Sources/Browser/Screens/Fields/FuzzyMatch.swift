/// How well a text matches what was typed: its letters in order, not necessarily side by side.
struct FuzzyMatch: Hashable, Sendable {
  /// Greater is better.
  let score: Int
  /// Which characters of the text were matched.
  let positions: [Int]

  /// Matches without regard to case; nil where a letter is missing.
  ///
  /// An empty pattern matches everything alike.
  init?(_ pattern: String, in text: String) {
    let wanted = Array(pattern.lowercased().filter { !$0.isWhitespace })
    let original = Array(text)
    let letters = Array(text.lowercased())
    guard !wanted.isEmpty else {
      (score, positions) = (0, [])
      return
    }
    // Lowercasing may change the number of characters ("İ"); places are only known where it does not.
    guard letters.count == original.count else { return nil }
    let places = FuzzyMatch.places(of: wanted, in: letters)
    if let start = places.first(where: { FuzzyMatch.isWordStart(original, $0) }) ?? places.first {
      positions = Array(start..<(start + wanted.count))
      let isWhole = wanted.count == letters.count
      score = 1_000 + (isWhole ? 1_000 : start == 0 ? 500 : FuzzyMatch.isWordStart(original, start) ? 250 : 0) - letters.count
      return
    }
    var found: [Int] = []
    var total = 0
    for (index, letter) in letters.enumerated() where found.count < wanted.count && letter == wanted[found.count] {
      total += FuzzyMatch.isWordStart(original, index) ? 20 : 0
      total += found.last == index - 1 ? 15 : 0
      found.append(index)
    }
    guard found.count == wanted.count else { return nil }
    positions = found
    score = total - letters.count
  }

  private static func places(of wanted: [Character], in letters: [Character]) -> [Int] {
    guard wanted.count <= letters.count else { return [] }
    return (0...(letters.count - wanted.count)).filter { letters[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  private static func isWordStart(_ text: [Character], _ index: Int) -> Bool {
    guard index > 0 else { return true }
    let before = text[index - 1]
    return !(before.isLetter || before.isNumber) || (before.isLowercase && text[index].isUppercase)
  }
}
