internal import QuarryEngine

/// An error in a filter or sort text: its place, its description and possible corrections.
public struct FilterError: Error, Hashable, Sendable {
  /// The kind of an error, for programs; ``sentence`` describes it to people.
  public enum Kind: Hashable, Sendable {
    /// Limits on bytes, nesting or terms that the text exceeds.
    case tooLong, tooDeep, tooMany
    /// Invalid characters, and literals and quotes that are unclosed or malformed.
    case unknownCharacter, unfinishedText, unfinishedName, badBlob, comment
    /// Invalid numbers and dates.
    case badNumber, numberTooGreat, impossibleDate
    /// Tokens that the grammar requires or does not allow at this place.
    case missingParenthesis, extraParenthesis, missingValue, missingOperator, unexpected, emptyList, chainedComparison
    /// Unknown names.
    case unknownColumn, unknownFunction, unknownCollation, unknownType
    /// Operands whose types do not match.
    case notTruth, notText, notNumber, notComparable, notOrdered, joinedTruths, comparedLiterals
    /// Malformed regular expressions, JSON paths and full-text searches, and `match` where SQLite does not allow it.
    case badPattern, badPath, badSearch, misplacedMatch
    /// A name of a computed column that another column has.
    case takenName
    /// Aggregates outside of groups, and columns without an aggregate in groups.
    case misplacedAggregate
    /// Operands that a function or operator does not accept, parameters without a value, and contradictory sort orders.
    case wrongCount, wrongOperand, badEscape, missingParameter, noTextColumn, contradictoryOrder
  }

  /// The kind of the error.
  public var kind: Kind
  /// The place of the error, in bytes of UTF-8.
  public var range: Range<Int>
  /// The description, as a sentence.
  public var sentence: String
  /// Advice, as a sentence; nil if the replacements suffice.
  public var hint: String?
  /// Possible corrections, the most likely first.
  public var replacements: [FilterReplacement]

  /// Creates an error.
  public init(_ kind: Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, replacements: [FilterReplacement] = []) {
    self.kind = kind
    self.range = range
    self.sentence = sentence
    self.hint = hint
    self.replacements = replacements
  }
}

extension FilterError: CustomStringConvertible {
  /// The sentence, followed by the hint.
  public var description: String { hint.map { "\(sentence) \($0)" } ?? sentence }
}

/// A replacement of a part of a text.
public struct FilterReplacement: Hashable, Sendable {
  /// The range to replace, in bytes of UTF-8; empty to insert text.
  public var range: Range<Int>
  /// The inserted text.
  public var text: String

  /// Creates a replacement.
  public init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }

  /// Returns `source` with the replacement applied.
  ///
  ///     FilterReplacement(7..<8, "'3'").applied(to: "Name = 3")   // Name = '3'
  public func applied(to source: String) -> String {
    let bytes = Array(source.utf8)
    let range = range.clamped(to: 0..<bytes.count)
    return String(decoding: bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...], as: UTF8.self)
  }
}

extension FilterReplacement {
  /// Returns the replacement of a part of a text by a word, with spaces where needed to separate it from its neighbors.
  static func word(_ word: String, at range: Range<Int>, in bytes: [UInt8]) -> FilterReplacement {
    let before = bytes.prefix(range.lowerBound).last?.isSQLBlank ?? true ? "" : " "
    let after = bytes.dropFirst(range.upperBound).first?.isSQLBlank ?? true ? "" : " "
    return FilterReplacement(range, before + word + after)
  }
}

/// The errors of a filter or sort text, in the order of the text; never empty.
public struct FilterErrors: Error, Hashable, Sendable {
  /// The errors, each once.
  public private(set) var errors: [FilterError]

  /// The number of errors after which parsing stops.
  static let most = 20

  /// Sorts the errors by place; nil if there are none.
  init?(_ errors: [FilterError]) {
    guard let first = errors.first else { return nil }
    self.init(first: first, others: Array(errors.dropFirst()))
  }

  /// Creates the errors of a text from at least one.
  init(first: FilterError, others: [FilterError] = []) {
    var seen: Set<FilterError> = []
    errors = ([first] + others).filter { seen.insert($0).inserted }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension FilterErrors {
  /// The maximum number of bytes parsed again to test corrections, because a text is checked after every key press.
  private static let mostBytesTried = 32_000

  /// Returns the errors with only those corrections that have been tested and leave no errors, or fewer.
  ///
  /// - Parameter check: Throws the errors of a text.
  func withProvenOffers(on text: String, check: (String) throws(FilterErrors) -> Void) -> FilterErrors {
    var result = self
    var room = Self.mostBytesTried
    for index in result.errors.indices {
      var offers = Set<FilterReplacement>()
      let kind = errors[index].kind
      result.errors[index].replacements.removeAll { replacement in
        room -= text.utf8.count + replacement.text.utf8.count
        return room < 0 || !offers.insert(replacement).inserted || !lessens(replacement, of: kind, text, check)
      }
    }
    return result
  }

  private func lessens(
    _ replacement: FilterReplacement, of kind: FilterError.Kind, _ text: String, _ check: (String) throws(FilterErrors) -> Void
  ) -> Bool {
    let mended = replacement.applied(to: text)
    do throws(FilterErrors) {
      try check(mended)
      return true
    } catch {
      // A word inserted between two neighbors that do not match may only have moved the error.
      if kind.concernsJoining, error.joiningCount >= joiningCount || error.leavesOver(after: replacement, in: mended) { return false }
      return error.isLess(than: self, with: replacement)
    }
  }

  /// The number of errors about adjacent tokens that do not match.
  private var joiningCount: Int { errors.count { $0.kind.concernsJoining } }

  /// Returns whether a replacement reduces the number of errors, or moves the first error to a later place, without errors in the new text.
  private func isLess(than other: FilterErrors, with replacement: FilterReplacement) -> Bool {
    let range = replacement.range.lowerBound..<replacement.range.lowerBound + replacement.text.utf8.count
    if errors.contains(where: { range.contains($0.range.lowerBound) }) { return false }
    if errors.count != other.errors.count { return errors.count < other.errors.count }
    guard let first = errors.first?.range.lowerBound, let former = other.errors.first?.range.lowerBound else { return false }
    let growth = first < replacement.range.lowerBound ? 0 : max(0, replacement.text.utf8.count - replacement.range.count)
    return first > former + growth
  }

  /// Returns whether the text right after a replacement is an error, which has then only moved by a word.
  private func leavesOver(after replacement: FilterReplacement, in mended: String) -> Bool {
    let end = replacement.range.lowerBound + replacement.text.utf8.count
    let bytes = Array(mended.utf8)
    return !replacement.text.isEmpty
      && errors.contains { error in
        guard error.kind.concernsJoining || error.kind == .notTruth, error.range.lowerBound >= end else { return false }
        return bytes[end..<min(error.range.lowerBound, bytes.count)].allSatisfy(\.isSQLBlank)
      }
  }
}

extension FilterErrors: CustomStringConvertible {
  /// The errors, one on each line.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Advice on a valid text that may not be intended.
public struct FilterHint: Hashable, Sendable {
  /// The place of the advice, in bytes of UTF-8.
  public var range: Range<Int>
  /// The advice, as a sentence.
  public var sentence: String
  /// Alternative texts.
  public var replacements: [FilterReplacement]
}

extension FilterError.Kind {
  /// Whether the error is between two adjacent tokens, rather than in one token.
  fileprivate var concernsJoining: Bool { self == .missingOperator || self == .unexpected || self == .unknownCharacter }
}

// MARK: - Errors in single tokens

extension FilterError {
  /// Returns the error of a missing closing quote, which may belong at the end or after the first word of a name.
  static func unfinished(from start: Int, in bytes: [UInt8], closing: UInt8) -> FilterError {
    let end = bytes.count
    let quote = String(UnicodeScalar(closing))
    let isText = closing == UInt8(ascii: "'")
    let ends = isText ? [end] : [end, start + 1 + bytes[(start + 1)...].prefix(while: \.isNamePart).count]
    return FilterError(
      isText ? .unfinishedText : .unfinishedName, start..<end,
      "This \(isText ? "text" : "name") has no end: a closing \(quote) is missing.",
      replacements: (isText ? apostrophe(at: start, in: bytes) : []) + ends.map { FilterReplacement($0..<$0, quote) })
  }

  /// Quotes the word in which a single quote is used as an apostrophe: `Alfred's`.
  private static func apostrophe(at offset: Int, in bytes: [UInt8]) -> [FilterReplacement] {
    let start = bytes[..<offset].lastIndex { !$0.isNamePart }.map { $0 + 1 } ?? 0
    let rest = bytes[(offset + 1)...].prefix(while: \.isNamePart)
    if start == offset || rest.isEmpty { return [] }
    let word = String(decoding: bytes[start..<rest.endIndex], as: UTF8.self)
    return [FilterReplacement(start..<rest.endIndex, FilterFormatter.quoted(word))]
  }

  static func unknownCharacter(_ range: Range<Int>, in bytes: [UInt8]) -> FilterError {
    let character = String(UnicodeScalar(bytes[range.lowerBound]))
    let (hint, replacement): (String?, FilterReplacement?) =
      switch character {
      case "&": ("Write and to join two conditions.", .word("and", at: range, in: bytes))
      case "|": ("Write or to join two conditions.", .word("or", at: range, in: bytes))
      case "^": ("Write ^= to match the beginning of text.", FilterReplacement(range, "^="))
      case ";": ("A filter does not end with a semicolon.", FilterReplacement(range, ""))
      case ":", "@", "$": ("Write the name of a parameter after it.", nil)
      case ".": ("Write a column without its table, and text in single quotes.", qualifier(before: range, in: bytes))
      default: ("Write text in single quotes.", nil)
      }
    let shown = character.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } ? character : "This character"
    return FilterError(
      .unknownCharacter, range, "\(shown) has no meaning here.", hint: hint, replacements: replacement.map { [$0] } ?? [])
  }

  /// Removes the name before a period, and the period.
  private static func qualifier(before point: Range<Int>, in bytes: [UInt8]) -> FilterReplacement? {
    let before = bytes[..<point.lowerBound]
    let start: Int? =
      switch before.last {
      case UInt8(ascii: "]"): before.lastIndex(of: UInt8(ascii: "["))
      case let quote? where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "`"): before.dropLast().lastIndex(of: quote)
      default: before.lastIndex { !$0.isNamePart }.map { $0 + 1 } ?? 0
      }
    return start.flatMap { $0 < point.lowerBound ? FilterReplacement($0..<point.upperBound, "") : nil }
  }

  static func comment(_ range: Range<Int>, in bytes: [UInt8]) -> FilterError {
    let start = bytes[..<range.lowerBound].lastIndex { !$0.isSQLBlank }.map { $0 + 1 } ?? 0
    return FilterError(
      .comment, range, "Two minus signs begin a comment in SQL. Filters have no comments.", hint: "Put a space between them to subtract.",
      replacements: [FilterReplacement(start..<bytes.count, ""), FilterReplacement(range, "- -")])
  }

  static func badBlob(_ range: Range<Int>, isUnfinished: Bool, hasOddDigits: Bool) -> FilterError {
    if isUnfinished {
      let replacements = hasOddDigits ? [] : [FilterReplacement(range.upperBound..<range.upperBound, "'")]
      return FilterError(.badBlob, range, "This blob has no end: a closing ' is missing.", replacements: replacements)
    }
    return FilterError(.badBlob, range, "Write a blob as pairs of hexadecimal digits: x'00ff'.")
  }
}

/// The tokens that could continue a text at its end, as found by the parser.
enum FilterExpectation {
  /// A key after a JSON column and the steps of a path.
  case key(String, JSONPath)
  /// A column of the table to which a path leads.
  case column
  /// A table that refers to the current one, as the operand of an aggregate.
  case referring(FilterAggregate.Function)
  /// A value; the associated value is its operand in a comparison.
  case value(beside: FilterSyntax?)
  /// A text to search for in another value.
  ///
  /// Part of it may already be present from a position on.
  case text(beside: FilterSyntax?, from: Int)
  /// An operator after a value that is not a predicate yet.
  case operatorAfter(FilterSyntax)
  /// `and`, `or` after a predicate.
  case joiner
  case words([FilterKeyword])
  case collation
  /// `asc`, `desc` or `nulls` after a sort key.
  case direction
  /// A type to cast to.
  case type
}
