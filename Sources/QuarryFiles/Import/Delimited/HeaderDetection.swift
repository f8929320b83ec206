import QuarryEngine

/// Decides whether the first record of a delimited text is a header with the column names.
///
/// It is a header if none of its fields is a number or a date, which are unlikely names, and none is too long for a name. It is also a
/// header if
/// - most of its fields are known names, such as the column names of the import's target table,
/// - a field that is neither number nor date is above only numbers and dates,
/// - its numbers and dates are years or dates above values of another kind: `region,2023,2024` above `North,12,15`, or
/// - its only number is a year above numbers that are not years, and its other fields are known names or are capitalized unlike all values
///   below them: `region,2023` above `North,12` and `South,30`.
struct HeaderDetection {
  /// The fields of a record, as bytes.
  typealias Fields = [[UInt8]]

  private let first: Fields
  private let others: [Fields]
  private let isValue: [Bool]

  /// Prepares the decision for a first record.
  ///
  /// - Parameter others: The records after the first. Records with another number of fields are ignored.
  init(_ first: Fields, above others: some Sequence<Fields>) {
    self.first = first
    self.others = others.filter { $0.count == first.count }
    isValue = first.map(Self.isValue)
  }

  /// The maximum length of a name in bytes.
  private static let longestName = 1000

  /// Returns whether the first record contains the column names.
  ///
  /// - Parameter names: Known names in lowercase.
  func isHeader(knowing names: Set<[UInt8]>) -> Bool {
    let written = first.filter { !$0.isEmpty }
    if written.isEmpty || written.contains(where: { $0.count > Self.longestName }) { return false }
    let known = written.count { names.contains($0.map(\.asciiLowercased)) }
    return known * 2 > written.count || !isValue.contains(true) || hasNameAboveValues || hasLabelsAboveOthers(knowing: names)
  }

  /// Whether a field that is neither number nor date is above only numbers and dates.
  var hasNameAboveValues: Bool {
    first.indices.contains { index in
      guard !isValue[index], !first[index].isEmpty else { return false }
      let below = values(below: index)
      return !below.isEmpty && below.allSatisfy(Self.isValue)
    }
  }

  private func values(below index: Int) -> [[UInt8]] { others.map { $0[index] }.filter { !$0.isEmpty } }

  // MARK: Years and dates

  private enum Label { case year, date }

  /// Returns whether all numbers and dates of the first record are distinct years or dates above values of another kind.
  ///
  /// A single year may be an ordinary number, unless the fields beside it are certainly names.
  private func hasLabelsAboveOthers(knowing names: Set<[UInt8]>) -> Bool {
    let places = first.indices.filter { isValue[$0] }
    let labels = places.compactMap { Self.label(first[$0]) }
    guard !labels.isEmpty, labels.count == places.count, Set(places.map { first[$0] }).count == places.count,
      labels.count > 1 || labels == [.date] || isBesideNames(names, of: places)
    else { return false }
    var (same, different) = (0, 0)
    for (place, label) in zip(places, labels) {
      let below = values(below: place)
      let alike = below.count { Self.label($0) == label }
      // A column of dates also has a date above the other records.
      if alike == below.count, !below.isEmpty { return false }
      same += alike
      different += below.count - alike
    }
    return different > same
  }

  /// Returns whether all fields beside a year are names: they are known, or no value below them has the same letter case.
  private func isBesideNames(_ names: Set<[UInt8]>, of places: [Int]) -> Bool {
    let others = first.indices.filter { !places.contains($0) && !first[$0].isEmpty }
    guard let place = places.first, !others.isEmpty, values(below: place).allSatisfy({ Self.label($0) == nil }) else { return false }
    if others.allSatisfy({ names.contains(first[$0].map(\.asciiLowercased)) }) { return true }
    return others.allSatisfy { index in
      let below = values(below: index)
      return below.count > 1 && !below.contains { Self.letterCase($0) == Self.letterCase(first[index]) }
    }
  }

  private enum LetterCase { case lower, upper, capitalized, other }

  /// Returns the letter case of a field's ASCII letters.
  private static func letterCase(_ field: [UInt8]) -> LetterCase {
    let letters = field.filter { (0x41...0x5A).contains($0 & 0xDF) }
    guard let first = letters.first, letters.count == field.count(where: { $0 < 0x80 && !" _-.'".utf8.contains($0) }) else { return .other }
    let capitals = letters.count { $0 & 0x20 == 0 }
    if capitals == 0 { return .lower }
    return capitals == letters.count && capitals > 1 ? .upper : first & 0x20 == 0 ? .capitalized : .other
  }

  private static func label(_ field: [UInt8]) -> Label? {
    if isDate(field) { return .date }
    guard field.count == 4, field.allSatisfy(\.isASCIIDigit) else { return nil }
    return field.starts(with: "19".utf8) || field.starts(with: "20".utf8) ? .year : nil
  }

  // MARK: Values

  /// Returns whether a field is a number such as `-1.5e3`, or begins with a date: `2024-05-31`.
  static func isValue(_ field: [UInt8]) -> Bool { isDate(field) || isNumber(field) }

  private static func isDate(_ field: [UInt8]) -> Bool {
    let shape = field.prefix(10).map { $0.isASCIIDigit ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000-00-00".utf8) || shape == Array("0000-00".utf8)
  }

  private static func isNumber(_ field: [UInt8]) -> Bool {
    field.contains(where: \.isASCIIDigit) && field.allSatisfy { "0123456789+-.,eE".utf8.contains($0) }
      && field.first.map { !"eE,".utf8.contains($0) } == true
  }
}
