public import QuarryEngine

/// What a few values of a column tell of how it keeps dates.
public struct DateSample: Hashable, Sendable {
  /// Whether texts are among the values.
  public var hasTexts = false
  /// Whether numbers are among the values.
  public var hasNumbers = false
  /// What the numbers count: seconds where no number is known, nil where they are no times.
  public var unit: DateStorage? = .seconds
  /// The units that the numbers of a column of dates may be of, where most do not agree on one, the likeliest first; empty where they do.
  public var disputedUnits: [DateStorage] = []

  /// Makes a sample of no values.
  public init() {}

  /// Looks at some values of a column.
  ///
  /// ```swift
  /// DateSample([.integer(852_076_800_000), .null], isDeclared: false).unit  // .milliseconds
  /// DateSample([.integer(3), .integer(4)], isDeclared: false).unit          // nil
  /// ```
  ///
  /// - Parameter isDeclared: Whether the column is declared for dates, so that its numbers are dates even where they are small.
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
      // 0 often stands for no date.
      if isDeclared || number > 0 { least = min(least, number) }
    }
    guard hasNumbers else { return }
    let prevailing = Self.prevailing(votes)
    unit = isDeclared ? prevailing ?? Self.unit(from: least, to: greatest) : Self.likelyUnit(from: least, to: greatest)
    if isDeclared, prevailing == nil, !hasTexts { disputedUnits = Self.disputed(votes) }
  }

  /// Returns the units of numbers that agree on none; empty where all may be days, since some years lie among these.
  private static func disputed(_ votes: [DateStorage: Int]) -> [DateStorage] {
    let units = DateStorage.allCases.filter { votes[$0] != nil }.sorted { (votes[$0] ?? 0) > (votes[$1] ?? 0) }
    return units.contains { $0 != .days && $0 != .years } ? units : []
  }

  /// Returns the unit that most numbers agree on, whatever a few stand for that are no dates, as the end of the year 9999 for never.
  ///
  /// Nil where there is none: numbers that might be years may be days as well, unless nearly all are in their range.
  private static func prevailing(_ votes: [DateStorage: Int]) -> DateStorage? {
    let count = votes.values.reduce(0, +)
    return votes.first { unit, votes in unit == .years ? votes * 10 >= count * 9 : votes * 2 > count }?.key
  }

  /// What the values are, those of a column with texts being texts; nil where no value is known.
  package var storage: DateStorage? {
    hasTexts ? .text : hasNumbers ? unit : nil
  }

  private static func unit(from least: Double, to greatest: Double) -> DateStorage {
    switch greatest {
    case ...2999 where least >= 1000: .years
    case ..<1_000_000: .days
    // From 1721-01-01 before the common era's end to the year 9999.
    case ..<5_373_485 where least >= 1_721_059: .julianDays
    case ..<100_000_000_000: .seconds
    case ..<100_000_000_000_000: .milliseconds
    case ..<100_000_000_000_000_000: .microseconds
    default: .nanoseconds
    }
  }

  /// Returns the unit of numbers that need not be times: one in which all of them lie between 1973 and 5138, or near to our time.
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
