public import Terminal

/// A line of text that a person edits, with a caret; arrows and readline's keys move it.
public struct TextField: Hashable, Sendable {
  public private(set) var characters: [Character]
  /// The caret stands before the character of this index.
  public private(set) var caret: Int
  /// What the last ^W, ^U or ^K took away; ^Y brings it back.
  private var killed: [Character] = []

  public var text: String { String(characters) }
  public var isEmpty: Bool { characters.isEmpty }

  public init(_ text: String = "") {
    characters = Array(text)
    caret = characters.count
  }

  /// The characters that it has room for.
  static let longest = 10_000

  /// Inserts `text` at the caret, line ends as blanks; returns how many characters there is no room for.
  @discardableResult
  public mutating func insert(_ text: String) -> Int {
    let inserted = text.prefix(max(0, Self.longest - characters.count)).map { $0.isNewline ? " " : $0 }
    characters.insert(contentsOf: inserted, at: caret)
    caret += inserted.count
    return text.count - inserted.count
  }

  /// How many bytes of UTF-8 stand before the caret.
  var caretUTF8Offset: Int { String(characters[..<caret]).utf8.count }

  /// Puts the caret after so many bytes of UTF-8, or after the character that they end in.
  mutating func moveCaret(toUTF8Offset offset: Int) {
    caret = place(ofUTF8Offset: offset)
  }

  /// The index of the character that begins at an offset in UTF-8, or of the next one.
  func place(ofUTF8Offset offset: Int) -> Int {
    var bytes = 0
    for (index, character) in characters.enumerated() {
      if bytes >= offset { return index }
      bytes += character.utf8.count
    }
    return characters.count
  }

  /// Takes a key that edits or moves; returns false for one that means nothing here.
  public mutating func handle(_ key: Key) -> Bool {
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
