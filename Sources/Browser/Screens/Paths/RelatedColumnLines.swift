import QuarryRows
import Terminal

/// The columns of the list of values in other tables: the value, its type, and the marks of its keys.
struct RelatedColumnLines {
  private let value: Int
  private let type: Int
  private let isOfAggregates: Bool
  private let appearance: Appearance

  private static let mark = 3

  /// Measures the values for a list of a given width.
  init(_ lines: [PathLine], columns: Int, _ appearance: Appearance) {
    self.appearance = appearance
    let related = lines.compactMap(\.related)
    isOfAggregates = related.first.map(\.names.isEmpty) ?? false
    let widest = lines.map { TextWidth.columns(of: Self.name(of: $0, appearance)) }.max() ?? 0
    value = min(max(6, widest), max(10, columns * 2 / 3 - Self.mark))
    type = min(max(4, related.map { TextWidth.columns(of: $0.declaredType) }.max() ?? 0), 16)
  }

  /// The line above the values.
  var heading: StyledLine {
    let type = isOfAggregates ? "" : TextWidth.padded("type", to: type)
    return StyledLine(
      TextWidth.padded("", to: Self.mark) + TextWidth.padded(isOfAggregates ? "value" : "  column", to: value) + "  \(type)", .muted)
  }

  /// Returns the line of a value.
  func line(of line: PathLine, isChosen: Bool) -> StyledLine {
    let glyphs = appearance.glyphs
    let name = TextWidth.truncated(Self.name(of: line, appearance), to: value, ellipsis: glyphs.ellipsis)
    let start = StyledLine(TextWidth.padded(isChosen ? glyphs.right : "", to: Self.mark), .success)
      .adding(TextWidth.padded(name, to: value))
    guard let related = line.related else { return start }
    if isOfAggregates { return start.adding("  rows whose \(related.keyColumns.joined(separator: ", ")) refers here", .muted) }
    let declared = TextWidth.truncated(related.declaredType.lowercased(), to: type, ellipsis: glyphs.ellipsis)
    let marks = (related.isKey ? glyphs.key : "") + (line.isKey ? glyphs.reference : "")
    return start.adding("  \(TextWidth.padded(declared, to: type))", .muted).adding("  \(marks)", .key)
  }

  /// Returns the value, with a mark before a foreign key: `▸ ArtistId`.
  private static func name(of line: PathLine, _ appearance: Appearance) -> String {
    guard let related = line.related, let name = related.names.last else { return line.value.description }
    let mark = line.isKey ? (line.isUnfolded ? appearance.glyphs.unfolded : appearance.glyphs.folded) : " "
    return String(repeating: "  ", count: line.depth) + "\(mark) \(name)"
  }
}
