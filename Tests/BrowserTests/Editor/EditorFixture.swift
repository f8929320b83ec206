import Browser
import Terminal

extension EditorPane {
  /// An editor with the text around `|`, where the caret is, and `¦`, where the selection began.
  init(marked: String, rows: Int = 10, columns: Int = 60) {
    self.init(text: marked.filter { $0 != "|" && $0 != "¦" })
    extent = GridExtent(rows: rows, columns: columns)
    guard let caret = marked.firstIndex(of: "|") else { return }
    func offset(_ index: String.Index) -> Int { marked[..<index].filter { $0 != "|" && $0 != "¦" }.utf8.count }
    if let anchor = marked.firstIndex(of: "¦") { moveCaret(toUTF8Offset: offset(anchor)) }
    change { $0.move(to: $0.position(atOffset: offset(caret)), selecting: marked.contains("¦")) }
  }

  /// An editor with a text, the caret at its end, in so much room.
  init(text: String, rows: Int, columns: Int) {
    self.init(text: text)
    extent = GridExtent(rows: rows, columns: columns)
  }

  /// The text with `|` where the caret is, and `¦` where a selection began.
  var marked: String {
    var marks = [(caretOffset, "|")]
    if let range = selectedRange { marks.append((range.lowerBound == caretOffset ? range.upperBound : range.lowerBound, "¦")) }
    var bytes = Array(text.utf8)
    for (offset, mark) in marks.sorted(by: { $0.0 > $1.0 }) { bytes.insert(contentsOf: mark.utf8, at: offset) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Presses keys, in the notation of the keymap file.
  mutating func press(_ notation: String) {
    for key in Keymap.parse(notation) ?? [] { _ = handle(key) }
  }

  /// Types a text.
  mutating func type(_ text: String) {
    for character in text { _ = handle(character == "\n" ? Key(.enter) : Key(character)) }
  }

  /// Returns the editor alone on a screen.
  func surface(
    columns: Int = 40, rows: Int = 6, statement: Range<Int>? = nil, placeholder: String = "", theme: Theme = .fallback,
    isASCII: Bool = false
  ) -> Surface {
    var surface = Surface(size: Size(columns: columns, rows: rows))
    let appearance = Appearance(theme: theme, glyphs: isASCII ? .ascii : .unicode)
    draw(into: &surface, area: surface.bounds, hasFocus: true, statement: statement, placeholder: placeholder, appearance: appearance)
    return surface
  }
}
