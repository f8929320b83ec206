#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The date that a number stands for, where its column speaks of a time and the number is plausible.
struct EpochDate: Hashable, Sendable {
  /// `2023-11-14 22:13:20 UTC`.
  let text: String

  private static let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day().time(includingFractionalSeconds: false)

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
    text = Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(EpochDate.style) + " UTC"
  }

  private static func speaksOfTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["date", "time", "stamp", "epoch"].contains { name.contains($0) } || name.hasSuffix("_at") || name == "ts"
      || name.hasSuffix("_ts") || ["created", "updated", "modified", "deleted", "expires"].contains(name)
  }
}
