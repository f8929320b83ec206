import QuarryEngine
import QuarryRows
import Terminal

/// Bars and small histograms, drawn with parts of a cell.
enum Bars {
  private static let eighths = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
  private static let heights = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let asciiHeights = [" ", ".", ":", "-", "=", "+", "*", "#", "@"]

  /// Returns a bar over a part of `columns` columns, in eighths of a column; any part greater than 0 is visible.
  ///
  /// - Parameter part: A number from 0 to 1.
  static func bar(_ part: Double, columns: Int, glyphs: Glyphs) -> String {
    guard part > 0, columns > 0 else { return "" }
    let whole = Int((min(1, part) * Double(columns) * 8).rounded())
    guard glyphs != .ascii else { return String(repeating: "#", count: max(1, (whole + 4) / 8)) }
    let length = max(1, whole)
    return String(repeating: "█", count: length / 8) + (length % 8 > 0 ? eighths[length % 8] : "")
  }

  /// Returns one cell per number, as high as the number relative to the greatest one; any number greater than 0 is visible.
  static func histogram(_ numbers: [Int], glyphs: Glyphs) -> [String] {
    let greatest = max(1, numbers.max() ?? 1)
    let heights = glyphs == .ascii ? asciiHeights : heights
    return numbers.map { number in
      number <= 0 ? heights[0] : heights[min(8, max(1, Int((Double(number) / Double(greatest) * 8).rounded(.up))))]
    }
  }
}

/// A part of a whole in display form.
enum ShareText {
  /// The width of the widest text in columns: `> 99.9 %`.
  static let columns = 8

  /// Returns a share in percent, with one decimal: `14.3 %`, `< 0.1 %`; empty if the whole is 0.
  static func percent(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "" }
    if part > 0, part * 1_000 < whole { return "< 0.1 %" }
    if part < whole, (whole - part) * 1_000 < whole { return "> 99.9 %" }
    let tenths = Int((Double(part) / Double(whole) * 1_000).rounded())
    return tenths == 1_000 ? "100 %" : tenths == 0 ? "0 %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Cardinality {
  /// Returns the number in display form: `91`, `≥ 10,000`, `≈ 9,871,000 ± 1 %`.
  func text(_ appearance: Appearance) -> String {
    switch self {
    case .exact(let count): Plural.grouped(count)
    case .atLeast(let count): appearance.atLeast + Plural.grouped(count)
    case .estimated(let count, let error): appearance.sentence("≈ \(Plural.grouped(count)) ± \(Self.percent(error))")
    }
  }

  /// Returns the number without its error, for narrow columns: `≈ 9,871,000`.
  func shortText(_ appearance: Appearance) -> String {
    guard case .estimated(let count, _) = self else { return text(appearance) }
    return appearance.sentence("≈ \(Plural.grouped(count))")
  }

  /// Returns an error in display form: `1 %`, `0.4 %`.
  private static func percent(_ error: Double) -> String {
    let tenths = Int((error * 1_000).rounded(.up))
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}
