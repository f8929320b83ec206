import QuarryEngine
import TestSupport
import Testing

/// Random patterns against what their trees say by definition: the places at which each part can end.
@Suite(.gated) struct RegularExpressionOracleTests {
  @Test("Random patterns match the texts that their definition says", arguments: 1...8 as ClosedRange<UInt64>)
  func definition(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<testRounds(600) {
      let tree = PatternTree.random(depth: 4, &random)
      let matcher = RegularExpressionMatcher(try RegularExpression(tree.pattern))
      for _ in 0..<12 {
        let text = (0..<random.below(8)).map { _ in PatternTree.letters[random.below(PatternTree.letters.count)] }
        let expected = tree.isFound(in: text)
        if matcher.matches(String(text)) != expected {
          Issue.record("\(tree.pattern) in \(String(text).debugDescription): not \(expected)")
        }
      }
    }
  }

  @Test("Random texts are patterns, or faults with a place in them", arguments: 1...4 as ClosedRange<UInt64>)
  func randomTexts(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let characters = Array("ab(é)[]{}|*+?^$\\-:,123.dwbx=i")
    for _ in 0..<testRounds(5_000) {
      let pattern = String((0..<random.below(14)).map { _ in characters[random.below(characters.count)] })
      do throws(RegularExpressionError) {
        _ = try RegularExpression(pattern).matches("aab(é)12")
      } catch {
        let isInside = error.range.lowerBound >= 0 && error.range.upperBound <= pattern.utf8.count && !error.range.isEmpty
        if !isInside { Issue.record("\(pattern): \(error.range)") }
      }
    }
  }
}

/// A pattern as a tree, which says by itself what it matches.
private indirect enum PatternTree {
  case letters([Character], isNegated: Bool)
  case anything
  case start, end
  case boundary(isNegated: Bool)
  case sequence([PatternTree])
  case either([PatternTree])
  case repeated(PatternTree, Int, Int?)

  static let letters: [Character] = ["a", "b", "é", " ", "_"]

  static func random(depth: Int, _ random: inout SplitMix) -> PatternTree {
    switch depth > 0 ? random.below(12) : random.below(4) {
    case 0, 1: return .letters([letters[random.below(letters.count)]], isNegated: false)
    case 2: return .anything
    case 3:
      let members = letters.filter { _ in random.below(2) == 0 }
      return .letters(members.isEmpty ? ["a"] : members, isNegated: random.below(2) == 0)
    case 4: return random.below(2) == 0 ? .start : .end
    case 5: return .boundary(isNegated: random.below(2) == 0)
    case 6, 7, 8: return .sequence((0..<random.below(4)).map { _ in .random(depth: depth - 1, &random) })
    case 9: return .either((0..<1 + random.below(3)).map { _ in .random(depth: depth - 1, &random) })
    default:
      let least = random.below(3)
      let most = random.below(3) == 0 ? nil : least + random.below(3)
      return .repeated(.random(depth: depth - 1, &random), least, most)
    }
  }

  var pattern: String {
    switch self {
    case .letters(let letters, let isNegated):
      letters.count == 1 && !isNegated ? String(letters) : "[\(isNegated ? "^" : "")\(String(letters))]"
    case .anything: "."
    case .start: "^"
    case .end: "$"
    case .boundary(let isNegated): isNegated ? "\\B" : "\\b"
    case .sequence(let parts): "(\(parts.map(\.pattern).joined()))"
    case .either(let parts): "(\(parts.map(\.pattern).joined(separator: "|")))"
    case .repeated(let part, let least, let most): "(\(part.pattern))" + Self.quantifier(least, most)
    }
  }

  private static func quantifier(_ least: Int, _ most: Int?) -> String {
    switch (least, most) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(least),}"
    case (_, least): "{\(least)}"
    case (_, let most?): "{\(least),\(most)}"
    }
  }

  func isFound(in text: [Character]) -> Bool {
    (0...text.count).contains { !ends(from: [$0], in: text).isEmpty }
  }

  /// Returns the places at which the pattern can end that begins at one of some places.
  private func ends(from places: Set<Int>, in text: [Character]) -> Set<Int> {
    switch self {
    case .letters(let letters, let isNegated):
      return Set(places.filter { $0 < text.count && letters.contains(text[$0]) != isNegated }.map { $0 + 1 })
    case .anything: return Set(places.filter { $0 < text.count }.map { $0 + 1 })
    case .start: return places.intersection([0])
    case .end: return places.intersection([text.count])
    case .boundary(let isNegated): return places.filter { Self.isBoundary($0, in: text) != isNegated }
    case .sequence(let parts): return parts.reduce(places) { $1.ends(from: $0, in: text) }
    case .either(let parts): return parts.reduce(into: []) { $0.formUnion($1.ends(from: places, in: text)) }
    case .repeated(let part, let least, let most):
      var current = (0..<least).reduce(places) { places, _ in part.ends(from: places, in: text) }
      var all = current
      for _ in 0..<(most.map { $0 - least } ?? text.count + 1) {
        current = part.ends(from: current, in: text)
        all.formUnion(current)
      }
      return all
    }
  }

  private static func isBoundary(_ place: Int, in text: [Character]) -> Bool {
    func isWord(_ index: Int) -> Bool {
      text.indices.contains(index) && text[index].isASCII && (text[index].isLetter || text[index].isNumber || text[index] == "_")
    }
    return isWord(place - 1) != isWord(place)
  }
}
