public import QuarryEngine

/// A value, or a range of values, with the number of its rows.
public struct ValueCount: Hashable, Sendable {
  /// The counted value or range.
  public var value: CountedValue
  /// The number of rows.
  public var count: Int

  /// Creates a count.
  public init(_ value: CountedValue, _ count: Int) {
    self.value = value
    self.count = count
  }
}

/// A value or a range under which rows are counted.
///
/// Values that are equal in SQLite are one value: 1 and 1.0 are one value, shown as one of them, whereas `'1'` and NULL are separate
/// values. If the column's collation is NOCASE, `'A'` and `'a'` are one value, shown as one of them.
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

/// A range of stored values, which can be written as a condition.
///
/// ```sql
/// amount >= 100 AND amount < 200
/// ts >= '2024-02-01' AND ts < '2024-03-01'
/// ```
public struct ValueBin: Hashable, Sendable {
  /// The minimum of the range.
  public var lower: DatabaseValue
  /// The end of the range.
  public var upper: DatabaseValue
  /// Whether the end itself belongs to the range.
  public var includesUpper: Bool

  /// Creates a range.
  public init(lower: DatabaseValue, upper: DatabaseValue, includesUpper: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.includesUpper = includesUpper
  }
}

/// The order in which counts are listed.
public enum CountOrder: Hashable, Sendable, CaseIterable {
  /// The most frequent value first; values with the same count in SQLite's order.
  case mostFrequentFirst
  /// The least frequent value first; values with the same count in SQLite's order.
  case leastFrequentFirst
  /// In SQLite's order of values: NULL, numbers, texts by their bytes, blobs.
  case ascending
  /// In the opposite order.
  case descending
}
