import Browser
import Terminal

/// The roles of a theme by the styles that it gives them.
struct StyleNames {
  /// The role that needs no name: text in the theme's own colors.
  static let ground = Role.text.rawValue

  private var roles: [Style: String] = [:]
  private var bases: [Color: String] = [:]

  /// The bases that a screen draws on; the first is the one that goes without saying.
  private static let drawnOn: [Role] = [.text, .header, .selection]

  init(of theme: Theme) {
    for base in Self.drawnOn {
      let ground = theme.style(base)
      bases[ground.background] = bases[ground.background] ?? base.rawValue
      roles[ground] = Self.ground
    }
    for base in Self.drawnOn {
      for role in Role.allCases {
        let style = theme.style(role, on: base)
        roles[style] = roles[style] ?? role.rawValue
      }
    }
  }

  /// The role of a style, with what is added to it; a style of another theme in words.
  func role(of style: Style) -> String {
    if let role = roles[style] { return role }
    let attributes: [(Attributes, String)] = [(.underline, "+underline"), (.reverse, "+reverse")]
    for (attribute, word) in attributes where style.attributes.contains(attribute) {
      var without = style
      without.attributes.remove(attribute)
      if let role = roles[without] { return role + word }
    }
    return "(\(style))"
  }

  /// The base that the background of a style shows.
  func base(of style: Style) -> String {
    bases[style.background] ?? "(\(style.background))"
  }

  /// Whether nothing of a cell is seen but its background.
  func isBlank(_ cell: Cell) -> Bool {
    cell.text == " " && cell.style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
  }
}

extension Theme {
  /// A theme that gives every role a color of its own, so that a style tells which it is.
  static let distinct: Theme = {
    let bases = [Role.text: "fg = \"#ffffff\", bg = \"#000000\"", .header: "bg = \"#202020\"", .selection: "bg = \"#303030\""]
    let looks = Role.allCases.enumerated().map { index, role in
      // A base has the foreground of text, which it leaves to what lies on it.
      "\(role.rawValue) = { \(bases[role] ?? "fg = \"#ffff\(String(0x80 + index, radix: 16))\"") }"
    }
    return ThemeCatalog().theme(from: ThemeSource(name: "distinct", origin: .builtIn, text: looks.joined(separator: "\n"))).theme
  }()
}
