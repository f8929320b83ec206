/// The doc comments of a Swift source, without code blocks and inline code.
struct DocComments {
  /// Consecutive `///` lines.
  struct Block {
    /// The line of its beginning, from 1.
    var line: Int
    /// The lines, joined by spaces, without code blocks.
    fileprivate(set) var markdown = ""

    /// The text, with `0` for inline code, so that no phrase continues across it.
    var text: String {
      let parts = markdown.replacing("``", with: "`").split(separator: "`", omittingEmptySubsequences: false)
      return parts.enumerated().map { index, part in index.isMultiple(of: 2) ? String(part) : "0" }.joined(separator: " ")
    }
  }

  private(set) var blocks: [Block] = []

  init(_ source: String) {
    var (isInBlock, isCode) = (false, false)
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop(while: \.isWhitespace)
      guard line.hasPrefix("///") else {
        (isInBlock, isCode) = (false, false)
        continue
      }
      if !isInBlock { blocks.append(Block(line: index + 1)) }
      isInBlock = true
      let text = line.dropFirst(3).drop(while: \.isWhitespace)
      if text.hasPrefix("```") {
        isCode.toggle()
      } else if !isCode {
        blocks[blocks.count - 1].markdown += " \(text)"
      }
    }
  }
}
