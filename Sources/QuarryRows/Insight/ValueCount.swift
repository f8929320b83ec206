public import QuarryEngine

/// A value, or a range of values, and in how many rows it was found.
public struct ValueCount: Hashable, Sendable {
  /// What was counted.
  public var value: CountedValue
  /// The number of rows.
  public var count: Int

  /// Makes a count.
  public init(_ value: CountedValue, _ count: Int) {
    self.value = value
    self.count = count
  }
}

/// What rows are counted under.
///
/// Values are the same where SQLite holds them equal: 1 and 1.0 are one value, which is given as either of them; `'1'` is another one, and
/// NULL is a value of its own. `'A'` and `'a'` are one value, given as either, where the column's collation is NOCASE.
public enum CountedValue: Hashable, Sendable {
  /// One value.
  case value(DatabaseValue)
  /// A text that is not valid UTF-8, and therefore no ``DatabaseValue``.
  case rawText([UInt8])
  /// All values of a range.
  case bin(ValueBin)

  /// The value; nil for a range, and for a text that is not valid UTF-8.
  public var value: DatabaseValue? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The range; nil for one value.
  public var bin: ValueBin? {
    if case .bin(let bin) = self { bin } else { nil }
  }
}

/// A range of values as a column stores them, so that a condition can be made of it.
///
/// ```sql
/// amount >= 100 AND amount < 200
/// ts >= '2024-02-01' AND ts < '2024-03-01'
/// ```
public struct ValueBin: Hashable, Sendable {
  /// The least value that belongs to the range.
  public var lower: DatabaseValue
  /// The end of the range.
  public var upper: DatabaseValue
  /// Whether the end itself belongs to it.
  public var includesUpper: Bool

  /// Makes a range.
  public init(lower: DatabaseValue, upper: DatabaseValue, includesUpper: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.includesUpper = includesUpper
  }
}

/// In which order counts are listed.
public enum CountOrder: Hashable, Sendable, CaseIterable {
  /// The most frequent value first; values of one count in SQLite's order.
  case mostFrequentFirst
  /// The least frequent value first; values of one count in SQLite's order.
  case leastFrequentFirst
  /// In SQLite's order of values: NULL, numbers, texts by their bytes, blobs.
  case ascending
  /// In the opposite order.
  case descending
}
