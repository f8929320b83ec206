import Browser
import Terminal
import TestSupport
import Testing

@Suite("The notation of keys", .gated)
struct KeyNotationTests {
  @Test(
    "names the keys that a terminal reports",
    arguments: [
      ("g d", [Key("g"), Key("d")]), ("ctrl-w h", [Key("w", .control), Key("h")]), ("shift-f5", [Key(.function(5), .shift)]),
      ("space", [Key(" ")]), ("alt-down", [Key(.down, .alt)]), ("?", [Key("?")]), ("Z Z", [Key("Z"), Key("Z")]),
      ("escape", [Key(.escape)]), ("pagedown", [Key(.pageDown)]), ("-", [Key("-")]), ("g -", [Key("g"), Key("-")]),
      ("alt--", [Key("-", .alt)]), ("ctrl-^", [Key("^", .control)]), ("^", [Key("^")]), ("ctrl-j", [Key("j", .control)]),
      ("shift-tab", [Key(.tab, .shift)]), ("ctrl-alt-x", [Key("x", [.control, .alt])]), ("alt-enter", [Key(.enter, .alt)]),
      ("é", [Key("é")]),
    ])
  func named(notation: String, keys: [Key]) {
    #expect(Keymap.parse(notation) == keys)
    #expect(Keymap.notation(of: keys) == notation)
  }

  @Test(
    "knows other programs' names",
    arguments: [
      ("esc", "escape"), ("return", "enter"), ("cr", "enter"), ("C-w", "ctrl-w"), ("^P", "ctrl-p"), ("M-x", "alt-x"),
      ("control-p", "ctrl-p"),
      ("S-F3", "shift-f3"), ("pgdn", "pagedown"), ("page-up", "pageup"), ("del", "delete"), ("ctrl-G", "ctrl-g"), ("shift-g", "G"),
      ("  g   d ", "g d"), ("Ctrl-Home", "ctrl-home"),
    ])
  func aliases(alias: String, notation: String) {
    #expect(Keymap.parse(alias) == Keymap.parse(notation))
    #expect(Keymap.parse(alias).map(Keymap.notation) == notation)
  }

  @Test(
    "refuses keys that a terminal cannot deliver apart, with the reason",
    arguments: [
      ("ctrl-m", "enter"), ("ctrl-i", "tab"), ("ctrl-h", "backspace"), ("ctrl-[", "escape"), ("ctrl-@", "NUL"), ("ctrl-space", "NUL"),
      ("ctrl-?", "backspace"), ("ctrl-enter", "without Ctrl"), ("shift-enter", "Shift"), ("ctrl-tab", "Tab"), ("shift-space", "Shift"),
      ("ctrl-shift-g", "Shift"), ("ctrl-1", "Ctrl"), ("shift-1", "shifted"),
    ])
  func refused(notation: String, reason: String) {
    #expect { try KeyNotation.keys(of: notation) } throws: { error in
      let text = "\(error)"
      return text.contains("\"\(notation)\" cannot be bound") && text.contains(reason)
    }
  }

  @Test(
    "refuses what is no key, offering the nearest",
    arguments: [
      ("gd", "there is no key \"gd\"; separate the keys of a sequence with spaces, as in \"g d\""),
      ("ctrl-pagdown", "there is no key \"ctrl-pagdown\"; did you mean \"pagedown\"?"),
      ("", "a key is missing"), ("   ", "a key is missing"), ("f25", "there is no key \"f25\"; did you mean \"f15\"?"),
    ])
  func unknown(notation: String, message: String) {
    #expect { try KeyNotation.keys(of: notation) } throws: { "\($0)" == message }
  }

  @Test(
    "is shown to people in a short form",
    arguments: [
      ("ctrl-p", "^P"), ("f5", "F5"), ("g d", "gd"), ("Z Z", "ZZ"), ("alt-down", "Alt-Down"), ("enter", "⏎"), ("ctrl-w h", "^W h"),
      ("shift-f12", "Shift-F12"), ("pageup", "PgUp"), ("ctrl-home", "^Home"), ("space", "Space"), ("g space", "g Space"),
      ("alt-l", "Alt-l"),
      ("shift-tab", "Shift-Tab"), ("escape", "Esc"), ("ctrl-^", "^^"), ("alt-enter", "Alt-⏎"),
    ])
  func display(notation: String, display: String) {
    #expect(Keymap.parse(notation).map(Keymap().display) == display)
  }
}
