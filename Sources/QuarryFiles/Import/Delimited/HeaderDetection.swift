import QuarryEngine

/// Decides whether the first record of a delimited text names the columns.
///
/// It does if none of its fields is a number or a date, which a name seldom is, and none is longer than any name. It also does where
/// - most of its fields are names that are known, such as those of the table that the file is imported into,
/// - below a field that is neither number nor date stand nothing but numbers and dates, or
/// - its numbers and dates are years or dates above values of another kind: `region,2023,2024` above `North,12,15`, or
/// - a single year among them stands above numbers that are none, beside names that are known, or that are written in another way than all
///   that stands below them: `region,2023` above `North,12` and `South,30`.
struct HeaderDetection {
  /// The fields of a record, as bytes.
  typealias Fields = [[UInt8]]

  private let first: Fields
  private let others: [Fields]
  private let isValue: [Bool]

  /// - Parameter others: The records after the first; those with another number of fields do not count.
  init(_ first: Fields, above others: some Sequence<Fields>) {
    self.first = first
    self.others = others.filter { $0.count == first.count }
    isValue = first.map(Self.isValue)
  }

  /// The longest text that may be a name by itself, in bytes.
  private static let longestName = 1000

  /// Returns whether the first record names the columns.
  ///
  /// - Parameter names: Names that are known, in lower case.
  func isHeader(knowing names: Set<[UInt8]>) -> Bool {
    let written = first.filter { !$0.isEmpty }
    if written.isEmpty || written.contains(where: { $0.count > Self.longestName }) { return false }
    let known = written.count { names.contains($0.map(\.asciiLowercased)) }
    return known * 2 > written.count || !isValue.contains(true) || hasNameAboveValues || hasLabelsAboveOthers(knowing: names)
  }

  /// Whether nothing but numbers and dates stand below a field that is neither.
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

  /// Whether all numbers and dates of the first record are years or dates, each another one, above values of another kind.
  ///
  /// A single year may be a number among others, unless what stands beside it is surely a name.
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
      // A column of dates has a date above others.
      if alike == below.count, !below.isEmpty { return false }
      same += alike
      different += below.count - alike
    }
    return different > same
  }

  /// Whether all that stands beside a year are names: they are known, or no value below them is written in the same way.
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

  /// Returns how the ASCII letters of a field are written.
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

  /// Returns whether a field is a number such as `-1.5e3`, or begins as a date does: `2024-05-31`.
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
