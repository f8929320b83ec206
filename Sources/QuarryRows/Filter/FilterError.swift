internal import QuarryEngine

/// Why a filter or sort text cannot be taken: where the fault is, what is wrong, and what would mend it.
public struct FilterError: Error, Hashable, Sendable {
  /// What is wrong, for a program; ``sentence`` says it to a person.
  public enum Kind: Hashable, Sendable {
    /// More bytes, nesting or terms than a text may have.
    case tooLong, tooDeep, tooMany
    /// Characters that begin nothing, and literals and quotes that are not closed or not well formed.
    case unknownCharacter, unfinishedText, unfinishedName, badBlob, comment
    /// Numbers and dates that are none.
    case badNumber, numberTooGreat, impossibleDate
    /// What the grammar wants or cannot take at this place.
    case missingParenthesis, extraParenthesis, missingValue, missingOperator, unexpected, emptyList, chainedComparison
    /// Names that mean nothing here.
    case unknownColumn, unknownFunction, unknownCollation, unknownType
    /// Operands whose types do not go together.
    case notTruth, notText, notNumber, notComparable, notOrdered, joinedTruths, comparedLiterals
    /// A regular expression, a path into JSON or the words of a full-text search that are not well formed, and `match` in a place where
    /// SQLite does not take it.
    case badPattern, badPath, badSearch, misplacedMatch
    /// Operands that a function or operator does not take, parameters without a value, and orders that contradict themselves.
    case wrongCount, wrongOperand, badEscape, missingParameter, noTextColumn, contradictoryOrder
  }

  /// What is wrong.
  public var kind: Kind
  /// The fault's place, in bytes of UTF-8.
  public var range: Range<Int>
  /// What is wrong, as a sentence.
  public var sentence: String
  /// The way out, as a sentence; nil where the replacements say it all.
  public var hint: String?
  /// Texts that would do, the likeliest first.
  public var replacements: [FilterReplacement]

  /// Makes an error.
  public init(_ kind: Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, replacements: [FilterReplacement] = []) {
    self.kind = kind
    self.range = range
    self.sentence = sentence
    self.hint = hint
    self.replacements = replacements
  }
}

extension FilterError: CustomStringConvertible {
  /// The sentence, and the hint after it.
  public var description: String { hint.map { "\(sentence) \($0)" } ?? sentence }
}

/// A text to put in the place of a part of another.
public struct FilterReplacement: Hashable, Sendable {
  /// What is replaced, in bytes of UTF-8; empty where something is added.
  public var range: Range<Int>
  /// What is put there.
  public var text: String

  /// Makes a replacement.
  public init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }

  /// Returns `source` with the replacement made.
  ///
  ///     FilterReplacement(7..<8, "'3'").applied(to: "Name = 3")   // Name = '3'
  public func applied(to source: String) -> String {
    let bytes = Array(source.utf8)
    let range = range.clamped(to: 0..<bytes.count)
    return String(decoding: bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...], as: UTF8.self)
  }
}

extension FilterReplacement {
  /// Returns the replacement of a part of a text by a word, with spaces where it would run into its neighbours.
  static func word(_ word: String, at range: Range<Int>, in bytes: [UInt8]) -> FilterReplacement {
    let before = bytes.prefix(range.lowerBound).last?.isSQLBlank ?? true ? "" : " "
    let after = bytes.dropFirst(range.upperBound).first?.isSQLBlank ?? true ? "" : " "
    return FilterReplacement(range, before + word + after)
  }
}

/// All that is wrong with a filter or sort text, in the order of the text; never none.
public struct FilterErrors: Error, Hashable, Sendable {
  /// The errors, each once.
  public private(set) var errors: [FilterError]

  /// A text with this many errors is not read to its end.
  static let most = 20

  /// Sorts the errors by place; nil where there is none.
  init?(_ errors: [FilterError]) {
    if errors.isEmpty { return nil }
    var seen: Set<FilterError> = []
    self.errors = errors.filter { seen.insert($0).inserted }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension FilterErrors {
  /// The greatest number of bytes that are read again to test offers: a text is checked at every key press.
  private static let mostBytesTried = 32_000

  /// Returns the errors with only those replacements that have been tested and leave no errors, or fewer.
  ///
  /// - Parameter check: Throws what is wrong with a text.
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
      // A word put between two others may only have moved the place at which they do not go together.
      if kind.concernsJoining, error.joiningCount >= joiningCount || error.leavesOver(after: replacement, in: mended) { return false }
      return error.isLess(than: self, with: replacement)
    }
  }

  /// The number of errors about neighbours that do not go together.
  private var joiningCount: Int { errors.count { $0.kind.concernsJoining } }

  /// Returns whether there are fewer errors than before a replacement was made, or as many of which the first lies later in the text, and
  /// none in what was put in.
  private func isLess(than other: FilterErrors, with replacement: FilterReplacement) -> Bool {
    let range = replacement.range.lowerBound..<replacement.range.lowerBound + replacement.text.utf8.count
    if errors.contains(where: { range.contains($0.range.lowerBound) }) { return false }
    if errors.count != other.errors.count { return errors.count < other.errors.count }
    guard let first = errors.first?.range.lowerBound, let former = other.errors.first?.range.lowerBound else { return false }
    let growth = first < replacement.range.lowerBound ? 0 : max(0, replacement.text.utf8.count - replacement.range.count)
    return first > former + growth
  }

  /// Returns whether the text right after a replacement does not fit: the error has only moved by a word.
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
  /// The errors, each on a line of its own.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Advice on something that is valid, but may not be what was meant.
public struct FilterHint: Hashable, Sendable {
  /// The place that is meant, in bytes of UTF-8.
  public var range: Range<Int>
  /// What is to be considered, as a sentence.
  public var sentence: String
  /// Texts that say it otherwise.
  public var replacements: [FilterReplacement]
}

extension FilterError.Kind {
  /// Whether two neighbours do not go together, rather than one thing being wrong by itself.
  fileprivate var concernsJoining: Bool { self == .missingOperator || self == .unexpected || self == .unknownCharacter }
}

// MARK: - Faults of single tokens

extension FilterError {
  /// Returns the error of a missing closing quote, which may belong at the end, or after the first word of a name.
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

  /// Quotes the word in which a single quote stands as an apostrophe: `Alfred's`.
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
      case "&": ("Write and to join two truths.", .word("and", at: range, in: bytes))
      case "|": ("Write or to join two truths.", .word("or", at: range, in: bytes))
      case "^": ("Write ^= to ask for how a text starts.", FilterReplacement(range, "^="))
      case ";": ("A filter needs no end.", FilterReplacement(range, ""))
      case ":", "@", "$": ("A parameter has a name after it.", nil)
      case ".": ("Write a column without its table, and a text between single quotes.", qualifier(before: range, in: bytes))
      default: ("A text stands between single quotes.", nil)
      }
    let shown = character.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } ? character : "This character"
    return FilterError(
      .unknownCharacter, range, "\(shown) means nothing here.", hint: hint, replacements: replacement.map { [$0] } ?? [])
  }

  /// Takes away the name before a point, and the point.
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
      .comment, range, "Two minus signs begin a comment in SQL, and a filter has none.", hint: "Put a blank between them to subtract.",
      replacements: [FilterReplacement(start..<bytes.count, ""), FilterReplacement(range, "- -")])
  }

  static func badBlob(_ range: Range<Int>, isUnfinished: Bool, hasOddDigits: Bool) -> FilterError {
    if isUnfinished {
      let replacements = hasOddDigits ? [] : [FilterReplacement(range.upperBound..<range.upperBound, "'")]
      return FilterError(.badBlob, range, "This blob has no end: a closing ' is missing.", replacements: replacements)
    }
    return FilterError(.badBlob, range, "A blob is written in pairs of hexadecimal digits: x'00ff'.")
  }
}

/// What could go on where a text ends, as the parser found it.
enum FilterExpectation {
  /// A key after a column of JSON and the steps of a path.
  case key(String, JSONPath)
  /// A value; beside another where it is compared.
  case value(beside: FilterSyntax?)
  /// What is looked for in another value, from a place on if a part of it stands there.
  case text(beside: FilterSyntax?, from: Int)
  /// An operator after a value that is no predicate yet.
  case operatorAfter(FilterSyntax)
  /// `and`, `or` after a predicate.
  case joiner
  case words([FilterKeyword])
  case collation
  /// `asc`, `desc` or `nulls` after a key of an order.
  case direction
  /// A type to cast to.
  case type
}
