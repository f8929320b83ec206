import Browser
import TestSupport
import Testing

@Suite("The settings", .gated)
struct SettingsTests {
  @Test("are the defaults where nobody says anything")
  func defaults() {
    let settings = Settings()
    #expect(settings.theme == "quarry-dark" && settings.mouse && !settings.ascii && settings.catalogWidth == 60)
    #expect(SettingName.allCases.allSatisfy { settings[$0].origin == .standard })
  }

  @Test("come from the file, with their line")
  func file() {
    let settings = Settings(fileText: "theme = \"nord\"\nmouse = false\nascii = true\ncatalog-width = 40", file: "/c/config.toml")
    #expect(settings.theme == "nord" && !settings.mouse && settings.ascii && settings.catalogWidth == 40)
    #expect(settings[.mouse].origin == .file("/c/config.toml", line: 2))
    #expect(settings.warnings == [])
  }

  @Test("yield to the command line")
  func commandLine() {
    let settings = Settings(fileText: "theme = \"nord\"\nmouse = true", arguments: [.theme: .text("mono"), .mouse: .flag(false)])
    #expect(settings.theme == "mono" && !settings.mouse)
    #expect(settings[.theme].origin == .commandLine("--theme"))
    #expect(settings[.mouse].origin == .commandLine("--no-mouse"))
  }

  @Test("take mono for NO_COLOR, unless somebody chose a theme")
  func noColor() {
    #expect(Settings(environment: ["NO_COLOR": "1"]).theme == "mono")
    #expect(Settings(environment: ["NO_COLOR": "1"])[.theme].origin == .environment("NO_COLOR"))
    #expect(Settings(environment: ["NO_COLOR": ""]).theme == "quarry-dark")
    #expect(Settings(fileText: "theme = \"nord\"", environment: ["NO_COLOR": "1"]).theme == "nord")
    #expect(Settings(environment: ["NO_COLOR": "1"], arguments: [.theme: .text("nord")]).theme == "nord")
  }

  @Test("of changes stand in a table of their own, or under their full names")
  func changes() {
    for text in ["[changes]\nrecord = false\nlimit = 3", "changes.record = false\nchanges.limit = 3"] {
      let settings = Settings(fileText: text)
      #expect(!settings.recordsChanges && settings.changesLimit == 3 << 20)
      #expect(settings.warnings == [])
    }
    #expect(Settings(arguments: [.recordChanges: .flag(false)])[.recordChanges].origin == .commandLine("--no-changes"))
  }

  @Test("name the columns that rows are known by, and list them")
  func labels() {
    let settings = Settings(fileText: "[labels]\nCustomer = \"LastName,  FirstName\"\n\"my table\" = \"a b\"", file: "/c/config.toml")
    #expect(settings.labelColumns == ["customer": ["LastName", "FirstName"], "my table": ["a b"]])
    #expect(settings.warnings == [])
    #expect(settings.listing.contains("labels.\"Customer\" = \"LastName,  FirstName\""))
    #expect(Settings(fileText: settings.listing).labelColumns == settings.labelColumns)
    #expect(Settings(fileText: "labels.a = 1").warnings.count == 1)
  }

  @Test("are listed with where each came from")
  func listing() {
    let settings = Settings(fileText: "mouse = false", file: "/c/config.toml", arguments: [.ascii: .flag(true)])
    #expect(
      settings.listing == """
        theme = "quarry-dark"    # default
        mouse = false            # /c/config.toml:1
        ascii = true             # --ascii
        catalog-width = 60       # default
        hide_empty_times = true  # default
        changes.record = true    # default
        changes.limit = 256      # default

        """)
    #expect(Settings(fileText: settings.listing).warnings == [])
  }

  @Test("have a default file that changes nothing, and says the defaults behind its comments")
  func defaultText() {
    #expect(Settings(fileText: Settings.defaultText).listing == Settings().listing)
    let names = SettingName.allCases.map(\.rawValue)
    let lines = Settings.defaultText.split(separator: "\n").map { $0.dropFirst(2) }
    let uncommented = lines.filter { line in names.contains { line.hasPrefix("\($0) = ") } }.joined(separator: "\n")
    let settings = Settings(fileText: uncommented)
    #expect(settings.warnings == [])
    for name in SettingName.allCases {
      #expect(settings[name].value == name.standard)
      #expect(settings[name].origin != .standard)
    }
  }

  @Test(
    "tell a fault with its line, and go on",
    arguments: [
      ("them = \"nord\"", "config.toml:1: there is no setting \"them\"; did you mean \"theme\"?"),
      (
        "color = 1",
        "config.toml:1: there is no setting \"color\"; there are theme, mouse, ascii, catalog-width, hide_empty_times, changes.record, changes.limit"
      ),
      ("theme = 1", "config.toml:1: \"theme\" is a whole number; write a name in quotes: theme = \"quarry-dark\""),
      ("mouse = \"no\"", "config.toml:1: \"mouse\" is a string; write mouse = true or mouse = false"),
      ("catalog-width = 500", "config.toml:1: \"catalog-width\" is 500; write a whole number from 12 to 120"),
      ("catalog-width = 3.5", "config.toml:1: \"catalog-width\" is a floating-point number; write a whole number from 12 to 120"),
      ("catalog-width = [1]", "config.toml:1: \"catalog-width\" is a list; write a whole number from 12 to 120"),
      ("changes.limit = 0", "config.toml:1: \"changes.limit\" is 0; write a whole number from 1 to 1000000"),
      (
        "changes = { record = 1 }",
        "config.toml:1: \"changes.record\" is a whole number; write changes.record = true or changes.record = false"
      ),
      ("mouse = 1979-05-27", "config.toml:1: \"mouse\" is a date; write mouse = true or mouse = false"),
    ])
  func faults(line: String, message: String) {
    let settings = Settings(fileText: line + "\nascii = true")
    #expect(settings.warnings.map(\.description) == [message])
    #expect(settings.ascii)
  }
}
