/// The date that a number stands for, where its column speaks of a time and the number is plausible.
struct EpochDate: Hashable, Sendable {
  /// `2023-11-14 22:13:20 UTC`.
  let text: String

  /// Takes seconds or milliseconds since 1970, from 1980 to 2100; nil for a column whose name and type do not speak of time.
  init?(_ number: Double, columnName: String, declaredType: String) {
    guard EpochDate.speaksOfTime(columnName) || EpochDate.speaksOfTime(declaredType) else { return nil }
    let plausible = 315_532_800.0...4_102_444_800.0
    let seconds: Double
    if plausible.contains(number) {
      seconds = number
    } else if plausible.contains(number / 1_000) {
      seconds = number / 1_000
    } else {
      return nil
    }
    text = EpochDate.format(Int(seconds.rounded(.down)))
  }

  private static func speaksOfTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["date", "time", "stamp", "epoch"].contains { name.localizedPlainContains($0) } || name.hasSuffix("_at") || name == "ts"
      || name.hasSuffix("_ts") || ["created", "updated", "modified", "deleted", "expires"].contains(name)
  }

  private static func format(_ seconds: Int) -> String {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = civil(fromDays: days)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(year)-\(two(month))-\(two(day)) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) UTC"
  }

  /// The Gregorian date so many days after 1970-01-01, for days not before it.
  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    // Eras of 400 years that begin on 1 March, so that the leap day is the last of a year.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
