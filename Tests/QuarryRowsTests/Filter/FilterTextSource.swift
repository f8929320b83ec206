import QuarryEngine
import QuarryRows

/// Makes filter trees and texts, the same ones for the same seed.
struct FilterTextSource: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  private mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: Trees

  private static let names = [
    "TrackId", "Name", "Composer", "Milliseconds", "Rating", "IsLive", "InvoiceDate", "Cover", "Extra", "Order Details",
  ]

  mutating func value(depth: Int) -> FilterSyntax {
    if depth == 0 || below(3) == 0 { return leaf() }
    let (left, right) = (value(depth: depth - 1), value(depth: depth - 1))
    let kind: FilterSyntax.Kind =
      switch below(9) {
      case 7: .extraction(oneOf(JSONExtraction.Kind.allCases), left, right)
      case 0: .arithmetic(oneOf(ArithmeticSymbol.allCases), left, right)
      case 1: .negation(left)
      case 2: .plus(left)
      case 3: .concatenation([left, right])
      case 4: .collated(left, oneOf(["nocase", "binary", "a b"]))
      case 5: .call(oneOf(["length", "coalesce", "min", "date"]), below(4) == 0 ? [] : [left, right])
      case 6: .cast(left, oneOf([.integer, .text, .blob]))
      default: predicate(depth: depth - 1).kind
      }
    return FilterSyntax(kind)
  }

  private mutating func leaf() -> FilterSyntax {
    let kind: FilterSyntax.Kind =
      switch below(5) {
      case 4: .path(oneOf(["Extra", "Order Details", "Name"]), oneOf(Self.paths))
      case 0: .parameter(oneOf([":p", "@p", "$p", "?", "?3"]))
      case 1:
        .literal(
          oneOf([
            .null, .integer(0), .integer(-5), .integer(.min), .real(1.5), .real(-.infinity), .real(1e300), .text("it's"), .text("love"),
            .blob([0, 255]), .date("2024-02-29"), .date("2024-01-31T12:30:01.25"), .date("2024-02"), .truth(true), .truth(false),
          ]))
      default: .column(oneOf(Self.names))
      }
    return FilterSyntax(kind)
  }

  private static let paths = [
    JSONPath([.key("a")]), JSONPath([.element(0)]), JSONPath([.key("a"), .key("b c")]), JSONPath([.key("and"), .fromEnd(2), .key("é")]),
    JSONPath([.key("a.b"), .key("it's"), .key("5")]), JSONPath([.key("say \"so\"")]),
  ]

  mutating func predicate(depth: Int) -> FilterSyntax {
    if depth == 0 { return FilterSyntax(.anywhere(leaf())) }
    let (left, right, third) = (value(depth: depth - 1), value(depth: depth - 1), leaf())
    let isNegated = below(2) == 0
    let kind: FilterSyntax.Kind =
      switch below(12) {
      case 9: .pattern(.regexp, left, right, escape: nil, isNegated: false)
      case 10: .fullText(left, FilterSyntax(.literal(.text("it's"))))
      case 0: .comparison(oneOf(FilterComparison.allCases), left, right)
      case 1: .identity(left, right, isNegated: isNegated)
      case 2: .between(left, right, third, isNegated: isNegated)
      case 3: .membership(left, [right, third], isNegated: isNegated)
      case 4: .pattern(oneOf([.like, .glob]), left, right, escape: below(2) == 0 ? third : nil, isNegated: isNegated)
      case 5: .match(oneOf(FilterMatch.allCases), left, right)
      case 6: .not(predicate(depth: depth - 1))
      case 7: .all([predicate(depth: depth - 1), predicate(depth: depth - 1), FilterSyntax(.anywhere(third))])
      case 8: .any([predicate(depth: depth - 1), predicate(depth: depth - 1)])
      default: .anywhere(left)
      }
    return FilterSyntax(kind)
  }

  // MARK: Texts

  private static let pieces =
    words(
      """
      Name Composer Milliseconds IsLive InvoiceDate Rating Extra [Cover] Nmae love nocase text asc desc nulls first and or not is between in
      like glob escape collate cast as isnull notnull null true false 3 -5 2.5 1e3 0x1f 9223372036854775808 9e999 12abc 2024-01-31 2024-02-30
      :p ? ?2 @n $m ?9223372036854775807 ( ) ( ) , + - * / % || && ! = == <> != < <= > >= ~ !~ ^= $= =~ -> ->> -- . .a [0] [#-1] '$.a[0]' '^(a|' match ; & | ' " [ ` 'x' 'it''s' x'00ff'
      length( coalesce( min( abs( lower( date( é 日本 👩‍👩‍👧
      """) + ["\"Order Details\"", "2024-01-31 12:30", "\u{308}", "\0", " = 'x'", " > 3", "IsLive and ", "Name ~ ", "TrackId in (1, 2)"]

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  /// Makes a text: pieces at random, or a good one with a few bytes changed.
  mutating func text() -> String {
    switch below(3) {
    case 0: return (0..<below(14)).map { _ in oneOf(Self.pieces) }.joined(separator: below(2) == 0 ? " " : "")
    case 1: return predicate(depth: 1 + below(5)).description
    default:
      var scalars = Array(predicate(depth: 1 + below(3)).description.unicodeScalars)
      for _ in 0..<1 + below(3) where !scalars.isEmpty {
        let place = below(scalars.count)
        switch below(3) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(contentsOf: Array(oneOf(Self.pieces).unicodeScalars), at: place)
        default: scalars.swapAt(place, below(scalars.count))
        }
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
  }

  private static let terms =
    [
      "Name = 'love'", "Milliseconds > 300000", "InvoiceDate >= 2021-01", "IsLive", "Name ~ green day", "TrackId in (1, 2)",
      "Composer is null",
      "length(Name) < 5", "Rating between 1 and 2", "not IsLive", "InvoiceDate = '2021-01-01'", "Country = France", "Nmae = x",
      "TrackId = 1 or 2",
      "InvoiceDate > 31.12.1997", "year(InvoiceDate) = 1997", "IsLive > 0", "Name in ('a' 'b')", "Rating > 1,000", "where Rating > 3",
      "Name = Quux",
      "InvoiceDate > 01/02/1997", "(select 1)", "Rating > 3 order by Name", "lenght(Name) = 3", "Milliseconds = '3'", "Name = 3",
      "Extra 2 = 0", "Name =~ '^a+$'", "Name =~ ^a+$", "Extra.a.b = 3", "Extra -> '$.a' ->> 'b' > 2", "Name match 'x'", "json_valid(Extra)",
    ]

  /// Makes a filter as people write it, with something missing, doubled, exchanged or put in.
  mutating func brokenText() -> String {
    var words = (0..<1 + below(3)).map { _ in oneOf(Self.terms) }.joined(separator: oneOf([" and ", " or ", " "])).split(separator: " ")
      .map(String.init)
    for _ in 0..<below(3) where words.count > 1 {
      let place = below(words.count)
      switch below(4) {
      case 0: words.remove(at: place)
      case 1: words.insert(oneOf(Self.pieces), at: place)
      case 2: words.swapAt(place, below(words.count))
      default: words[place] = String(words[place].dropLast())
      }
    }
    return words.joined(separator: " ")
  }

  /// Returns whether nothing is wrong with a text that something was replaced in, or less than before: fewer faults, or a first one nearer
  /// to the end.
  static func isLess(_ left: [FilterError], _ mended: String, than errors: [FilterError], _ text: String) -> Bool {
    guard let first = left.first?.range.lowerBound, left.count >= errors.count else { return true }
    guard left.count == errors.count, let former = errors.first?.range.lowerBound else { return false }
    return first > former || mended.utf8.count - first < text.utf8.count - former
  }

  /// Returns what is wrong with how a text is taken or refused; nil where nothing is.
  static func complaint(_ text: String, columns: FilterColumns) -> String? {
    for error in errors(text, columns) + sortErrors(text, columns) {
      let ranges = [error.range] + error.replacements.map(\.range)
      if let range = ranges.first(where: { !isInside($0, text) }) { return "\(text): \(range) of \(error) lies outside" }
      if !error.sentence.hasSuffix(".") { return "\(text): \(error.sentence)" }
    }
    let caret = text.utf8.count / 2
    for item in Filter.completions(of: text, at: caret, columns: columns).items where !isInside(item.range, text) {
      return "\(text): \(item) lies outside"
    }
    return nil
  }

  /// Returns what is wrong with what the errors of a text offer: a fault that it would bring to its place; nil where nothing is.
  static func complaintAboutOffers(_ text: String, errors: (String) -> [FilterError]) -> String? {
    for replacement in errors(text).flatMap(\.replacements) {
      let mended = replacement.applied(to: text)
      if let left = errors(mended).first(where: { isIn(replacement, $0) }) { return "\(text): mended to \(mended): \(left)" }
    }
    return nil
  }

  /// Returns whether an error begins in what a replacement has put in.
  static func isIn(_ replacement: FilterReplacement, _ error: FilterError) -> Bool {
    let start = replacement.range.lowerBound
    return (start..<start + replacement.text.utf8.count).contains(error.range.lowerBound)
  }

  static func errors(_ text: String, _ columns: FilterColumns) -> [FilterError] {
    do throws(FilterErrors) {
      _ = try Filter.compile(text, columns: columns)
      return []
    } catch {
      return error.errors
    }
  }

  static func sortErrors(_ text: String, _ columns: FilterColumns) -> [FilterError] {
    do throws(FilterErrors) {
      _ = try FilterSort.compile(text, columns: columns)
      return []
    } catch {
      return error.errors
    }
  }

  private static func isInside(_ range: Range<Int>, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return [range.lowerBound, range.upperBound].allSatisfy {
      $0 >= 0 && $0 <= bytes.count && ($0 == bytes.count || bytes[$0] & 0xC0 != 0x80)
    }
  }
}
