package import QuarryEngine

/// What some values come to: how many there are of each kind, how many differ, and of the numbers sum, mean, least and greatest.
///
///     SELECT count(DISTINCT price), sum(price), avg(price), min(price), max(price) FROM product
///
/// ```swift
/// var summary = ValueSummarizer()
/// for value in [1, 2.5, "seven", nil] { summary.add(value) }
/// summary.result.numbers  // 2
/// summary.result.sum      // .real(3.5)
/// ```
package struct ValueSummary: Hashable, Sendable {
  /// A sum of numbers.
  package enum Sum: Hashable, Sendable {
    /// The exact sum of integers, however large.
    case integer(Int128)
    /// A sum in which there are reals.
    case real(Double)
  }

  package fileprivate(set) var integers = 0
  package fileprivate(set) var reals = 0
  package fileprivate(set) var texts = 0
  package fileprivate(set) var blobs = 0
  package fileprivate(set) var nulls = 0
  /// The number of different values, NULL left out; 1 and 1.0 are one, as SQLite compares them, and texts are compared by their collation.
  package fileprivate(set) var distinct = 0
  /// Whether that is all of them: they are told apart up to ``ValueSummarizer/distinctLimit``.
  package fileprivate(set) var isDistinctExact = true
  /// The least and the greatest number, or text where there is no number; nil where there is neither.
  package fileprivate(set) var least: DatabaseValue?
  package fileprivate(set) var greatest: DatabaseValue?
  fileprivate var integerSum: Int128 = 0
  fileprivate var realSum = CompensatedSum()

  package init() {}

  package var numbers: Int { integers + reals }
  package var count: Int { numbers + texts + blobs + nulls }

  /// The sum of the numbers; nil where there are none, and where there are infinities of both signs.
  package var sum: Sum? {
    guard numbers > 0 else { return nil }
    guard reals > 0 else { return .integer(integerSum) }
    // A large integer in two parts, of which the first alone would be rounded.
    let rounded = Double(integerSum)
    var sum = realSum
    sum.add(rounded)
    sum.add(Double(integerSum - Int128(rounded)))
    return sum.value.isNaN ? nil : .real(sum.value)
  }

  /// The mean of the numbers; nil where they have no sum.
  package var mean: Double? {
    switch sum {
    case .integer(let sum): Double(sum) / Double(numbers)
    case .real(let sum): sum / Double(numbers)
    case nil: nil
    }
  }
}

/// Adds values up, one after the other, in bounded memory.
package struct ValueSummarizer: Sendable {
  /// What the values come to that were added so far.
  package private(set) var result = ValueSummary()
  /// The least and the greatest as they are compared.
  private var ends: (least: DatabaseValue, greatest: DatabaseValue)?
  private var different: Set<DatabaseValue> = []
  private var differentBytes = 0

  /// The number of different values up to which they are told apart.
  package static let distinctLimit = 1_000_000
  /// The number of bytes of different texts and blobs up to which they are told apart.
  private static let distinctBytesLimit = 64 << 20

  package init() {}

  /// Adds a value.
  ///
  /// - Parameter collation: How a text is compared with others.
  package mutating func add(_ value: DatabaseValue, by collation: TextCollation = .binary) {
    switch value {
    case .null: return result.nulls += 1
    case .integer(let number):
      result.integers += 1
      result.integerSum += Int128(number)
    case .real(let number):
      result.reals += 1
      result.realSum.add(number)
    case .text: result.texts += 1
    case .blob: result.blobs += 1
    }
    let folded = collation.folded(value)
    compare(value, folded)
    note(folded)
  }

  /// Takes note of the least and the greatest of the numbers, or of the texts until there is a number.
  private mutating func compare(_ value: DatabaseValue, _ folded: DatabaseValue) {
    if case .blob = value { return }
    let isFirst = ends.map { folded.isNumber && !$0.least.isNumber } ?? true
    guard var ends, !isFirst else {
      (result.least, result.greatest) = (value, value)
      return self.ends = (folded, folded)
    }
    guard folded.isNumber == ends.least.isNumber else { return }
    if folded.precedes(ends.least) { (result.least, ends.least) = (value, folded) }
    if ends.greatest.precedes(folded) { (result.greatest, ends.greatest) = (value, folded) }
    self.ends = ends
  }

  /// Takes note of a value among the different ones, as long as there is room.
  private mutating func note(_ value: DatabaseValue) {
    guard result.isDistinctExact else { return }
    let (isNew, _) = different.insert(value.normalized)
    guard isNew else { return }
    result.distinct += 1
    differentBytes += value.byteCount
    guard result.distinct >= Self.distinctLimit || differentBytes >= Self.distinctBytesLimit else { return }
    result.isDistinctExact = false
    different = []
  }
}

/// A sum of reals that loses less than adding them one by one, as SQLite's sum() does (Kahan's and Babuška's way).
private struct CompensatedSum: Hashable, Sendable {
  private var sum = 0.0
  private var lost = 0.0

  var value: Double { lost.isFinite ? sum + lost : sum }

  mutating func add(_ number: Double) {
    let total = sum + number
    lost += sum.magnitude >= number.magnitude ? (sum - total) + number : (number - total) + sum
    sum = total
  }
}

extension TextCollation {
  /// Returns the value that stands for all that the collation holds equal: a text in small letters, or without trailing spaces.
  fileprivate func folded(_ value: DatabaseValue) -> DatabaseValue {
    guard case .text(var text) = value else { return value }
    return switch self {
    case .binary: value
    case .nocase: .text(text.asciiLowercased)
    case .rtrim:
      .text(text.withUTF8 { String(decoding: Self.withoutBlanksAtEnd(UnsafeRawBufferPointer($0)), as: UTF8.self) })
    }
  }
}

extension DatabaseValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }

  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .integer, .real: 0
    }
  }

  /// The value that stands for all that SQLite holds equal: an integer for a real without a fraction.
  fileprivate var normalized: DatabaseValue {
    if case .real(let number) = self, let integer = Int64(exactly: number) { .integer(integer) } else { self }
  }

  /// Returns whether a number is less than another, or a text before another as its bytes are.
  fileprivate func precedes(_ other: DatabaseValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) == right ? Int128(left) < Int128(right) : Double(left) < right
    // Of equal reals one may stand for several large integers.
    case (.real(let left), .integer(let right)): left == Double(right) ? Int128(left) < Int128(right) : left < Double(right)
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
