package import QuarryEngine

/// A line of text without its line ending, and the state in which its lexing begins.
///
/// Offsets are in bytes of UTF-8. ASCII characters are skipped byte by byte, so that a line of a megabyte is still fast.
package struct TextLine: Hashable, Sendable {
  static let end: UInt8 = 0x0A

  package var text: String {
    didSet {
      count = text.utf8.count
      keptRows = nil
    }
  }
  package var state: SQLLineState
  /// The length of the line in bytes.
  package private(set) var count: Int
  /// The rows of the line at the last width; nil if they are not stored.
  package private(set) var keptRows: LineRows?

  package init(text: String, state: SQLLineState = .plain) {
    self.text = text
    self.state = state
    count = text.utf8.count
  }

  /// Stores the rows of the line at a width.
  package mutating func keepRows(columns: Int) {
    keptRows = LineRows(self, columns: columns)
  }

  /// Replaces bytes of the line.
  package mutating func replace(_ range: Range<Int>, with replacement: String) {
    var rows = keptRows
    text.replaceSubrange(index(range.lowerBound)..<index(range.upperBound), with: replacement)
    rows?.replace(range, withBytes: replacement.utf8.count, in: self)
    keptRows = rows
  }

  package func index(_ offset: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), count))
  }

  /// Returns the offset after the character at `offset`.
  func next(after offset: Int) -> Int {
    guard offset < count else { return count }
    return isSingle(at: offset) ? offset + 1 : self.offset(of: text.index(after: index(offset)))
  }

  /// Returns the offset of the character before `offset`.
  func previous(before offset: Int) -> Int {
    guard offset > 0 else { return 0 }
    if isASCII(at: offset - 1), offset == 1 || isASCII(at: offset - 2) { return offset - 1 }
    return self.offset(of: text.index(before: index(offset)))
  }

  /// Returns `offset` if a character begins there, otherwise the offset of the next character.
  package func aligned(_ offset: Int) -> Int {
    guard offset > 0, offset < count else { return min(max(0, offset), count) }
    if isASCII(at: offset - 1), isASCII(at: offset) { return offset }
    let next = text.index(after: index(offset))
    return self.offset(of: text.index(before: next)) == offset ? offset : self.offset(of: next)
  }

  /// Returns whether an ASCII character without combining marks is at `offset`.
  func isSingle(at offset: Int) -> Bool {
    isASCII(at: offset) && (offset + 1 == count || isASCII(at: offset + 1))
  }

  private func isASCII(at offset: Int) -> Bool { text.utf8[index(offset)] < 0x80 }

  private func offset(of index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
}

extension TextLine {
  /// The number of leading spaces and tabs.
  var indentation: Int { text.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count }

  var isBlank: Bool { indentation == count }

  /// Returns the end of the word at or after `offset`; nil without one.
  func wordEnd(after offset: Int) -> Int? {
    var position = offset
    var isInWord = false
    for character in text[index(offset)...] {
      if character.isWordPart {
        isInWord = true
      } else if isInWord {
        return position
      }
      position += character.utf8.count
    }
    return isInWord ? position : nil
  }

  /// Returns the start of the word at or before `offset`; nil without one.
  func wordStart(before offset: Int) -> Int? {
    var position = offset
    var isInWord = false
    for character in text[..<index(offset)].reversed() {
      if character.isWordPart {
        isInWord = true
      } else if isInWord {
        return position
      }
      position -= character.utf8.count
    }
    return isInWord ? position : nil
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
