internal import Terminal

extension Manual {
  /// The manual in lines of 80 columns.
  package var text: String {
    let text = sections.map { "\($0.title.uppercased())\n" + $0.blocks.map(\.text).joined() }.joined()
    return String(text.dropLast())
  }
}

extension Manual.Block {
  private static let indent = "  "

  /// The block in lines of 80 columns, with an empty line after it.
  fileprivate var text: String {
    switch self {
    case .paragraph(let text): Wrapping(indent: Self.indent).lines(of: text) + "\n"
    case .heading(let title): Wrapping(indent: Self.indent).lines(of: title)
    case .code(let text):
      text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined() + "\n"
    case .entries(let entries):
      entries.map { Self.text(of: $0, width: Manual.nameWidth(of: entries)) }.joined() + "\n"
    }
  }

  /// Returns the name with its meaning beside it, or below it if the name is too wide.
  private static func text(of entry: Manual.Entry, width: Int) -> String {
    let padding = String(repeating: " ", count: width + 2)
    let meaning = Wrapping(indent: indent + indent + padding).lines(of: entry.meaning)
    guard TextWidth.columns(of: entry.name) <= width else {
      return Wrapping(indent: indent + indent).lines(of: entry.name) + meaning
    }
    let name = entry.name + String(repeating: " ", count: width - TextWidth.columns(of: entry.name))
    return indent + indent + name + meaning.dropFirst(indent.count * 2 + width)
  }
}

/// Breaks text into indented lines of 80 columns.
private struct Wrapping {
  static let width = 80

  let indent: String

  func lines(of text: String) -> String {
    var lines = "", line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count, TextWidth.columns(of: line) + 1 + TextWidth.columns(of: String(word)) > Self.width {
        lines += line + "\n"
        line = indent
      }
      line += (line.count > indent.count ? " " : "") + word
    }
    return lines + line + "\n"
  }
}
