import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// The summary of the selected cells in the last line.
struct SelectionSummary: Hashable, Sendable {
  /// The summarized cells.
  struct Subject: Hashable, Sendable {
    var grid: GridID
    var rows: EditedCells.Rows
    /// The indexes of the columns.
    var columns: [Int]
    /// The revisions that change when data is written or staged.
    var fileChanges: Int
    var stagedRevision: Int
  }

  let subject: Subject
  /// The column, if whole rows are selected.
  let column: String?
  var values = ValueSummary()
  /// Whether all of the cells have been read.
  var isComplete = false
  /// Whether the values are the stored ones although other values are staged.
  var isOfFile = false
}

extension SelectionSummary {
  /// Returns the summary in words, in the longest form that fits.
  ///
  ///     3 numbers, 1 NULL · 2 distinct · sum 12.5 · mean ≈ 4.16667 · min 1 · max 9
  ///     3 num, 1 NULL · sum 12.5 · mean ≈ 4.16667 · 1 to 9
  func words(columns: Int, _ appearance: Appearance) -> String {
    let forms = forms.map { appearance.sentence($0.filter { !$0.isEmpty }.joined(separator: " · ")) }
    let prefix = column.map { "\($0): " } ?? ""
    let all = forms.map { prefix + $0 } + forms.suffix(1)
    return all.first { TextWidth.columns(of: $0) <= columns } ?? all.last ?? ""
  }

  /// The summary in several forms, longest first.
  private var forms: [[String]] {
    let range = values.least.flatMap { least in values.greatest.map { "\(Self.text(least)) to \(Self.text($0))" } } ?? ""
    let file = isOfFile ? "as in the file" : ""
    return [
      [kinds(isShort: false), distinct, sum, mean, least, greatest, file],
      [kinds(isShort: false), sum, mean, least, greatest, file],
      [kinds(isShort: true), sum, mean, isComplete ? range : "", file], [kinds(isShort: true), sum, mean],
      [values.sum == nil ? kinds(isShort: true) : sum],
    ]
  }

  /// Returns the numbers of values of each kind: `3 numbers, 2 texts, 1 NULL`.
  private func kinds(isShort: Bool) -> String {
    let kinds: [(count: Int, noun: String, short: String)] = [
      (values.numbers, "number", "num"), (values.texts, "text", "txt"), (values.blobs, "blob", "blob"), (values.nulls, "NULL", "NULL"),
    ]
    let words = kinds.filter { $0.count > 0 }.map { kind in
      isShort || kind.noun == "NULL" ? "\(Plural.grouped(kind.count)) \(kind.short)" : Plural.of(kind.count, kind.noun)
    }
    return words.isEmpty ? "no values" : (isComplete ? "" : "≥ ") + words.joined(separator: ", ")
  }

  private var distinct: String {
    guard values.count > values.nulls else { return "" }
    return "\(isComplete && values.isDistinctExact ? "" : "≥ ")\(Plural.grouped(values.distinct)) distinct"
  }

  /// The sum, which may still change while cells are being read.
  private var sum: String {
    guard let sum = values.sum else { return values.numbers > 0 ? "no sum: 9e999 and -9e999" : "" }
    let text =
      switch sum {
      case .integer(let sum): Plural.grouped(sum)
      // Rounded as SQLite prints reals: the sum has more digits than are significant.
      case .real(let sum): RealText.shortest(sum.rounded(toDigits: 15))
      }
    return "sum \(isComplete ? "" : "so far ")\(text)"
  }

  /// The mean, rounded to six digits.
  private var mean: String {
    guard let mean = values.mean else { return "" }
    let short = mean.rounded(toDigits: 6)
    let text = Int64(exactly: short).map { Plural.grouped($0) } ?? RealText.shortest(short)
    return "mean \(isComplete ? "" : "so far ")\(short == mean ? "" : "≈ ")\(text)"
  }

  private var least: String { values.least.map { "min \(isComplete ? "" : "≤ ")\(Self.text($0))" } ?? "" }

  private var greatest: String { values.greatest.map { "max \(isComplete ? "" : "≥ ")\(Self.text($0))" } ?? "" }

  /// The largest number of visible characters of a text.
  private static let longestText = 24

  private static func text(_ value: DatabaseValue) -> String {
    switch value {
    case .integer(let number): Plural.grouped(number)
    case .real(let number): RealText.shortest(number)
    case .text(let text):
      text.prefix(longestText).map { $0.isNewline ? " " : String($0) }.joined() + (text.dropFirst(longestText).isEmpty ? "" : "…")
    case .null, .blob: value.plainText
    }
  }
}

extension Double {
  /// Returns the number rounded to a number of decimal digits, but never to fewer than its integral part has.
  fileprivate func rounded(toDigits digits: Int) -> Double {
    guard isFinite, self != 0 else { return self }
    let enough = (1..<digits).reduce(1.0) { power, _ in power * 10 }
    var scale = 1.0
    while magnitude * scale < enough, scale < 1e18 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
