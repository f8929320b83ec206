internal import QuarryEngine
internal import Terminal

extension ThemeFile {
  /// Returns the looks that this file gives to roles, its colours taken from `palette`; faults join `warnings`.
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
      warn(field, "\"\(field.key)\" is \(value.kind); write \(field.key) = \"#rrggbb\" or the name of a palette colour in quotes")
    default:
      let nearest = NearestNames.to(field.key, among: ["fg", "bg", "attributes"]).first
      warn(field, "a role has no \"\(field.key)\"; \(Self.offer(nearest, "it has fg, bg and attributes"))")
    }
  }

  private mutating func color(_ name: String, _ field: Entry, _ palette: [String: Color]) -> Color? {
    if let color = palette[name] ?? ColorNotation.color(name) { return color }
    let nearest = NearestNames.to(name, among: palette.keys.sorted() + ColorNotation.ansiNames).first
    warn(field, "there is no colour \"\(name)\"; \(Self.offer(nearest, "name one of [palette] or write \"#rrggbb\""))")
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
