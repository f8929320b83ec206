public import QuarryEngine

/// The date formats found in a few values of a column.
public struct DateSample: Hashable, Sendable {
  /// Whether the values include texts.
  public var hasTexts = false
  /// Whether the values include numbers.
  public var hasNumbers = false
  /// The unit of the numbers: seconds if there are no numbers, nil if they are not times.
  public var unit: DateStorage? = .seconds
  /// The possible units, the most likely first, if the numbers of a date column have no common unit; otherwise empty.
  public var disputedUnits: [DateStorage] = []

  /// Creates a sample without values.
  public init() {}

  /// Creates a sample from some values of a column.
  ///
  /// ```swift
  /// DateSample([.integer(852_076_800_000), .null], isDeclared: false).unit  // .milliseconds
  /// DateSample([.integer(3), .integer(4)], isDeclared: false).unit          // nil
  /// ```
  ///
  /// - Parameter isDeclared: Whether the column is declared for dates, so that even small numbers are dates.
  public init(_ values: some Sequence<DatabaseValue>, isDeclared: Bool) {
    var greatest = 0.0
    var least = Double.infinity
    var votes: [DateStorage: Int] = [:]
    for value in values {
      let number: Double
      switch value {
      case .null: continue
      case .text, .blob:
        hasTexts = true
        continue
      case .integer(let integer): number = Double(integer)
      case .real(let real): number = real
      }
      hasNumbers = true
      greatest = max(greatest, number.magnitude)
      if number != 0 { votes[Self.unit(from: number, to: number.magnitude), default: 0] += 1 }
      // 0 often means that there is no date.
      if isDeclared || number > 0 { least = min(least, number) }
    }
    guard hasNumbers else { return }
    let prevailing = Self.prevailing(votes)
    unit = isDeclared ? prevailing ?? Self.unit(from: least, to: greatest) : Self.likelyUnit(from: least, to: greatest)
    if isDeclared, prevailing == nil, !hasTexts { disputedUnits = Self.disputed(votes) }
  }

  /// Returns the units of numbers without a common unit; empty if all may be days, because some years are also in that range.
  private static func disputed(_ votes: [DateStorage: Int]) -> [DateStorage] {
    let units = DateStorage.allCases.filter { votes[$0] != nil }.sorted { (votes[$0] ?? 0) > (votes[$1] ?? 0) }
    return units.contains { $0 != .days && $0 != .years } ? units : []
  }

  /// Returns the unit common to most numbers, ignoring a few special values, such as the end of the year 9999 for never.
  ///
  /// Returns nil if there is no such unit: numbers that might be years may also be days, unless nearly all are in the range of years.
  private static func prevailing(_ votes: [DateStorage: Int]) -> DateStorage? {
    let count = votes.values.reduce(0, +)
    return votes.first { unit, votes in unit == .years ? votes * 10 >= count * 9 : votes * 2 > count }?.key
  }

  /// The storage format of the values, which is text if any value is a text; nil if it is unknown.
  package var storage: DateStorage? {
    hasTexts ? .text : hasNumbers ? unit : nil
  }

  private static func unit(from least: Double, to greatest: Double) -> DateStorage {
    switch greatest {
    case ...2999 where least >= 1000: .years
    case ..<1_000_000: .days
    // The Julian days of the years 0000 to 9999.
    case ..<5_373_485 where least >= 1_721_059: .julianDays
    case ..<100_000_000_000: .seconds
    case ..<100_000_000_000_000: .milliseconds
    case ..<100_000_000_000_000_000: .microseconds
    default: .nanoseconds
    }
  }

  /// Returns the unit of numbers that need not be times: a unit in which all of them are between 1973 and 5138, or near the present.
  private static func likelyUnit(from least: Double, to greatest: Double) -> DateStorage? {
    let unit = unit(from: least, to: greatest)
    let start: Double? =
      switch unit {
      case .years: greatest <= 2200 ? 1500 : nil
      case .julianDays: 2_000_000
      case .seconds: 100_000_000
      case .milliseconds: 100_000_000_000
      case .microseconds: 100_000_000_000_000
      case .nanoseconds: 100_000_000_000_000_000
      case .days, .text: nil
      }
    return start.flatMap { least >= $0 ? unit : nil }
  }
}
