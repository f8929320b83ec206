/// As much of a terminal as is needed to tell whether it is restored, and whether it was sent anything strange.
///
/// A program may send printable characters, and the sequences that its author chose. Anything else comes from the data.
struct TerminalModel {
  private enum State {
    case ground
    case escape
    case control
    case text(introducer: UInt8)
    case textEscape(introducer: UInt8)
    case charset
  }

  private(set) var byteCount = 0
  /// What a program must not send, the first few.
  private(set) var strange: [String] = []
  /// Whether the type of the terminal changes character sets, or clears the screen, by control characters.
  private let mayShift: Bool
  /// Whether the terminal is GNU screen, which passes on the pieces of a request for the clipboard.
  private let passesOn: Bool
  private var state = State.ground
  private var sequence: [UInt8] = []
  private var utf8: [UInt8] = []
  private var modes: [Int: Bool] = [:]
  private var isPlain = true
  /// Whether the style was plain when the terminal saved it.
  private var isSavedPlain = true
  private var keyboardLevel = 0
  private var isKeypadChanged = false
  private(set) var screen: ScreenModel

  /// - Parameter type: The type of the terminal, as in `TERM`.
  init(type: String, columns: Int = 80, rows: Int = 24) {
    screen = ScreenModel(columns: columns, rows: rows)
    mayShift = type != "xterm-256color"
    passesOn = type.hasPrefix("screen")
  }

  /// Whether the second screen is shown.
  var isFullScreen: Bool { modes[1049] == true }

  /// What differs from a terminal that nobody has used.
  var unrestored: [String] {
    var differences = modes.filter { $0.value != ($0.key == 25 || $0.key == 7) }.map { "mode \($0.key)" }.sorted()
    if !isPlain { differences.append("style") }
    if keyboardLevel != 0 { differences.append("keyboard") }
    if isKeypadChanged { differences.append("keypad") }
    return differences
  }

  mutating func resize(columns: Int, rows: Int) { screen.resize(columns: columns, rows: rows) }

  mutating func spoil() { screen.spoil() }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      byteCount += 1
      take(byte)
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: ground(byte)
    case .escape: escape(byte)
    case .control: control(byte)
    case .charset: state = .ground
    case .text(let introducer):
      if byte == 0x07, !(passesOn && introducer == UInt8(ascii: "P")) { return endText(introducer) }
      if byte == 0x1B { state = .textEscape(introducer: introducer) } else { sequence.append(byte) }
    case .textEscape(let introducer):
      if byte == UInt8(ascii: "\\") { return endText(introducer) }
      guard passesOn, introducer == UInt8(ascii: "P"), sequence.isEmpty, byte == UInt8(ascii: "]") else {
        return note("text of ESC \(introducer) is broken off")
      }
      sequence = [0x1B, byte]
      state = .text(introducer: introducer)
    }
  }

  private mutating func note(_ what: String) {
    if strange.count < 5 { strange.append(what) }
    state = .ground
  }

  // MARK: Characters

  private mutating func ground(_ byte: UInt8) {
    if !utf8.isEmpty || byte >= 0x80 { return character(byte) }
    switch byte {
    case 0x1B: state = .escape
    // ncurses moves the cursor by these, and rings the bell.
    case 0x0D, 0x0A, 0x08, 0x09, 0x07: screen.control(byte)
    case 0x0C where mayShift, 0x0E where mayShift, 0x0F where mayShift: break
    case 0x00..<0x20, 0x7F: note("control character \(byte)")
    default: screen.write(Unicode.Scalar(byte))
    }
  }

  private mutating func character(_ byte: UInt8) {
    if byte == 0x1B {
      // A frame that a signal has cut.
      utf8 = []
      state = .escape
      return
    }
    let isContinuation = byte & 0xC0 == 0x80
    if utf8.isEmpty == isContinuation {
      utf8 = []
      return note("byte \(byte), which is no UTF-8")
    }
    utf8.append(byte)
    let length = utf8[0] >= 0xF0 ? 4 : utf8[0] >= 0xE0 ? 3 : 2
    guard utf8.count == length else { return }
    let text = String(validating: utf8, as: UTF8.self)
    utf8 = []
    guard let scalar = text?.unicodeScalars.first else { return note("bytes that are no UTF-8") }
    if !Self.isPrintable(scalar) { note("character U+\(String(scalar.value, radix: 16))") }
    screen.write(scalar)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: return false
    // Joiners belong to clusters, and the signs of Arabic numbers are seen.
    case .format: return [0x200C, 0x200D].contains(scalar.value) || (0x600...0x605).contains(scalar.value)
    case .unassigned: return !scalar.properties.isNoncharacterCodePoint
    default: return true
    }
  }

  // MARK: Sequences

  private mutating func escape(_ byte: UInt8) {
    sequence = []
    switch byte {
    case 0x1B: break
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): state = .text(introducer: byte)
    case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
    case UInt8(ascii: "="), UInt8(ascii: ">"):
      isKeypadChanged = byte == UInt8(ascii: "=")
      state = .ground
    case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "c"):
      if byte == UInt8(ascii: "c") { note("a reset") }
      if byte == UInt8(ascii: "7") { isSavedPlain = isPlain }
      if byte == UInt8(ascii: "8") { isPlain = isSavedPlain }
      screen.escape(byte)
      state = .ground
    default: note("ESC \(byte)")
    }
  }

  private mutating func control(_ byte: UInt8) {
    if byte == 0x1B { return state = .escape }
    guard (0x40...0x7E).contains(byte) else {
      sequence.append(byte)
      if !(0x20...0x3F).contains(byte) || sequence.count > 60 { note("CSI with byte \(byte)") }
      return
    }
    state = .ground
    let text = String(decoding: sequence, as: UTF8.self)
    let shape = Shape(text, final: Character(Unicode.Scalar(byte)))
    guard shape.isOurs else { return note("CSI \(text)\(shape.final)") }
    apply(shape)
    if shape.mark == nil { screen.apply(shape.final, text) }
  }

  private mutating func apply(_ shape: Shape) {
    switch shape.final {
    case "h", "l": for number in shape.numbers { modes[shape.mark == "?" ? number : -number] = shape.final == "h" }
    case "m" where shape.mark == nil: isPlain = shape.numbers.allSatisfy { [0, 10, 39, 49].contains($0) }
    case "u" where shape.mark == ">": keyboardLevel += 1
    case "u" where shape.mark == "<": keyboardLevel -= 1
    default: break
    }
  }

  /// Whether the text is a piece of a request for the clipboard, in base 64.
  private var isPassedOn: Bool {
    let begin = Array("\u{1B}]52;c;".utf8)
    var rest = sequence.starts(with: begin) ? sequence[begin.count...] : sequence[...]
    if rest.last == 0x07 { rest.removeLast() }
    return rest.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || "+/=".contains(character))
    }
  }

  private mutating func endText(_ introducer: UInt8) {
    state = .ground
    if passesOn, introducer == UInt8(ascii: "P"), isPassedOn { return }
    let text = String(decoding: sequence.prefix(12), as: UTF8.self)
    // Titles, colours and the clipboard.
    let commands = ["0;", "2;", "8;", "10;", "11;", "52;", "104", "110", "111"]
    let isOurs = introducer == UInt8(ascii: "]") && commands.contains { text.hasPrefix($0) }
    let isQuery = introducer == UInt8(ascii: "P") && (text.hasPrefix("+q") || text.hasPrefix("$q"))
    let isClean = !sequence.contains { $0 < 0x20 || $0 == 0x7F }
    if !(isOurs || isQuery) || !isClean { note("ESC \(Character(Unicode.Scalar(introducer)))\(text)") }
  }
}

/// A control sequence: its mark, numbers and final character.
private struct Shape {
  let mark: Character?
  let numbers: [Int]
  let final: Character

  init(_ text: String, final: Character) {
    mark = text.first.flatMap { "?<>=".contains($0) ? $0 : nil }
    numbers = text.drop { "?<>=".contains($0) }.split { ";: $!".contains($0) }.map { Int($0) ?? -1 }
    self.final = final
  }

  /// Whether a program that paints a screen sends it.
  ///
  /// The sequences in hostile data have numbers that are none of these.
  var isOurs: Bool {
    guard numbers.allSatisfy({ (0..<10_000).contains($0) && $0 != HostileText.mark }) else { return false }
    switch final {
    case "h", "l": return mark == "?" ? !numbers.contains { $0 == 3 || $0 == 5 } : numbers == [4] || numbers == [34]
    case "c", "n": return mark == ">" || numbers.allSatisfy { $0 == 0 || $0 == 6 }
    default: return "HmKJABCDGdrSTXPLM@bqutf".contains(final)
    }
  }
}
