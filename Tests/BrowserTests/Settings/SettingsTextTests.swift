import Browser
import Foundation
import TestSupport
import Testing

@Suite("A change of single settings in config.toml", .gated)
struct SettingsTextTests {
  private static func change(_ text: String, _ changes: [SettingName: SettingValue?]) throws -> String {
    let changes = Dictionary(uniqueKeysWithValues: changes.map { (SettingKey.setting($0.key), $0.value) })
    return try SettingsText.changing(changes, in: text, file: "/c/config.toml")
  }

  private static func label(_ text: String, _ table: String, _ columns: String?) throws -> String {
    try SettingsText.changing([.label(table: table): columns.map { .text($0) }], in: text, file: "/c/config.toml")
  }

  @Test("replaces the value alone, however the key is written")
  func replacing() throws {
    let nord: [SettingName: SettingValue?] = [.theme: .text("nord")]
    #expect(try Self.change("theme = \"mono\"", nord) == "theme = \"nord\"")
    #expect(try Self.change("# mine\n  theme='mono'   # dark\r\nmouse = true", nord) == "# mine\n  theme=\"nord\"   # dark\r\nmouse = true")
    #expect(try Self.change("\"theme\" = \"\"\"\\\nmono\"\"\"\nascii = true\n", nord) == "\"theme\" = \"nord\"\nascii = true\n")
    #expect(try Self.change("theme = ''' a''''\n", nord) == "theme = \"nord\"\n")
    #expect(try Self.change("theme = \"a # \\\" b\" # c\n", nord) == "theme = \"nord\" # c\n")
    #expect(try Self.change("theme = [ # no\n 'a]', \"b\"\n] # c\n", nord) == "theme = \"nord\" # c\n")
    #expect(try Self.change("\u{FEFF}theme = 'a'\n", nord) == "\u{FEFF}theme = \"nord\"\n")
  }

  @Test("finds a setting of a table under its full name, in the table and in braces")
  func tables() throws {
    let limit: [SettingName: SettingValue?] = [.changesLimit: .number(7)]
    #expect(try Self.change("changes.limit = 3 # MiB\n", limit) == "changes.limit = 7 # MiB\n")
    #expect(try Self.change("\"changes.limit\" = 3\n", limit) == "\"changes.limit\" = 7\n")
    #expect(try Self.change("[changes]\nlimit = 3\nrecord = true\n", limit) == "[changes]\nlimit = 7\nrecord = true\n")
    #expect(
      try Self.change("changes = { record = true, limit = 3 } # c\n", limit) == "changes = { record = true, limit = 7 } # c\n")
  }

  @Test("adds a line to the table that there is, below the default in a comment, or below the other settings")
  func adding() throws {
    let limit: [SettingName: SettingValue?] = [.changesLimit: .number(7)]
    #expect(try Self.change("", limit) == "changes.limit = 7\n")
    #expect(
      try Self.change("[changes]\nrecord = true # yes\n\n[labels]\na = \"b\"", limit)
        == "[changes]\nrecord = true # yes\nlimit = 7\n\n[labels]\na = \"b\"")
    #expect(try Self.change("[changes]", limit) == "[changes]\nlimit = 7\n")
    #expect(try Self.change("changes = { record = true }", limit) == "changes = { record = true, limit = 7 }")
    #expect(try Self.change("changes = {}", limit) == "changes = { limit = 7 }")
    #expect(
      try Self.change("mouse = true\r\nascii = true\r\n\r\n[labels]\r\n", limit)
        == "mouse = true\r\nascii = true\r\nchanges.limit = 7\r\n\r\n[labels]\r\n")
    let names = "# names\n[labels]\na = \"b\"\n"
    #expect(try Self.change("# title\n\n\(names)", limit) == "# title\n\nchanges.limit = 7\n\n\(names)")
    #expect(try Self.change("# only a comment", limit) == "# only a comment\nchanges.limit = 7\n")
    #expect(try Self.change("# changes.limit = 256\n# more\n", limit) == "# changes.limit = 256\nchanges.limit = 7\n# more\n")
  }

  @Test("of the default file adds each setting below its own comment, and removes it again")
  func defaultFile() throws {
    let values: [SettingName: SettingValue] = [
      .theme: .text("nord"), .mouse: .flag(false), .ascii: .flag(true), .catalogWidth: .number(20), .hideEmptyTimes: .flag(false),
      .recordChanges: .flag(false), .changesLimit: .number(9),
    ]
    #expect(Set(values.keys) == Set(SettingName.allCases))
    let text = try Self.change(Settings.defaultText, values.mapValues { value -> SettingValue? in value })
    for (name, value) in values {
      #expect(text.contains("\n# \(name.rawValue) = \(name.standard)\n\(name.rawValue) = \(value)\n"), "\(text)")
      #expect(Settings(fileText: text)[name].value == value)
    }
    #expect(try Self.change(text, values.mapValues { _ -> SettingValue? in nil }) == Settings.defaultText)
  }

  @Test("removes the line alone")
  func removing() throws {
    let gone: [SettingName: SettingValue?] = [.recordChanges: nil]
    #expect(try Self.change("mouse = true\nchanges.record = false # why\nascii = true", gone) == "mouse = true\nascii = true")
    #expect(try Self.change("[changes]\nrecord = false\n", gone) == "[changes]\n")
    #expect(try Self.change("changes = { record = false, limit = 3 }", gone) == "changes = { limit = 3 }")
    #expect(try Self.change("changes = { limit = 3, record = false }", gone) == "changes = { limit = 3 }")
    #expect(try Self.change("changes = { record = false }\n", gone) == "changes = {  }\n")
    #expect(try Self.change("mouse = true\n", gone) == "mouse = true\n")
    #expect(try Self.change("record = 1\n\n[labels]\nrecord = \"b\"\n", gone) == "record = 1\n\n[labels]\nrecord = \"b\"\n")
  }

  @Test("finds the label columns of a table in any case, in a table of the file, in braces and with dots")
  func labels() throws {
    #expect(
      try Self.label("# mine\n[labels] # names\nartist = 'a' # c\n\n[x]\nartist = 1\n", "Artist", "b, c")
        == "# mine\n[labels] # names\nartist = \"b, c\" # c\n\n[x]\nartist = 1\n")
    #expect(try Self.label("labels = { Artist = 'a' }\n", "Album", "b") == "labels = { Artist = 'a', Album = \"b\" }\n")
    #expect(try Self.label("labels.Artist = 'a'\r\nmouse = true\r\n", "artist", "b") == "labels.Artist = \"b\"\r\nmouse = true\r\n")
    #expect(try Self.label("labels.Artist = 'a'\n[x]\n", "Album", "b") == "labels.Artist = 'a'\nlabels.Album = \"b\"\n[x]\n")
    #expect(try Self.label("\"labels.a\" = 'a'\n", "a", "b") == "\"labels.a\" = \"b\"\n")
    #expect(try Self.label("[labels]\n\"a \\\"b\" = 'c'\n", "a \"B", "d") == "[labels]\n\"a \\\"b\" = \"d\"\n")
    #expect(try Self.label("[labels]\nA = 'x'\na = 'y'\n", "a", "z") == "[labels]\nA = \"z\"\na = \"z\"\n")
    #expect(try Self.label("[labels]\n# first\nA = 'x' # why\nb = 'y'\n", "a", nil) == "[labels]\n# first\nb = 'y'\n")
  }

  @Test("adds label columns to the table of the file, and the table where there is none")
  func addedLabels() throws {
    #expect(try Self.label("", "Order Details", "a \"b\"") == "[labels]\n\"Order Details\" = \"a \\\"b\\\"\"\n")
    #expect(try Self.label("[labels]\na = 'x'\n\n[y]\n", "b", "z") == "[labels]\na = 'x'\nb = \"z\"\n\n[y]\n")
    #expect(try Self.label("mouse = true", "b", "z") == "mouse = true\n\n[labels]\nb = \"z\"\n")
    let text = try Self.label(Settings.defaultText, "Customer", "LastName")
    #expect(text == Settings.defaultText + "\n[labels]\nCustomer = \"LastName\"\n")
    #expect(throws: Problem.self) { try Self.label("labels = 3\n", "a", "b") }
  }

  @Test("keeps what it does not know")
  func strange() throws {
    let text =
      "x = { theme = 'a', y = [ { theme = 'b' } ] }\ntheme = 'c'\n[[z]]\ntheme = 'd'\nt = 1979-05-27 07:32:00\n[grid]\ntheme = 'e'\n"
    #expect(try Self.change(text, [.theme: .text("nord")]) == text.replacing("theme = 'c'", with: "theme = \"nord\""))
  }

  @Test("of a text with a fault is refused with the line", arguments: ["mouse = true\ntheme = \n", "mouse = true\ntheme = 'a' 'b'"])
  func faults(text: String) {
    let error = #expect(throws: Problem.self) { try Self.change(text, [.mouse: .flag(false)]) }
    #expect(error?.text.hasPrefix("line 2 of “/c/config.toml”: ") == true, "\(error?.text ?? "")")
    #expect(error?.text.hasSuffix(". Correct the file first: settings cannot be written to it") == true)
  }

  @Test("that would need other lines to change is refused")
  func refused() {
    let error = #expect(throws: Problem.self) { try Self.change("changes = 3\n", [.changesLimit: .number(4)]) }
    #expect(
      error?.text == "changes.limit cannot be changed in “/c/config.toml” without changing other lines: edit the file; nothing was written")
    #expect(throws: Problem.self) { try Self.change("\"th\\u0065me\" = 'a'\n", [.theme: .text("nord")]) }
    #expect(throws: Problem.self) { try Self.change("[[changes]]\nlimit = 3\n", [.changesLimit: .number(4)]) }
  }
}
