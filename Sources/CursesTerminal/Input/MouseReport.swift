import Terminal

/// What a terminal says of the mouse.
enum MouseReport {
  /// The event of `ESC [ < buttons ; column ; row M`, or `m` for a release.
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
