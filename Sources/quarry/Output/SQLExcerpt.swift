internal import Terminal

/// The line of an SQL text at which an error begins, with a mark under the place.
struct SQLExcerpt: CustomStringConvertible {
  let description: String

  /// How much of a long line is shown on each side of the place.
  private static let reach = 60

  /// - Parameter offset: Where the error begins, in bytes of UTF-8.
  init?(_ sql: String, offset: Int) {
    guard let place = sql.utf8.index(sql.startIndex, offsetBy: offset, limitedBy: sql.endIndex) else { return nil }
    let start = sql[..<place].lastIndex(where: \.isNewline).map { sql.index(after: $0) } ?? sql.startIndex
    let end = sql[place...].firstIndex(where: \.isNewline) ?? sql.endIndex
    let number = sql[..<start].count { $0.isNewline } + 1
    let before = String(Self.glyphs(sql[start..<place]).suffix(Self.reach))
    let after = String(Self.glyphs(sql[place..<end]).prefix(Self.reach))
    let head = "  line \(number): "
    let indent = String(repeating: " ", count: head.count + TextWidth.columns(of: before))
    description = "\(head)\(before)\(after)\n\(indent)^"
  }

  /// Shows control characters as pictures, so that no text can order the terminal about.
  private static func glyphs(_ text: Substring) -> String {
    String(text.map { $0 == "\t" ? " " : TextWidth.glyph(for: $0) })
  }
}
