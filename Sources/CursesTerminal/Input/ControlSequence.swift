import Terminal

/// A control sequence: `ESC [`, parameters and a final byte.
struct ControlSequence {
  /// The maximum length of a sequence in bytes.
  static let longest = 64

  /// The mark before the parameters, such as `<` of a mouse report, or nil for a sequence without a mark.
  let mark: UInt8?
  let parameters: [Int]
  let final: UInt8
  let length: Int

  /// Parses a sequence at the beginning of `bytes`.
  ///
  /// Returns nil if it is incomplete or malformed.
  init?(_ bytes: ArraySlice<UInt8>) {
    let body = bytes.dropFirst(2).prefix(Self.longest)
    let mark = body.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    // rxvt ends sequences with Shift with a dollar sign. In a report that begins with a mark or contains two numbers, a dollar sign
    // precedes the final byte.
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

  /// Returns the number before a colon, or 0 if it is missing, limited to the range of a parameter.
  private static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.prefix { (0x30...0x39).contains($0) }.prefix(7).reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  var isPasteStart: Bool { mark == nil && final == UInt8(ascii: "~") && parameters.first == 200 }

  /// The event of the sequence, or nil if it is neither a key nor a mouse report.
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
    // A report of the cursor's position ends like F3. The two are ambiguous only in the first row and one of the first columns.
    case UInt8(ascii: "R") where first > 1 || (parameters.count > 1 && parameters[1] > 16): return nil
    default: return FunctionKeys.lettered(final).map { Key($0, modifiers) }
    }
  }
}

/// Decodes mouse reports of a terminal.
enum MouseReport {
  /// Returns the event of `ESC [ < buttons ; column ; row M`, or `m` for a release.
  static func event(parameters: [Int], isRelease: Bool, final: UInt8) -> Event? {
    guard parameters.count == 3, isRelease || final == UInt8(ascii: "M") else { return nil }
    let point = Point(column: max(0, parameters[1] - 1), row: max(0, parameters[2] - 1))
    return event(buttons: parameters[0], at: point, isRelease: isRelease)
  }

  /// Parses `ESC [ M` and three bytes, which terminals send that do not support the form above.
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

  /// Bits 0 and 1 are the button, bit 5 a motion, bit 6 the wheel.
  ///
  /// Bit 7 means buttons that have no name here.
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
