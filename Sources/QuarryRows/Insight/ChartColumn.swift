internal import QuarryEngine

/// A column of a chart.
package struct ChartColumn: Hashable, Sendable {
  /// The scale of a column's values.
  package enum Scale: Hashable, Sendable {
    /// Integers and reals.
    case number
    /// Times in a storage format.
    case time(DateStorage)
    /// Any other values, each of which is a category.
    case category
  }

  /// The column's name.
  package var name: String
  /// The scale of its values.
  package var scale: Scale
  /// The scale of its numbers or times if most values are neither; nil if none of the sample are.
  package var minorScale: Scale?
  /// Whether its numbers identify rows instead of measuring something: a key, or a reference to one.
  package var isKey: Bool
  /// Whether several values are all equal, so that a chart would show nothing.
  package var isConstant = false

  /// Creates a column with a known scale.
  package init(_ name: String, _ scale: Scale, isKey: Bool = false) {
    (self.name, self.scale, self.isKey) = (name, scale, isKey)
  }

  /// Creates a column whose scale is determined from some of its values.
  ///
  /// ```swift
  /// ChartColumn("at", declaredType: "DATETIME", sample: [.integer(1_609_459_200), .null]).scale  // .time(.seconds)
  /// ```
  ///
  /// Numbers are times if the column is declared for dates, or if its name suggests times and the numbers are in a plausible range. Texts
  /// are times if nearly all of the sample are.
  ///
  /// - Parameters:
  ///   - declaredType: The declared type; empty if none is declared.
  ///   - sample: Some of its values.
  package init(_ name: String, declaredType: String, isKey: Bool = false, sample: some Sequence<CellValue>) {
    (self.name, self.isKey) = (name, isKey || Self.soundsLikeKey(name))
    let values = sample.filter { $0 != .null }
    isConstant = values.count > 1 && values.dropFirst().allSatisfy { $0 == values[0] }
    let numbers = values.filter { $0.chartNumber != nil }
    let type = FilterColumn(resultNamed: name, declaredType: declaredType).type
    let isDeclared = type == .date
    if values.isEmpty {
      scale = isDeclared ? .time(.text) : Self.numericTypes.contains(type) ? .number : .category
    } else if numbers.count * 2 < values.count {
      let times = values.count { $0.chartTime(in: .text) != nil && ($0.isLongerThanYear || Self.soundsLikeTime(name)) }
      scale = isDeclared || times * 10 >= values.count * 9 ? .time(Self.unit(of: numbers, isDeclared: true) ?? .text) : .category
      minorScale = times > numbers.count ? .time(.text) : numbers.isEmpty ? nil : .number
    } else if let unit = Self.unit(of: numbers, isDeclared: isDeclared), isDeclared || Self.soundsLikeTime(name) {
      scale = .time(unit)
    } else {
      scale = .number
    }
  }

  private static let numericTypes: Set<ExpressionType> = [.integer, .real, .numeric]

  private static func unit(of numbers: [CellValue], isDeclared: Bool) -> DateStorage? {
    guard !numbers.isEmpty else { return nil }
    return DateSample(numbers.compactMap { $0.chartNumber.map { .real($0) } }, isDeclared: isDeclared).unit
  }

  /// Returns whether a column is named like a key: `id`, `artist_id`, `TrackId`.
  private static func soundsLikeKey(_ name: String) -> Bool {
    name.lowercased() == "id" || name.hasSuffix("_id") || name.hasSuffix("Id") || name.hasSuffix("ID")
  }

  /// Returns whether a column is named like a time: `created_at`, `OrderDate`, `year`.
  private static func soundsLikeTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("_at") || ["date", "time", "year", "month", "day", "when", "created", "updated"].contains { name.contains($0) }
  }
}

extension CellValue {
  /// The value as a number; nil if it is not one.
  package var chartNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }

  /// Whether a text is longer than the four digits of a year, which could mean anything.
  fileprivate var isLongerThanYear: Bool {
    if case .text(_, let count, _) = self { count > 4 } else { true }
  }

  /// Returns the value as milliseconds since 1970; nil if it is not a time.
  ///
  /// - Parameter storage: The storage format of numbers; texts are always parsed in SQLite's formats.
  func chartTime(in storage: DateStorage) -> Double? {
    switch self {
    case .null, .blob: return nil
    case .text(let text, let count, let isValid):
      guard isValid, (4...40).contains(count), text.utf8.count == count else { return nil }
      if let time = CivilTime(text) { return Double(time.sinceEpoch) }
      // Years and months: SQLite would read a text of digits as a Julian day.
      if count <= 7 { return (try? WrittenDate(text)).map { Double($0.milliseconds.lowerBound) } }
      return text.contains("-") ? CivilTime(timeValue: text).map { Double($0.sinceEpoch) } : nil
    case .integer, .real:
      // Like SQLite's functions, read a number among texts as a Julian day.
      let storage = storage == .text ? .julianDays : storage
      return chartNumber.flatMap { storage.milliseconds(of: $0) }.map(Double.init)
    }
  }
}
