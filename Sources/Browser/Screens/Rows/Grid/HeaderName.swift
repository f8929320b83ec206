import Terminal

/// The name of a column with its marks, as the head of a grid shows it: on one line, or on two where only its words fit.
///
///     Track     Media
///       Id◆   TypeId→
package struct HeaderName: Hashable {
  let name: String
  /// The marks after the name: of a sort, a key or a foreign key.
  let marks: String
  /// The lines that the head has for it: a second one takes the place of the type.
  let rows: Int

  package init(name: String, marks: String, rows: Int) {
    self.name = name
    self.marks = marks
    self.rows = rows
  }

  /// The number of cells shown of a word: in little room, and in enough room to read it.
  private static let (leastWord, readableWord) = (8, 12)

  /// The cells of the whole name on one line.
  package var width: Int { TextWidth.columns(of: name) + TextWidth.columns(of: marks) }

  /// The minimum width, in cells, at which the name can be distinguished from other names.
  package var leastWidth: Int { width(cutting: HeaderName.leastWord) }

  /// The cells in which all but a long word can be read.
  package var readableWidth: Int { width(cutting: HeaderName.readableWord) }

  private func width(cutting word: Int) -> Int {
    let marks = TextWidth.columns(of: marks)
    let whole = min(word, TextWidth.columns(of: name)) + marks
    let wrapped = breaks.map { first, second in
      max(min(word, TextWidth.columns(of: first)), min(word, TextWidth.columns(of: second)) + marks)
    }
    return min(whole, wrapped.min() ?? whole)
  }

  /// Returns the lines of the name within so many cells, the last line without the marks.
  ///
  /// If the name has only one line, the second line of the header is free for the type.
  package func lines(columns: Int, ellipsis: String) -> [String] {
    let room = max(0, columns - TextWidth.columns(of: marks))
    let cut = TextWidth.truncated(name, to: room, ellipsis: ellipsis)
    guard cut != name else { return [name] }
    let fitting = breaks.filter { TextWidth.columns(of: $0.first) <= columns }
    guard let (first, second) = fitting.first(where: { TextWidth.columns(of: $0.second) <= room }) ?? fitting.last else { return [cut] }
    return [first, TextWidth.truncated(second, to: room, ellipsis: ellipsis)]
  }

  /// The ways to break the name between two of its words; empty if the name has only one line.
  private var breaks: [(first: String, second: String)] {
    guard rows > 1 else { return [] }
    let letters = Array(name)
    return letters.indices.dropFirst().compactMap { index in
      guard HeaderName.isBreak(letters[index - 1], letters[index]) else { return nil }
      let first = String(letters[..<index])
      return (letters[index - 1] == " " ? String(first.dropLast()) : first, String(letters[index...]))
    }
  }

  /// Whether a word ends between two letters: `media_|type`, `Media|Type`.
  private static func isBreak(_ before: Character, _ after: Character) -> Bool {
    "_ -.".contains(before) && !"_ -.".contains(after) || before.isLowercase && after.isUppercase
  }
}

/// The declared type of a column in so many cells.
package enum HeaderType {
  /// The least beginning of a type that says something.
  private static let leastBeginning = 5

  /// Returns the type, without its size where that does not fit: `nvarchar(200)` as `nvarchar`, `integer` as `int`.
  package static func text(_ type: String, columns: Int, ellipsis: String) -> String {
    let name = String(type.prefix { $0 != "(" })
    let forms = [type, name] + (name == "integer" ? ["int"] : [])
    if let whole = forms.first(where: { TextWidth.columns(of: $0) <= columns }) { return whole }
    return columns < leastBeginning ? "" : TextWidth.truncated(name, to: columns, ellipsis: ellipsis)
  }
}
