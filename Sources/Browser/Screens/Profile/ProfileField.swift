import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// What a profile says of a column, in the order of the screen.
enum ProfileField: String, CaseIterable, Sendable {
  case types, null, distinct, min, max, histogram, p25, median, p75, mean, empty, length, top

  /// The greatest width in cells; what is longer is cut.
  private var limit: Int {
    switch self {
    case .types: Self.typeCells
    case .null, .empty: ShareText.columns
    case .histogram: 9
    case .min, .max: 20
    case .distinct, .p25, .median, .p75, .mean, .length: 16
    case .top: 40
    }
  }

  /// The maximum width of the smallest and the largest text: its beginning is enough, unlike that of a number.
  private static let textLimit = 12

  /// Whether its heading ends where its texts end.
  var isRightAligned: Bool {
    switch self {
    case .types, .histogram, .top: false
    case .null, .distinct, .min, .max, .p25, .median, .p75, .mean, .empty, .length: true
    }
  }

  /// Returns the width that the field needs for some columns, its heading among them.
  func columns(for profiles: some Sequence<ColumnProfile>, _ appearance: Appearance) -> Int {
    let needs = profiles.lazy.map { profile -> Int in
      let (line, isRight) = self.text(of: profile, appearance)
      let isCut = (self == .min || self == .max) && !isRight
      return isCut ? Swift.min(Self.textLimit, line.width) : line.width
    }
    return Swift.min(limit, Swift.max(rawValue.count, needs.max() ?? 0))
  }

  /// Returns what is said of a column, cut or filled up to a width.
  func line(of column: ColumnProfile, columns: Int, _ appearance: Appearance) -> StyledLine {
    let (line, isRight) = text(of: column, appearance)
    let blanks = String(repeating: " ", count: Swift.max(0, columns - line.width))
    guard blanks.isEmpty, let run = line.runs.first else {
      return isRight ? StyledLine([StyledLine.Run(text: blanks, role: .text)] + line.runs) : line.adding(blanks)
    }
    guard line.width > columns else { return line }
    return StyledLine(TextWidth.truncated(line.text, to: columns, ellipsis: appearance.glyphs.ellipsis), run.role)
  }

  /// Returns what is said of a column, and whether it stands at the right.
  private func text(of column: ColumnProfile, _ appearance: Appearance) -> (line: StyledLine, isRight: Bool) {
    switch self {
    case .types: (Self.types(of: column, appearance), false)
    case .null: (Self.share(column.nulls, of: column.rows, .null), true)
    case .empty: (Self.share(column.empty, of: column.rows, .text), true)
    case .distinct: (StyledLine(column.distinct.shortText(appearance), column.distinct.isExact ? .text : .muted), true)
    case .histogram: (StyledLine(Bars.histogram(column.histogram.map(\.count), glyphs: appearance.glyphs).joined(), .muted), false)
    case .min: Self.value(column.min, column, appearance)
    case .max: Self.value(column.max, column, appearance)
    case .p25: (Self.quartile(column.p25, column, appearance), true)
    case .median: (Self.quartile(column.p50, column, appearance), true)
    case .p75: (Self.quartile(column.p75, column, appearance), true)
    case .mean: (StyledLine(column.mean.map { Self.text(ofMean: $0, column) } ?? "", .number), true)
    case .length: (StyledLine(Self.lengths(of: column), .muted), true)
    case .top: (StyledLine(Self.top(of: column, appearance), .textValue), false)
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

  /// Returns a share of the rows; empty for a column without such rows, so that the other columns are easier to see.
  private static func share(_ part: Int, of whole: Int, _ role: Role) -> StyledLine {
    StyledLine(part == 0 ? "" : ShareText.percent(part, of: whole), role)
  }

  private static func value(_ value: DatabaseValue, _ column: ColumnProfile, _ appearance: Appearance) -> (StyledLine, isRight: Bool) {
    guard value != .null else { return (StyledLine(), false) }
    let text = text(of: value, column, appearance)
    return (StyledLine(text.text, text.role), text.isRightAligned)
  }

  private static func quartile(_ quartile: Quartile?, _ column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    guard let quartile else { return StyledLine() }
    let bound = quartile.error == nil ? "" : appearance.sentence("≈ ")
    return StyledLine(bound + text(of: quartile.value, column, appearance).text, quartile.error == nil ? .number : .muted)
  }

  /// A value, one that stands for a date as such.
  static func text(of value: DatabaseValue, _ column: ColumnProfile, _ appearance: Appearance) -> CountedText {
    var text = CountedText(value, glyphs: appearance.glyphs)
    if let dates = column.dates, dates.isNumeric, let date = dates.text(of: value) {
      (text.text, text.role) = (String(date.prefix(10)), .date)
    } else {
      switch value {
      case .integer(let number): text.text = grouped(Int(number))
      case .real(let number): text.text = Self.text(of: number)
      case .null, .text, .blob: break
      }
    }
    return text
  }

  /// A number of five digits and more with its digits in groups; years, and all others of four digits, stay as they are.
  private static func grouped(_ number: Int) -> String { number.magnitude < 10_000 ? String(number) : Plural.grouped(number) }

  /// A real with as many digits after the point as are read at a glance.
  private static func text(of number: Double) -> String {
    guard number.magnitude < 1e15, number.magnitude >= 1e-3 || number == 0 else { return RealText.shortest(number) }
    let rounded = (number * 10_000).rounded() / 10_000
    return rounded.magnitude < 10_000 ? rounded.description : ChartNumber.text(rounded)
  }

  private static func text(ofMean mean: Double, _ column: ColumnProfile) -> String {
    if let dates = column.dates, dates.isNumeric, let date = dates.text(of: .real(mean)) { return String(date.prefix(10)) }
    return text(of: mean)
  }

  private static func lengths(of column: ColumnProfile) -> String {
    guard let least = column.minLength, let most = column.maxLength else { return "" }
    return least == most ? grouped(least) : "\(grouped(least)) to \(grouped(most))"
  }

  private static func top(of column: ColumnProfile, _ appearance: Appearance) -> String {
    guard let first = column.top.first, first.count > 1 else { return "" }
    return
      "\(Plural.grouped(first.count))\(appearance.sentence("×")) \(CountedText(first.value, dates: column.dates, glyphs: appearance.glyphs).text)"
  }

  private static let typeCells = 8

  /// Returns the storage class of the values, or a bar of letters if there are several classes.
  ///
  /// Each cell of the bar is an eighth of the values, and each class that occurs has at least one cell.
  private static func types(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    let cells = typeCells
    let parts: [(name: String, role: Role, count: Int)] = [
      ("integer", .number, column.integers), ("real", .number, column.reals), ("text", .textValue, column.texts),
      ("blob", .blob, column.blobs),
    ].filter { $0.count > 0 }
    guard parts.count > 1 else {
      return StyledLine(parts.first?.name ?? (column.nulls > 0 ? appearance.glyphs.null : ""), parts.first?.role ?? .null)
    }
    let total = parts.reduce(0) { $0 + $1.count }
    var sizes = parts.map { Swift.max(1, Int((Double($0.count) / Double(total) * Double(cells)).rounded())) }
    while sizes.reduce(0, +) != cells, let greatest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) {
      sizes[greatest] += sizes.reduce(0, +) > cells ? -1 : 1
    }
    return zip(parts, sizes).reduce(StyledLine()) { $0.adding(String(repeating: $1.0.name.first ?? " ", count: $1.1), $1.0.role) }
  }
}
