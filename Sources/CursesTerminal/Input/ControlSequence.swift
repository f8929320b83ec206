import Terminal

/// A sequence that `ESC [` begins: parameters and a last byte.
struct ControlSequence {
  /// One that goes on for longer is none.
  static let longest = 64

  /// The mark before the parameters, as `<` before a mouse report; nil for none.
  let mark: UInt8?
  let parameters: [Int]
  let final: UInt8
  let length: Int

  /// Reads a sequence at the beginning of `bytes`; nil where it has not ended, or is broken off.
  init?(_ bytes: ArraySlice<UInt8>) {
    let body = bytes.dropFirst(2).prefix(Self.longest)
    let mark = body.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    // rxvt ends Shift's sequences with a dollar sign, which elsewhere stands before the last byte of a report that begins with a mark, or
    // that tells two numbers.
    let isReport = mark != nil || body.prefix { (0x20...0x3F).contains($0) }.contains(UInt8(ascii: ";"))
    let end = body.firstIndex { !(0x20...0x3F).contains($0) || ($0 == UInt8(ascii: "$") && !isReport) }
    guard let end, body[end] < 0x7F, body[end] >= 0x20 else { return nil }
    // The Linux console's F1 to F5 are ESC [ [ and a letter.
    let isConsole = body[end] == UInt8(ascii: "[")
    guard !isConsole || end + 1 < bytes.endIndex else { return nil }
    final = isConsole ? bytes[end + 1] : body[end]
    length = end - bytes.startIndex + (isConsole ? 2 : 1)
    self.mark = isConsole ? UInt8(ascii: "[") : mark
    let text = body[..<end].drop { (0x3C...0x3F).contains($0) }
    parameters = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.number)
  }

  /// Returns a number before a colon; 0 where there is none, and no more than can be a parameter.
  private static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.prefix { (0x30...0x39).contains($0) }.prefix(7).reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  var isPasteStart: Bool { mark == nil && final == UInt8(ascii: "~") && parameters.first == 200 }

  /// What it reports; nil for what is no key and no mouse.
  var event: Event? {
    switch mark {
    case UInt8(ascii: "<"): MouseReport.event(parameters: parameters, isRelease: final == UInt8(ascii: "m"), final: final)
    case UInt8(ascii: "["): FunctionKeys.console(final).map(Event.key)
    case nil: key.map(Event.key)
    default: nil
    }
  }

  private var key: Key? {
    let first = parameters.first ?? 0
    let modifiers = FunctionKeys.modifiers(parameters.count > 1 ? parameters[1] : 1)
    switch final {
    case UInt8(ascii: "~") where first == 27 && parameters.count > 2: return FunctionKeys.character(parameters[2], modifiers)
    case UInt8(ascii: "~"): return FunctionKeys.numbered(first).map { Key($0, modifiers) }
    case UInt8(ascii: "$"): return FunctionKeys.numbered(first).map { Key($0, .shift) }
    case UInt8(ascii: "^"): return FunctionKeys.numbered(first).map { Key($0, .control) }
    case UInt8(ascii: "@"): return FunctionKeys.numbered(first).map { Key($0, [.control, .shift]) }
    case UInt8(ascii: "u"): return FunctionKeys.character(first, modifiers)
    case UInt8(ascii: "Z"): return Key(.tab, modifiers.union(.shift))
    case UInt8(ascii: "a")...UInt8(ascii: "d"): return FunctionKeys.lettered(final - 0x20).map { Key($0, .shift) }
    // A report of the cursor's place ends like F3: only in the first row and one of the first columns they are the same.
    case UInt8(ascii: "R") where first > 1 || (parameters.count > 1 && parameters[1] > 16): return nil
    default: return FunctionKeys.lettered(final).map { Key($0, modifiers) }
    }
  }
}

/// What a terminal says of the mouse.
enum MouseReport {
  /// Returns the event of `ESC [ < buttons ; column ; row M`, or `m` for a release.
  static func event(parameters: [Int], isRelease: Bool, final: UInt8) -> Event? {
    guard parameters.count == 3, isRelease || final == UInt8(ascii: "M") else { return nil }
    let point = Point(column: max(0, parameters[1] - 1), row: max(0, parameters[2] - 1))
    return event(buttons: parameters[0], at: point, isRelease: isRelease)
  }

  /// Reads `ESC [ M` and three bytes, as terminals send that do not know the form above.
  static func parseLegacy(_ bytes: ArraySlice<UInt8>) -> KeyParser.Result {
    guard bytes.count >= 6 else { return .incomplete }
    let values = bytes.dropFirst(3).prefix(3).map { Int($0) - 0x20 }
    let point = Point(column: max(0, values[1] - 1), row: max(0, values[2] - 1))
    let isRelease = values[0] & 0x43 == 3
    return .decoded(event(buttons: values[0], at: point, isRelease: isRelease).map { [$0] } ?? [], length: 6)
  }

  private static func event(buttons: Int, at point: Point, isRelease: Bool) -> Event? {
    action(buttons: buttons, isRelease: isRelease).map { .mouse(Mouse($0, at: point, modifiers: modifiers(buttons))) }
  }

  /// Bits 0 and 1 are the button, 5 a motion, 6 the wheel; 7 are buttons that have no name here.
  private static func action(buttons: Int, isRelease: Bool) -> Mouse.Action? {
    switch (buttons & 0xE0, buttons & 3) {
    case (0x40, 0): return .wheelUp
    case (0x40, 1): return .wheelDown
    case (0x40, 2): return .wheelLeft
    case (0x40, 3): return .wheelRight
    case (0x20, 3): return nil
    case (0x20, _): return isRelease ? .release : .drag
    case (0, _) where isRelease: return .release
    case (0, 0): return .press(.left)
    case (0, 1): return .press(.middle)
    case (0, 2): return .press(.right)
    default: return nil
    }
  }

  private static func modifiers(_ buttons: Int) -> Key.Modifiers {
    var modifiers: Key.Modifiers = []
    if buttons & 4 != 0 { modifiers.insert(.shift) }
    if buttons & 8 != 0 { modifiers.insert(.alt) }
    if buttons & 16 != 0 { modifiers.insert(.control) }
    return modifiers
  }
}
