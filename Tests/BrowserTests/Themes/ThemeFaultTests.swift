import Browser
import Terminal
import TestSupport
import Testing

@Suite("A theme file with a fault", .gated)
struct ThemeFaultTests {
  /// Reads a file with one fault, before which there is a good line, which must hold.
  func fault(_ text: String, userThemes: [ThemeSource] = []) -> String {
    let source = ThemeSource(path: "mine.toml", text: "date = { fg = \"#010203\" }\n" + text)
    let found = ThemeCatalog(userThemes: userThemes).theme(from: source)
    #expect(found.theme.style(.date).foreground == ThemeTests.rgb(0x010203))
    return found.warnings.map(\.description).joined(separator: "\n")
  }

  @Test(
    "each is told with its line and the way out",
    arguments: [
      ("nubmer = { fg = \"red\" }", "mine.toml:2: there is no role \"nubmer\"; did you mean \"number\"?"),
      (
        "cursorline = { fg = \"red\" }",
        "mine.toml:2: there is no role \"cursorline\"; the roles are text, muted, accent, selection, current-row, cursor, header, border, null, number, text-value, "
          + "blob, date, key, error, warning, success, match, changed, added, deleted, keyword, string, comment, parameter, "
          + "series-1, series-2, series-3, series-4, series-5, series-6"
      ),
      ("number = { fgg = \"red\" }", "mine.toml:2: a role has no \"fgg\"; did you mean \"fg\"?"),
      ("number = { color = \"red\" }", "mine.toml:2: a role has no \"color\"; it has fg, bg and attributes"),
      ("number = { fg = \"sandd\" }\n[palette]\nsand = \"#ffffff\"", "mine.toml:2: there is no color \"sandd\"; did you mean \"sand\"?"),
      ("number = { fg = \"#12345\" }", "mine.toml:2: there is no color \"#12345\"; name one of [palette] or write \"#rrggbb\""),
      ("number = { fg = 7 }", "mine.toml:2: \"fg\" is a whole number; write fg = \"#rrggbb\" or the name of a palette color in quotes"),
      ("number = { attributes = [\"bald\"] }", "mine.toml:2: there is no attribute \"bald\"; did you mean \"bold\"?"),
      (
        "number = { attributes = [\"blink\"] }",
        "mine.toml:2: there is no attribute \"blink\"; there are bold, dim, italic, reverse, strikethrough, underline"
      ),
      ("number = { attributes = [1] }", "mine.toml:2: an attribute is a whole number; write names in quotes: attributes = [\"bold\"]"),
      ("number = { attributes = \"bold\" }", "mine.toml:2: \"attributes\" is a string; write attributes = [\"bold\"]"),
      (
        "number = \"red\"",
        "mine.toml:2: \"number\" is a string; write number = { fg = \"#rrggbb\", bg = \"#rrggbb\", attributes = [\"bold\"] }"
      ),
      (
        "[palette]\nsand = \"beige\"",
        "mine.toml:3: \"beige\" is not a color; write \"#rrggbb\", a terminal color such as \"bright-blue\", or \"default\""
      ),
      ("[palette]\nsand = 3", "mine.toml:3: \"sand\" is a whole number; write sand = \"#rrggbb\""),
      (
        "[palette]\nsand = { rgb = \"#ffffff\", ansi = \"bleu\" }",
        "mine.toml:3: \"bleu\" is not a terminal color; did you mean \"blue\"?"
      ),
      (
        "[palette]\nsand = { ansi = \"blue\" }",
        "mine.toml:3: \"sand\" has no 24-bit color; write sand = { rgb = \"#rrggbb\", ansi = \"blue\" }"
      ),
      (
        "[palette]\nsand = { rgb = \"#ffffff\", cterm = \"blue\" }",
        "mine.toml:3: \"cterm\" is not part of a color; write sand = { rgb = \"#rrggbb\", ansi = \"blue\" }"
      ),
      ("palette = 1", "mine.toml:2: \"palette\" is a whole number; write [palette] and a line for each color: sand = \"#e3b778\""),
      ("name = \"yours\"", "mine.toml:2: the file's name makes this theme \"mine\", not \"yours\"; make the two the same"),
      ("name = 1", "mine.toml:2: \"name\" is a whole number; write the name of a theme in quotes"),
      ("inherits = \"nrod\"", "mine.toml:2: there is no theme \"nrod\"; did you mean \"nord\"?"),
      ("inherits = \"mine\"", "mine.toml:2: \"mine\" inherits from itself through \"mine\"; remove one \"inherits\""),
    ])
  func told(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test("a line that is no TOML is told, and the others hold")
  func syntax() {
    let warnings = fault("number = { fg = }\nerror = { fg = \"red\" }")
    #expect(warnings.hasPrefix("mine.toml:2: ") && warnings.hasSuffix("; the line is ignored"), "\(warnings)")
  }

  @Test("a circle of inheritance is told where it closes, and broken there")
  func circle() {
    let one = ThemeSource(path: "one.toml", text: "inherits = \"two\"")
    let two = ThemeSource(path: "two.toml", text: "number = { fg = \"red\" }\ninherits = \"one\"")
    let found = ThemeCatalog(userThemes: [one, two]).theme(named: "one")
    #expect(
      found?.warnings.map(\.description) == ["two.toml:2: \"two\" inherits from itself through \"one\"; remove one \"inherits\""])
    #expect(found?.theme.style(.number).foreground == .ansi(1))
  }

  @Test("a fault in a theme that is inherited names that theme's file")
  func inherited() {
    let parent = ThemeSource(path: "parent.toml", text: "number = { fg = \"blux\" }")
    #expect(fault("inherits = \"parent\"", userThemes: [parent]) == "parent.toml:1: there is no color \"blux\"; did you mean \"blue\"?")
  }
}
