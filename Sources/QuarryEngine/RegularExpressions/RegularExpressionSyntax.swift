/// The syntax tree of a regular expression.
indirect enum RegularExpressionSyntax: Hashable, Sendable {
  /// One character of a set.
  case character(ScalarSet)
  /// A condition on a position.
  case assertion(Assertion)
  /// A sequence of expressions; empty for the empty text.
  case sequence([RegularExpressionSyntax])
  /// Alternatives.
  case alternatives([RegularExpressionSyntax])
  /// A repetition from `least` to `most` times, or without a maximum for nil; `range` is that of the quantifier.
  case repetition(RegularExpressionSyntax, least: Int, most: Int?, range: Range<Int>)

  /// A condition on a position in the text.
  enum Assertion: Hashable, Sendable {
    /// `^` and `$`.
    case start, end
    /// `\b` and `\B`.
    case wordBoundary, noWordBoundary
  }
}

/// A set of characters, as ascending ranges of Unicode scalars with gaps between them.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  static let greatest: UInt32 = 0x10_FFFF

  init() {}

  init(_ scalar: UInt32) { ranges = [scalar...scalar] }

  init(_ ranges: [ClosedRange<UInt32>]) {
    for range in ranges { insert(range) }
  }

  /// Every character.
  static let all = ScalarSet([0...greatest])
  static let digits = ScalarSet([0x30...0x39])
  static let words = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let blanks = ScalarSet([0x09...0x0D, 0x20...0x20])

  /// The named POSIX classes, for ASCII.
  static let named: [String: ScalarSet] = [
    "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A]), "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A]),
    "blank": ScalarSet([0x09...0x09, 0x20...0x20]), "cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F]), "digit": digits,
    "graph": ScalarSet([0x21...0x7E]), "lower": ScalarSet([0x61...0x7A]), "print": ScalarSet([0x20...0x7E]),
    "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]), "space": blanks, "upper": ScalarSet([0x41...0x5A]),
    "word": words, "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
  ]

  mutating func insert(_ range: ClosedRange<UInt32>) {
    var (low, high) = (range.lowerBound, range.upperBound)
    let first = ranges.firstIndex { $0.upperBound &+ 1 >= low } ?? ranges.count
    var last = first
    while last < ranges.count, ranges[last].lowerBound <= high &+ 1 {
      low = min(low, ranges[last].lowerBound)
      high = max(high, ranges[last].upperBound)
      last += 1
    }
    ranges.replaceSubrange(first..<last, with: [low...high])
  }

  mutating func insert(_ other: ScalarSet) {
    for range in other.ranges { insert(range) }
  }

  /// The characters that are not in the set.
  var inverted: ScalarSet {
    var result = ScalarSet()
    var start: UInt32 = 0
    for range in ranges {
      if range.lowerBound > start { result.ranges.append(start...range.lowerBound - 1) }
      start = range.upperBound + 1
    }
    if start <= Self.greatest { result.ranges.append(start...Self.greatest) }
    return result
  }

  /// The set with the other case variants of its letters.
  var foldingCase: ScalarSet {
    var result = self
    for range in ranges {
      for letter in CaseFolding.letters[CaseFolding.index(from: range.lowerBound)...] {
        guard letter <= range.upperBound else { break }
        for other in CaseFolding.others[letter] ?? [] { result.insert(other...other) }
      }
    }
    return result
  }
}

/// Unicode's simple case folding, which determines the letters that differ only in case.
enum CaseFolding {
  /// The blocks that contain letters with case variants.
  private static let blocks: [ClosedRange<UInt32>] = [
    0x41...0x7A, 0xB5...0x587, 0x10A0...0x10FF, 0x13A0...0x13FF, 0x1C80...0x1CBF, 0x1D79...0x1D8E, 0x1E00...0x1FFF, 0x2126...0x2188,
    0x24B6...0x24E9, 0x2C00...0x2D2F, 0xA640...0xA7FF, 0xAB30...0xABBF, 0xFF21...0xFF5A, 0x10400...0x104FF, 0x10570...0x105BF,
    0x10C80...0x10CFF, 0x118A0...0x118DF, 0x16E40...0x16E7F, 0x1E900...0x1E943,
  ]

  /// For each letter, the letters that differ from it only in case: `k`, `K` and the Kelvin sign.
  static let others: [UInt32: [UInt32]] = {
    var groups: [UInt32: [UInt32]] = [:]
    for scalar in blocks.joined().compactMap(Unicode.Scalar.init) { groups[folded(scalar), default: []].append(scalar.value) }
    var others: [UInt32: [UInt32]] = [:]
    for group in groups.values where group.count > 1 {
      for letter in group { others[letter] = group.filter { $0 != letter } }
    }
    return others
  }()

  /// The letters with case variants, in ascending order.
  static let letters = others.keys.sorted()

  /// Returns the index of the first letter at or after a scalar.
  static func index(from scalar: UInt32) -> Int { letters.partitionIndex { $0 >= scalar } }

  private static func folded(_ scalar: Unicode.Scalar) -> UInt32 {
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return (single(upper.properties.lowercaseMapping) ?? upper).value
  }

  private static func single(_ mapping: String) -> Unicode.Scalar? {
    mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
  }
}
