internal import QuarryEngine

/// A parser of dates in the bytes of texts: `2024-05-01`, optionally followed by a space or `T` and a time.
enum DateBytes {
  /// The format of a date.
  struct Form: Hashable, Sendable {
    /// The character after the day: a space or `T`; nil for none.
    var separator: UInt8?

    /// An example of the format.
    var example: String {
      switch separator {
      case nil: "2024-05-01"
      case UInt8(ascii: "T")?: "2024-05-01T10:00"
      case _?: "2024-05-01 10:00"
      }
    }
  }

  /// Returns the time in milliseconds since 1970, to the minute, and the format; nil if the text is not such a date.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer) -> (milliseconds: Int, form: Form)? {
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
    return readDay(bytes)
  }

  private static func readDay(_ bytes: UnsafeRawBufferPointer) -> (milliseconds: Int, form: Form)? {
    guard
      let century = pair(bytes, 0), let year = pair(bytes, 2), let month = pair(bytes, 5), let day = pair(bytes, 8),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let start = CivilTime.days(century * 100 + year, month, day) * CivilTime.day
    guard bytes.count > 10 else { return (start, Form(separator: nil)) }
    guard
      bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"), bytes.count >= 16, bytes[13] == UInt8(ascii: ":"),
      let hour = pair(bytes, 11), let minute = pair(bytes, 14), hour < 24, minute < 60
    else { return nil }
    return (start + (hour * 60 + minute) * 60_000, Form(separator: bytes[10]))
  }

  /// Returns the separator of a day with the year last, such as `31.01.2024` or `1/31/2024`; nil if the text is not such a day.
  @inline(__always)
  static func separatorOfYearLast(_ bytes: UnsafeRawBufferPointer) -> UInt8? {
    guard (8...10).contains(bytes.count) else { return nil }
    let separator = bytes[bytes.count - 5]
    guard separator == UInt8(ascii: ".") || separator == UInt8(ascii: "/") else { return nil }
    return isYearLast(bytes, separator) ? separator : nil
  }

  /// Returns whether a text consists of two numbers from 1 to 31 and one of four digits.
  private static func isYearLast(_ bytes: UnsafeRawBufferPointer, _ separator: UInt8) -> Bool {
    let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].count == 4, parts.joined().allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return parts[..<2].allSatisfy { part in
      (1...2).contains(part.count) && (1...31).contains(part.reduce(0) { $0 * 10 + Int($1) - 0x30 })
    }
  }

  @inline(__always)
  private static func pair(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int? {
    let (tens, ones) = (bytes[index] &- 0x30, bytes[index + 1] &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}

/// Hints in a column's declaration and name that its values are dates.
struct DateHint: Hashable, Sendable {
  /// Whether the column is declared for dates.
  var isDeclared: Bool
  /// Whether the column is named like a date column.
  private var isNamed: Bool

  init(name: String, declaredType: String?) {
    let column = FilterColumn(resultNamed: name, declaredType: declaredType ?? "")
    isDeclared = column.type == .date && !column.holdsTimes
    let name = name.lowercased()
    isNamed =
      ["date", "time", "created", "updated", "modified", "deleted", "timestamp"].contains { name.contains($0) }
      || ["_at", "_on", "ts"].contains { name.hasSuffix($0) }
  }

  /// Returns the unit of numbers between two values; nil if they are not dates, or if they are years, which are treated as ordinary
  /// numbers.
  func unit(_ values: [DatabaseValue]) -> DateStorage? {
    guard isDeclared || isNamed else { return nil }
    let unit = DateSample(values, isDeclared: isDeclared).unit
    return unit == .years ? nil : unit
  }
}
