package import Terminal

/// A line of editable text with a caret; the arrow keys and the key bindings of readline move it.
package struct TextField: Hashable, Sendable {
  package private(set) var characters: [Character]
  /// The index of the character after the caret.
  package private(set) var caret: Int
  /// The text that the last ^W, ^U or ^K removed; ^Y inserts it again.
  private var killed: [Character] = []

  package var text: String { String(characters) }
  package var isEmpty: Bool { characters.isEmpty }

  package init(_ text: String = "") {
    characters = Array(text)
    caret = characters.count
  }

  /// The largest number of characters.
  static let longest = 10_000

  /// Inserts `text` at the caret, with spaces in place of line endings; returns the number of characters that did not fit.
  @discardableResult
  package mutating func insert(_ text: String) -> Int {
    let inserted = text.prefix(max(0, Self.longest - characters.count)).map { $0.isNewline ? " " : $0 }
    characters.insert(contentsOf: inserted, at: caret)
    caret += inserted.count
    return text.count - inserted.count
  }

  /// The number of UTF-8 bytes before the caret.
  var caretUTF8Offset: Int { String(characters[..<caret]).utf8.count }

  /// Moves the caret to an offset in UTF-8 bytes, or after the character that contains the offset.
  mutating func moveCaret(toUTF8Offset offset: Int) {
    caret = index(ofUTF8Offset: offset)
  }

  /// Returns the index of the character that begins at an offset in UTF-8 bytes, or of the next one.
  func index(ofUTF8Offset offset: Int) -> Int {
    var bytes = 0
    for (index, character) in characters.enumerated() {
      if bytes >= offset { return index }
      bytes += character.utf8.count
    }
    return characters.count
  }

  /// Handles a key that edits or moves; returns false for other keys.
  package mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let character), []), (.character(let character), .shift): insert(String(character))
    case (.character(let letter), .control): return handleControl(letter)
    case (.character(let letter), .alt): return handleAlt(letter)
    case (.left, []): caret = max(0, caret - 1)
    case (.right, []): caret = min(characters.count, caret + 1)
    case (.left, .control), (.left, .alt): caret = wordStart
    case (.right, .control), (.right, .alt): caret = wordEnd
    case (.home, _): caret = 0
    case (.end, _): caret = characters.count
    case (.backspace, []): remove(max(0, caret - 1)..<caret)
    case (.backspace, .alt): kill(wordStart..<caret)
    case (.delete, _): remove(caret..<min(characters.count, caret + 1))
    default: return false
    }
    return true
  }

  private mutating func handleControl(_ letter: Character) -> Bool {
    switch letter {
    case "a": caret = 0
    case "e": caret = characters.count
    case "b": caret = max(0, caret - 1)
    case "f": caret = min(characters.count, caret + 1)
    case "d": remove(caret..<min(characters.count, caret + 1))
    case "h": remove(max(0, caret - 1)..<caret)
    case "w": kill(wordStart..<caret)
    case "u": kill(0..<caret)
    case "k": kill(caret..<characters.count)
    case "y": insert(String(killed))
    default: return false
    }
    return true
  }

  private mutating func handleAlt(_ letter: Character) -> Bool {
    switch letter {
    case "b": caret = wordStart
    case "f": caret = wordEnd
    case "d": kill(caret..<wordEnd)
    default: return false
    }
    return true
  }

  private var wordStart: Int {
    var index = caret
    while index > 0, !characters[index - 1].isWordPart { index -= 1 }
    while index > 0, characters[index - 1].isWordPart { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = caret
    while index < characters.count, !characters[index].isWordPart { index += 1 }
    while index < characters.count, characters[index].isWordPart { index += 1 }
    return index
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    caret = range.lowerBound
  }

  private mutating func kill(_ range: Range<Int>) {
    killed = Array(characters[range])
    remove(range)
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}

extension TextField {
  /// Draws the field on one row, scrolled so that the caret is visible, and moves the terminal's cursor to the caret.
  ///
  /// - Parameter mark: Characters to overlay with a style, such as the error in a filter. The position after the last one is valid.
  /// - Returns: The column of the first visible marked character, or otherwise of the caret.
  @discardableResult
  func draw(
    into surface: inout Surface, at point: Point, columns: Int, style: Style, placeholder: String = "", placeholderStyle: Style = .plain,
    mark: (characters: Range<Int>, style: Style)? = nil
  ) -> Int {
    let area = Rect(column: point.column, row: point.row, columns: columns, rows: 1)
    surface.fill(area, style: style)
    if isEmpty { surface.write(placeholder, at: point, limit: columns, style: placeholderStyle) }
    var first = 0
    var used = width(first..<caret)
    while used >= columns, first < caret {
      used -= width(first..<(first + 1))
      first += 1
    }
    surface.write(String(characters[first...]), at: point, limit: columns, style: style)
    let caretPoint = Point(column: point.column + used, row: point.row)
    surface.cursor = surface.clip.contains(caretPoint) ? caretPoint : nil
    guard let mark, mark.characters.upperBound >= first else { return point.column + used }
    let start = width(first..<max(first, mark.characters.lowerBound))
    let length = max(1, width(max(first, mark.characters.lowerBound)..<max(first, mark.characters.upperBound)))
    let marked = Rect(column: point.column + start, row: point.row, columns: min(length, max(0, columns - start)), rows: 1)
    surface.overlay(marked, style: mark.style)
    return point.column + min(start, columns)
  }

  private func width(_ range: Range<Int>) -> Int {
    characters[range].reduce(0) { $0 + TextWidth.columns(of: TextWidth.glyph(for: $1)) }
  }
}
