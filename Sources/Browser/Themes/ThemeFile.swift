internal import QuarryEngine
internal import Terminal

/// A parsed theme file whose colors are still names, because a theme that inherits from it may change the palette.
struct ThemeFile {
  typealias Entry = ConfigurationDocument.Entry

  let file: String
  private(set) var parent: Entry?
  private(set) var palette: [String: Color] = [:]
  private(set) var looks: [(role: Role, entries: [Entry])] = []
  private(set) var warnings: [ConfigurationWarning] = []

  init(name: String, file: String, text: String) {
    self.file = file
    let document = ConfigurationDocument(text: text, file: file)
    warnings = document.warnings
    for entry in document.entries { read(entry, name: name) }
  }

  mutating func warn(_ entry: Entry, _ message: String) {
    warnings.append(ConfigurationWarning(file: file, line: entry.line, message: message))
  }

  private mutating func read(_ entry: Entry, name: String) {
    switch (entry.key, entry.value) {
    case ("name", .text(let written)):
      if written != name { warn(entry, "the file's name makes this theme \"\(name)\", not \"\(written)\"; make the two the same") }
    case ("inherits", .text):
      parent = entry
    case ("name", let value), ("inherits", let value):
      warn(entry, "\"\(entry.key)\" is \(value.kind); write the name of a theme in quotes")
    case ("palette", .table(let colors)):
      for color in colors { readPalette(color) }
    case ("palette", let value):
      warn(entry, "\"palette\" is \(value.kind); write [palette] and a line for each color: sand = \"#e3b778\"")
    case (let key, let value):
      readLook(entry, key, value)
    }
  }

  private mutating func readLook(_ entry: Entry, _ key: String, _ value: ConfigurationDocument.Value) {
    guard let role = Role(rawValue: key) else {
      return warn(
        entry,
        "there is no role \"\(key)\"; \(Self.offer(NearestNames.to(key, among: Role.allCases.map(\.rawValue)).first, Self.roleNames))")
    }
    guard case .table(let fields) = value else {
      return warn(entry, "\"\(key)\" is \(value.kind); write \(key) = { fg = \"#rrggbb\", bg = \"#rrggbb\", attributes = [\"bold\"] }")
    }
    looks.append((role, fields))
  }

  private mutating func readPalette(_ entry: Entry) {
    switch entry.value {
    case .text(let text):
      guard let color = ColorNotation.color(text) else {
        return warn(entry, "\"\(text)\" is not a color; write \"#rrggbb\", a terminal color such as \"bright-blue\", or \"default\"")
      }
      palette[entry.key] = color
    case .table(let fields):
      palette[entry.key] = pair(fields, in: entry)
    case let value:
      warn(entry, "\"\(entry.key)\" is \(value.kind); write \(entry.key) = \"#rrggbb\"")
    }
  }

  /// Parses `{ rgb = "#rrggbb", ansi = "blue" }`.
  private mutating func pair(_ fields: [Entry], in entry: Entry) -> Color? {
    var texts: [String: String] = [:]
    for field in fields {
      if case .text(let text) = field.value, ["rgb", "ansi"].contains(field.key) {
        texts[field.key] = text
      } else {
        warn(field, "\"\(field.key)\" is not part of a color; write \(entry.key) = { rgb = \"#rrggbb\", ansi = \"blue\" }")
      }
    }
    let ansi = texts["ansi"].flatMap { ColorNotation.ansiNames.firstIndex(of: $0) }.map(UInt8.init)
    if let name = texts["ansi"], ansi == nil, name != "default" {
      let nearest = NearestNames.to(name, among: ColorNotation.ansiNames).first
      warn(
        entry,
        "\"\(name)\" is not a terminal color; \(Self.offer(nearest, "they are black to white and bright-black to bright-white"))")
    }
    guard let rgb = texts["rgb"], let color = ColorNotation.rgb(rgb, ansi: ansi) else {
      warn(entry, "\"\(entry.key)\" has no 24-bit color; write \(entry.key) = { rgb = \"#rrggbb\", ansi = \"blue\" }")
      return nil
    }
    return color
  }

  static func offer(_ nearest: String?, _ otherwise: String) -> String {
    nearest.map { "did you mean \"\($0)\"?" } ?? otherwise
  }

  private static let roleNames = "the roles are \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
}

extension ThemeFile {
  /// Returns the looks of the roles in this file, with colors from `palette`; adds faults to `warnings`.
  mutating func resolvedLooks(palette: [String: Color]) -> [Role: RoleLook] {
    var resolved: [Role: RoleLook] = [:]
    for (role, fields) in looks {
      for field in fields { read(field, into: &resolved[role, default: RoleLook()], palette: palette) }
    }
    return resolved
  }

  private mutating func read(_ field: Entry, into appearance: inout RoleLook, palette: [String: Color]) {
    switch (field.key, field.value) {
    case ("fg", .text(let name)):
      appearance.foreground = color(name, field, palette)
    case ("bg", .text(let name)):
      appearance.background = color(name, field, palette)
    case ("attributes", .list(let names)):
      appearance.attributes = names.reduce(into: []) { $0.formUnion(attribute($1, field)) }
    case ("attributes", let value):
      warn(field, "\"attributes\" is \(value.kind); write attributes = [\"bold\"]")
    case ("fg", let value), ("bg", let value):
      warn(field, "\"\(field.key)\" is \(value.kind); write \(field.key) = \"#rrggbb\" or the name of a palette color in quotes")
    default:
      let nearest = NearestNames.to(field.key, among: ["fg", "bg", "attributes"]).first
      warn(field, "a role has no \"\(field.key)\"; \(Self.offer(nearest, "it has fg, bg and attributes"))")
    }
  }

  private mutating func color(_ name: String, _ field: Entry, _ palette: [String: Color]) -> Color? {
    if let color = palette[name] ?? ColorNotation.color(name) { return color }
    let nearest = NearestNames.to(name, among: palette.keys.sorted() + ColorNotation.ansiNames).first
    warn(field, "there is no color \"\(name)\"; \(Self.offer(nearest, "name one of [palette] or write \"#rrggbb\""))")
    return nil
  }

  private mutating func attribute(_ value: ConfigurationDocument.Value, _ field: Entry) -> Attributes {
    if case .text(let name) = value, let attribute = Self.attributes[name] { return attribute }
    let names = Self.attributes.keys.sorted()
    guard case .text(let name) = value else {
      warn(field, "an attribute is \(value.kind); write names in quotes: attributes = [\"bold\"]")
      return []
    }
    let nearest = NearestNames.to(name, among: names).first
    warn(field, "there is no attribute \"\(name)\"; \(Self.offer(nearest, "there are \(names.joined(separator: ", "))"))")
    return []
  }

  private static let attributes: [String: Attributes] = [
    "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse, "strikethrough": .strikethrough,
  ]
}
