package import QuarryEngine

/// A summary of values: the number of each kind, the number of distinct values, and the sum, mean, minimum and maximum of the numbers.
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
    /// The sum of numbers that include reals.
    case real(Double)
  }

  package fileprivate(set) var integers = 0
  package fileprivate(set) var reals = 0
  package fileprivate(set) var texts = 0
  package fileprivate(set) var blobs = 0
  package fileprivate(set) var nulls = 0
  /// The number of distinct values without NULL.
  ///
  /// 1 and 1.0 are one value, as in SQLite, and texts are compared with their collation.
  package fileprivate(set) var distinct = 0
  /// Whether ``distinct`` is exact, because ``ValueSummarizer/distinctLimit`` has not been exceeded.
  package fileprivate(set) var isDistinctExact = true
  /// The minimum and maximum number, or text if there are no numbers; nil if there are neither.
  package fileprivate(set) var least: DatabaseValue?
  package fileprivate(set) var greatest: DatabaseValue?
  fileprivate var integerSum: Int128 = 0
  fileprivate var realSum = CompensatedSum()

  package init() {}

  package var numbers: Int { integers + reals }
  package var count: Int { numbers + texts + blobs + nulls }

  /// The sum of the numbers; nil if there are none, or if there are infinities of both signs.
  package var sum: Sum? {
    guard numbers > 0 else { return nil }
    guard reals > 0 else { return .integer(integerSum) }
    // A large integer is added in two parts, the first of which alone would be rounded.
    let rounded = Double(integerSum)
    var sum = realSum
    sum.add(rounded)
    sum.add(Double(integerSum - Int128(rounded)))
    return sum.value.isNaN ? nil : .real(sum.value)
  }

  /// The mean of the numbers; nil if they have no sum.
  package var mean: Double? {
    switch sum {
    case .integer(let sum): Double(sum) / Double(numbers)
    case .real(let sum): sum / Double(numbers)
    case nil: nil
    }
  }
}

/// A summarizer that adds values one after the other, in bounded memory.
package struct ValueSummarizer: Sendable {
  /// The summary of the values added so far.
  package private(set) var result = ValueSummary()
  /// The minimum and maximum in comparison form.
  private var ends: (least: DatabaseValue, greatest: DatabaseValue)?
  private var different: Set<DatabaseValue> = []
  private var differentBytes = 0

  /// The maximum number of distinct values to count.
  package static let distinctLimit = 1_000_000
  /// The maximum number of bytes of distinct texts and blobs.
  private static let distinctBytesLimit = 64 << 20

  package init() {}

  /// Adds a value.
  ///
  /// - Parameter collation: The collation with which a text is compared.
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

  /// Updates the minimum and maximum of the numbers, or of the texts until there is a number.
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

  /// Records a distinct value, while there is room.
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

/// A compensated sum of reals, which loses less precision than adding them one by one, like SQLite's sum() (Kahan-Babuška summation).
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
  /// Returns the canonical value among those equal by the collation: a text in lower case, or without trailing spaces.
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

  /// The canonical value among those equal in SQLite: an integer for a real without a fraction.
  fileprivate var normalized: DatabaseValue {
    if case .real(let number) = self, let integer = Int64(exactly: number) { .integer(integer) } else { self }
  }

  /// Returns whether a number is less than another, or a text precedes another in byte order.
  fileprivate func precedes(_ other: DatabaseValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) == right ? Int128(left) < Int128(right) : Double(left) < right
    // A real may equal several large integers after rounding.
    case (.real(let left), .integer(let right)): left == Double(right) ? Int128(left) < Int128(right) : left < Double(right)
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
