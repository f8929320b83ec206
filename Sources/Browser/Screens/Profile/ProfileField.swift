import QuarryEngine
import QuarryRows
import Terminal

/// What a profile says of a column, in the order of the screen.
enum ProfileField: String, CaseIterable, Sendable {
  case types, null, distinct, histogram, min, p25, median, p75, max, mean, empty, length, top

  /// The width in cells, always the same: nothing moves while the numbers grow.
  var columns: Int {
    switch self {
    case .types: 8
    case .null, .empty: ShareText.columns
    case .histogram: 9
    case .distinct, .min, .max: 12
    case .p25, .median, .p75, .mean, .length: 11
    case .top: 32
    }
  }

  var isRightAligned: Bool {
    switch self {
    case .types, .histogram, .top, .min, .max: false
    case .null, .distinct, .p25, .median, .p75, .mean, .empty, .length: true
    }
  }

  /// Returns what is said of a column, cut to the width.
  func line(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    switch self {
    case .types: Self.types(of: column, cells: columns, appearance)
    case .null: share(column.nulls, of: column.rows, .null, appearance)
    case .empty: share(column.empty, of: column.rows, .text, appearance)
    case .distinct: padded(Self.text(of: column.distinct, appearance), column.distinct.isExact ? .text : .muted, appearance)
    case .histogram:
      StyledLine(Bars.histogram(column.histogram.map(\.count), glyphs: appearance.glyphs).joined(), .muted)
        .adding(String(repeating: " ", count: Swift.max(0, columns - column.histogram.count)))
    case .min: value(column.min, column, appearance)
    case .max: value(column.max, column, appearance)
    case .p25: quartile(column.p25, column, appearance)
    case .median: quartile(column.p50, column, appearance)
    case .p75: quartile(column.p75, column, appearance)
    case .mean: padded(column.mean.map { Self.text(ofMean: $0, column) } ?? "", .number, appearance)
    case .length: padded(Self.lengths(of: column), .muted, appearance)
    case .top: padded(Self.top(of: column, appearance), .textValue, appearance)
    }
  }

  /// Returns columns as lines of a table, divided by tabulators, under the names of the fields.
  static func table(of columns: [ColumnProfile]) -> String {
    let fields = allCases.filter { $0 != .types && $0 != .histogram && $0 != .top }
    let heading = (["column", "declared", "rows"] + fields.map(\.rawValue)).joined(separator: "\t")
    return
      ([heading]
      + columns.map { column in
        ([column.name, column.declaredType, String(column.rows)] + fields.map { $0.plain(column) }).joined(separator: "\t")
      }).joined(separator: "\n")
  }

  private func plain(_ column: ColumnProfile) -> String {
    switch self {
    case .types, .histogram, .top: ""
    case .null: String(column.nulls)
    case .empty: String(column.empty)
    case .distinct: String(column.distinct.value)
    case .min: CountedText.plain(.value(column.min))
    case .max: CountedText.plain(.value(column.max))
    case .p25: column.p25.map { CountedText.plain(.value($0.value)) } ?? ""
    case .median: column.p50.map { CountedText.plain(.value($0.value)) } ?? ""
    case .p75: column.p75.map { CountedText.plain(.value($0.value)) } ?? ""
    case .mean: column.mean.map(\.description) ?? ""
    case .length: Self.lengths(of: column)
    }
  }

  // MARK: Texts

  private func padded(_ text: String, _ role: Role, _ appearance: Appearance) -> StyledLine {
    let cut = TextWidth.truncated(text, to: columns, ellipsis: appearance.glyphs.ellipsis)
    return StyledLine(TextWidth.padded(cut, to: columns, isRight: isRightAligned), role)
  }

  /// A share of the rows; a column without such rows stays blank, so that the others are seen.
  private func share(_ part: Int, of whole: Int, _ role: Role, _ appearance: Appearance) -> StyledLine {
    padded(part == 0 ? "" : ShareText.percent(part, of: whole), role, appearance)
  }

  private func value(_ value: DatabaseValue, _ column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    guard value != .null else { return padded("", .muted, appearance) }
    let text = Self.text(of: value, column, appearance)
    return padded(text.text, text.role, appearance)
  }

  private func quartile(_ quartile: Quartile?, _ column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    guard let quartile else { return padded("", .muted, appearance) }
    let bound = quartile.error == nil ? "" : appearance.sentence("≈ ")
    return padded(bound + Self.text(of: quartile.value, column, appearance).text, quartile.error == nil ? .number : .muted, appearance)
  }

  /// A value, one that stands for a date as such.
  private static func text(of value: DatabaseValue, _ column: ColumnProfile, _ appearance: Appearance) -> CountedText {
    var text = CountedText(value, glyphs: appearance.glyphs)
    if let dates = column.dates, dates.isNumeric, let date = dates.text(of: value) {
      (text.text, text.role) = (String(date.prefix(10)), .date)
    } else if case .real(let number) = value, number.magnitude < 1e9, number.description.count > 10 {
      text.text = Self.text(of: number)
    }
    return text
  }

  /// A number with as many digits after the point as are read at a glance.
  private static func text(of number: Double) -> String {
    guard number.magnitude < 1e9, number.magnitude >= 1e-3 || number == 0 else { return number.description }
    let rounded = (number * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() ? String(Int(rounded)) : rounded.description
  }

  private static func text(ofMean mean: Double, _ column: ColumnProfile) -> String {
    if let dates = column.dates, dates.isNumeric, let date = dates.text(of: .real(mean)) { return String(date.prefix(10)) }
    return text(of: mean)
  }

  private static func lengths(of column: ColumnProfile) -> String {
    guard let least = column.minLength, let most = column.maxLength else { return "" }
    return least == most ? String(least) : "\(least) to \(most)"
  }

  private static func top(of column: ColumnProfile, _ appearance: Appearance) -> String {
    guard let first = column.top.first, first.count > 1 else { return "" }
    return
      "\(Plural.grouped(first.count))\(appearance.sentence("×")) \(CountedText(first.value, dates: column.dates, glyphs: appearance.glyphs).text)"
  }

  /// The number of different values; how far an estimate may be from it is said below.
  private static func text(of distinct: Cardinality, _ appearance: Appearance) -> String {
    guard case .estimated(let count, _) = distinct else { return distinct.text(appearance) }
    return appearance.sentence("≈ \(Plural.grouped(count))")
  }

  /// The storage class of the values, or where there are several a bar of letters: each cell is an eighth of the values, and each class
  /// that is there has one.
  private static func types(of column: ColumnProfile, cells: Int, _ appearance: Appearance) -> StyledLine {
    let parts: [(name: String, role: Role, count: Int)] = [
      ("integer", .number, column.integers), ("real", .number, column.reals), ("text", .textValue, column.texts),
      ("blob", .blob, column.blobs),
    ].filter { $0.count > 0 }
    guard parts.count > 1 else {
      let name = parts.first?.name ?? (column.nulls > 0 ? appearance.glyphs.null : "")
      return StyledLine(name + String(repeating: " ", count: Swift.max(0, cells - TextWidth.columns(of: name))), parts.first?.role ?? .null)
    }
    let total = parts.reduce(0) { $0 + $1.count }
    var sizes = parts.map { Swift.max(1, Int((Double($0.count) / Double(total) * Double(cells)).rounded())) }
    while sizes.reduce(0, +) != cells, let greatest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) {
      sizes[greatest] += sizes.reduce(0, +) > cells ? -1 : 1
    }
    return zip(parts, sizes).reduce(StyledLine()) { $0.adding(String(repeating: $1.0.name.first ?? " ", count: $1.1), $1.0.role) }
  }
}
