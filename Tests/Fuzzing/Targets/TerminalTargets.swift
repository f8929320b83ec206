internal import Browser
internal import CursesTerminal
internal import Terminal

extension FuzzTarget {
  static let terminal = [FuzzTarget("keys", keys), FuzzTarget("keymap", keymap), FuzzTarget("theme", theme)]

  /// Keys are the same however the bytes arrive.
  private static func keys(_ bytes: [UInt8]) throws -> String? {
    var (whole, single) = (InputDecoder(), InputDecoder())
    let events = whole.decode(bytes).flatMap(parts)
    if bytes.flatMap({ single.decode([$0]) }).flatMap(parts) != events { return "other keys byte by byte" }
    return whole.flush() == single.flush() ? nil : "other keys at the end"
  }

  /// Returns a key for each scalar of a character: one that arrives later cannot join the character before it.
  private static func parts(of event: Event) -> [Event] {
    guard case .key(let key) = event, case .character(let character) = key.code else { return [event] }
    return character.unicodeScalars.map { .key(Key(.character(Character($0)), key.modifiers)) }
  }

  /// Warnings about a keymap name lines that it has.
  private static func keymap(_ bytes: [UInt8]) throws -> String? {
    let keymap = Keymap(userText: text(bytes), file: "keys.toml")
    return complaint(about: keymap.warnings, in: text(bytes))
  }

  /// Warnings about a theme name lines that it has.
  private static func theme(_ bytes: [UInt8]) throws -> String? {
    let source = ThemeSource(name: "mine", origin: .file("mine.toml"), text: text(bytes))
    return complaint(about: ThemeCatalog().theme(from: source).warnings, in: text(bytes))
  }

  /// Warnings name lines that the file has.
  private static func complaint(about warnings: [ConfigurationWarning], in text: String) -> String? {
    let count = text.utf8.count { $0 == 0x0A } + text.utf8.count { $0 == 0x0D } + 1
    return warnings.first { ($0.line ?? 1) < 1 || ($0.line ?? 1) > count }.map { "no line \($0.line ?? 0): \($0.message)" }
  }
}
