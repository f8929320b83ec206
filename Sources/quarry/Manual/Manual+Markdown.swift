extension Manual.Section {
  /// Parses a page: `# title`, followed by blocks separated by empty lines.
  ///
  /// Blocks are `## heading`, paragraphs, fenced code, entries, and lines such as `{{themes}}` for a ``ManualList``. No other markup is
  /// supported. Any other text is a paragraph, which the manual shows unchanged.
  init(page: String) {
    let end = page.firstIndex(of: "\n") ?? page.endIndex
    title = String(page[..<end].trimmingPrefix("# "))
    // Text inside and outside of fences alternates.
    let parts = page[end...].split(separator: "\n```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? Self.prose(part) : [.code(String(part.drop { $0 != "\n" }.dropFirst()))]
    }
  }

  private static func prose(_ text: Substring) -> [Manual.Block] {
    text.split(separator: "\n\n").map { $0.split(separator: "\n") }.filter { !$0.isEmpty }.flatMap(blocks)
  }

  /// Returns the blocks of the lines between two empty lines.
  private static func blocks(_ lines: [Substring]) -> [Manual.Block] {
    let text = lines.joined(separator: " ")
    if text.hasPrefix("## ") { return [.heading(String(text.dropFirst(3)))] }
    if let list = ManualList.allCases.first(where: { text == "{{\($0.rawValue)}}" }) { return list.blocks }
    if let entries = entries(lines) { return [.entries(entries)] }
    return [.paragraph(text)]
  }

  /// Returns the entries of a list, whose continuation lines are indented, or nil if an item is not an entry.
  private static func entries(_ lines: [Substring]) -> [Manual.Entry]? {
    guard lines.first?.hasPrefix("- ") == true else { return nil }
    let items = ("\n" + lines.joined(separator: "\n")).split(separator: "\n- ")
    let entries = items.compactMap { Manual.Entry(item: String($0.replacing("\n  ", with: " "))) }
    return entries.count == items.count ? entries : nil
  }
}

extension Manual.Entry {
  /// Parses `` `name`: meaning `` or `**name**: meaning`.
  ///
  /// Returns nil for any other item.
  fileprivate init?(item: String) {
    guard let mark = ["`", "**"].first(where: item.hasPrefix), let end = item.firstRange(of: mark + ": ") else { return nil }
    self.init(String(item[..<end.lowerBound].dropFirst(mark.count)), String(item[end.upperBound...]))
  }
}
