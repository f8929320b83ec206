import Browser
import Terminal
import TestSupport
import Testing

@Suite("A theme", .gated)
struct ThemeTests {
  static func theme(_ text: String) -> Theme {
    ThemeCatalog().theme(from: ThemeSource(path: "mine.toml", text: text)).theme
  }

  static func rgb(_ value: UInt32, _ ansi: UInt8? = nil) -> Color {
    .rgb(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff), ansi: ansi)
  }

  @Test("gives a role its colors and attributes, by palette, number or name of the terminal's own")
  func colors() {
    let theme = Self.theme(
      """
      text = { fg = "#d0d0d0", bg = "night" }
      number = { fg = "bright-cyan" }
      error = { fg = "plain", attributes = ["bold", "underline"] }
      [palette]
      night = { rgb = "#101418", ansi = "black" }
      plain = "default"
      """)
    #expect(theme.style(.text) == Style(foreground: Self.rgb(0xd0d0d0), background: Self.rgb(0x101418, 0)))
    #expect(theme.style(.number) == Style(foreground: .ansi(14), background: Self.rgb(0x101418, 0)))
    #expect(theme.style(.error) == Style(foreground: .standard, background: Self.rgb(0x101418, 0), attributes: [.bold, .underline]))
    #expect(theme.style(.muted) == theme.style(.text))
  }

  @Test("lays the foreground of one role on the background of another")
  func layers() {
    let theme = Self.theme(
      """
      text = { fg = "#ffffff", bg = "#000000" }
      selection = { bg = "#203040" }
      number = { fg = "#a0c0ff", attributes = ["italic"] }
      """)
    #expect(
      theme.style(.number, on: .selection)
        == Style(foreground: Self.rgb(0xa0c0ff), background: Self.rgb(0x203040), attributes: .italic))
    #expect(theme.style(.selection, on: .selection) == theme.style(.selection))
    #expect(theme.style(.text, on: .selection) == theme.style(.selection))
  }

  @Test("keeps each role at its place")
  func positions() {
    #expect(Role.allCases.map(\.position) == Array(Role.allCases.indices))
  }

  @Test("keeps the selection's own foreground")
  func ownForeground() {
    let theme = Self.theme("selection = { fg = \"#000000\", bg = \"#ffff00\" }\nnumber = { fg = \"#0000ff\" }")
    #expect(theme.style(.number, on: .selection) == theme.style(.selection))
  }

  @Test("lightens a foreground that could not be read on the other background until it can")
  func unreadable() {
    let theme = Self.theme(
      """
      text = { fg = "#ffffff", bg = "#000000" }
      selection = { bg = "#506070" }
      null = { fg = "#708090" }
      date = { fg = "sky" }
      [palette]
      sky = { rgb = "#c0e0ff", ansi = "black" }
      """)
    // Six eighths of it are white: with five the contrast is less than 4.5.
    #expect(theme.style(.null, on: .selection).foreground == Self.rgb(0xdbdfe3))
    #expect(theme.style(.date, on: .selection).foreground == Self.rgb(0xc0e0ff, 0))
  }

  @Test("gives up a stand-in that a terminal of 16 colors could not show on the other background")
  func unreadableInSixteen() {
    let theme = Self.theme(
      """
      text = { fg = "white", bg = "black" }
      selection = { bg = "deep" }
      date = { fg = "sky" }
      [palette]
      white = { rgb = "#ffffff", ansi = "white" }
      black = { rgb = "#000000", ansi = "black" }
      deep = { rgb = "#000040", ansi = "blue" }
      sky = { rgb = "#c0e0ff", ansi = "blue" }
      """)
    #expect(theme.style(.date, on: .selection).foreground == Self.rgb(0xc0e0ff, 7))
    #expect(theme.style(.date).foreground == Self.rgb(0xc0e0ff, 4))
  }

  @Test("shows selection and hits even if it forgets them")
  func forgotten() {
    let theme = Self.theme("text = { fg = \"#ffffff\" }")
    #expect(theme.style(.selection).attributes == .reverse)
    #expect(theme.style(.match).attributes == [.bold, .underline])
    #expect(theme.style(.number, on: .selection).attributes == .reverse)
  }

  @Test("inherits another's looks and palette, and may change either")
  func inherits() throws {
    let parent = try #require(ThemeCatalog().theme(named: "quarry-dark")).theme
    let theme = Self.theme("inherits = \"quarry-dark\"\nerror = { attributes = [\"underline\"] }\n[palette]\nice = \"#ffffff\"")
    #expect(theme.style(.number).foreground == Self.rgb(0xffffff))
    #expect(theme.style(.error).foreground == parent.style(.error).foreground)
    #expect(theme.style(.error).attributes == .underline)
    #expect(theme.style(.text) == parent.style(.text))
  }
}

@Suite("The catalog of themes", .gated)
struct ThemeCatalogTests {
  let mine = ThemeSource(path: "/c/themes/nord.toml", text: "inherits = \"nord\"\ntext = { fg = \"#010203\" }")

  @Test("knows built-in and own themes by name, the own ones first")
  func names() throws {
    let catalog = ThemeCatalog(userThemes: [mine, ThemeSource(path: "/c/themes/zinc.toml", text: "")])
    #expect(catalog.names.contains("zinc") && catalog.names.contains("quarry-light"))
    #expect(catalog.origin(of: "nord") == .file("/c/themes/nord.toml"))
    #expect(catalog.origin(of: "mono") == .builtIn)
    #expect(catalog.origin(of: "nothing") == nil)
    #expect(catalog.theme(named: "nothing") == nil)
  }

  @Test("lets a theme inherit from the built-in one whose name it has")
  func sameName() throws {
    let found = try #require(ThemeCatalog(userThemes: [mine]).theme(named: "nord"))
    #expect(found.warnings == [])
    #expect(found.theme.style(.text).foreground == ThemeTests.rgb(0x010203))
    #expect(found.theme.style(.text).background == ThemeCatalog().theme(named: "nord")?.theme.style(.text).background)
  }

  @Test("is listed with the place of each, the chosen one marked")
  func listing() {
    let lines = ThemeCatalog(userThemes: [mine]).listing(chosen: "mono").split(separator: "\n")
    #expect(lines.count == BuiltInThemes.names.count)
    #expect(lines.contains("* mono              built in"))
    #expect(lines.contains("  nord              /c/themes/nord.toml"))
  }
}
