package import Terminal

/// The looks of all roles.
package struct Theme: Hashable, Sendable {
  package let name: String
  /// The style of every role on every base, starting with the first base: drawing looks up one style per cell.
  private let styles: [Style]

  init(name: String, looks: [Role: RoleLook]) {
    self.name = name
    styles = RoleLayering(looks: looks).styles
  }

  /// Returns the style of `role`, with the text's colors as defaults.
  package func style(_ role: Role) -> Style {
    style(role, on: .text)
  }

  /// Returns the style of `role` on `base`: a number in a selected row.
  ///
  /// The background is the base's, unless the role has a background of its own on a header. A selection with a foreground of its own keeps
  /// it, as does a reversed base. A foreground that would be unreadable on the base's background is mixed with the base's foreground.
  package func style(_ role: Role, on base: Role) -> Style {
    styles[base.position * Role.allCases.count + role.position]
  }

  /// Returns the style of a mark other than text, which is never underlined even if the theme underlines the role.
  func markStyle(_ role: Role = .accent, on base: Role = .text) -> Style {
    var style = style(role, on: base)
    style.attributes.remove(.underline)
    return style
  }
}

extension Theme {
  /// The theme without colors, which needs no file.
  package static let fallback = ThemeCatalog().theme(named: "mono")?.theme ?? Theme(name: "mono", looks: [:])
}

extension Role {
  /// The index of the role in the order of declaration: a switch, because a hash lookup would take a microsecond per cell.
  package var position: Int {
    switch self {
    case .text: 0
    case .muted: 1
    case .accent: 2
    case .selection: 3
    case .currentRow: 4
    case .cursor: 5
    case .header: 6
    case .border: 7
    case .null: 8
    case .number: 9
    case .textValue: 10
    case .blob: 11
    case .date: 12
    case .key: 13
    case .error: 14
    case .warning: 15
    case .success: 16
    case .match: 17
    case .changed: 18
    case .added: 19
    case .deleted: 20
    case .keyword: 21
    case .string: 22
    case .comment: 23
    case .parameter: 24
    case .series1: 25
    case .series2: 26
    case .series3: 27
    case .series4: 28
    case .series5: 29
    case .series6: 30
    }
  }
}

/// A meaning that a theme assigns a look to.
package enum Role: String, CaseIterable, Hashable, Sendable {
  case text, muted, accent, selection
  /// The row and the cell under the cursor of a grid.
  case currentRow = "current-row"
  case cursor
  case header, border
  case null, number
  case textValue = "text-value"
  case blob, date, key
  case error, warning, success, match
  /// Staged changes: a cell with a new value, a new row, a deleted row.
  case changed, added, deleted
  case keyword, string, comment, parameter
  /// The series of a chart.
  case series1 = "series-1"
  case series2 = "series-2"
  case series3 = "series-3"
  case series4 = "series-4"
  case series5 = "series-5"
  case series6 = "series-6"
}

/// A theme's entry for one role; the role's base provides omitted values.
struct RoleLook: Hashable, Sendable {
  var foreground: Color?
  var background: Color?
  var attributes: Attributes?

  /// Returns this look with `heir`'s entries in place of its own.
  func overridden(by heir: RoleLook) -> RoleLook {
    RoleLook(
      foreground: heir.foreground ?? foreground, background: heir.background ?? background, attributes: heir.attributes ?? attributes)
  }
}
