extension Manual.Section {
  /// Reads a page: `# title`, and then, with an empty line between them, `## heading`, paragraphs, fenced code, entries, and lines such as
  /// `{{themes}}` in place of a ``ManualList``.
  ///
  /// There is no other markup. Whatever is none of these is a paragraph, so that the manual shows it as it is.
  init(page: String) {
    let end = page.firstIndex(of: "\n") ?? page.endIndex
    title = String(page[..<end].trimmingPrefix("# "))
    // What is in a fence alternates with what is not.
    let parts = page[end...].split(separator: "\n```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? Self.prose(part) : [.code(String(part.drop { $0 != "\n" }.dropFirst()))]
    }
  }

  private static func prose(_ text: Substring) -> [Manual.Block] {
    text.split(separator: "\n\n").map { $0.split(separator: "\n") }.filter { !$0.isEmpty }.flatMap(blocks)
  }

  /// Returns what stands between two empty lines.
  private static func blocks(_ lines: [Substring]) -> [Manual.Block] {
    let text = lines.joined(separator: " ")
    if text.hasPrefix("## ") { return [.heading(String(text.dropFirst(3)))] }
    if let list = ManualList.allCases.first(where: { text == "{{\($0.rawValue)}}" }) { return list.blocks }
    if let entries = entries(lines) { return [.entries(entries)] }
    return [.paragraph(text)]
  }

  /// Returns the items of a list, whose lines but for the first are indented; nil where one of them is no entry.
  private static func entries(_ lines: [Substring]) -> [Manual.Entry]? {
    guard lines.first?.hasPrefix("- ") == true else { return nil }
    let items = ("\n" + lines.joined(separator: "\n")).split(separator: "\n- ")
    let entries = items.compactMap { Manual.Entry(item: String($0.replacing("\n  ", with: " "))) }
    return entries.count == items.count ? entries : nil
  }
}

extension Manual.Entry {
  /// Reads `` `name`: meaning `` or `**name**: meaning`; nil where the item is neither.
  fileprivate init?(item: String) {
    guard let mark = ["`", "**"].first(where: item.hasPrefix), let end = item.firstRange(of: mark + ": ") else { return nil }
    self.init(String(item[..<end.lowerBound].dropFirst(mark.count)), String(item[end.upperBound...]))
  }
}
