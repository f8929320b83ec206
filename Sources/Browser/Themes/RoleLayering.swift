internal import Terminal

/// Computes the style of each role of a theme on each base.
struct RoleLayering {
  private let looks: [Role: RoleLook]

  init(looks: [Role: RoleLook]) {
    self.looks = Self.leastLooks.merging(looks) { $1 == RoleLook() ? $0 : $1 }
  }

  /// The styles of all roles on all bases, those of the first base first.
  var styles: [Style] {
    Role.allCases.flatMap { base in
      let ground = ownStyle(base)
      return Role.allCases.map { style($0, on: base, ground: ground) }
    }
  }

  /// The looks that must be visible even in a theme that omits them.
  private static let leastLooks: [Role: RoleLook] = [
    .selection: RoleLook(attributes: .reverse),
    .match: RoleLook(attributes: [.bold, .underline]),
  ]

  /// Returns the least contrast of a role: WCAG's for large text; less for lines, which need only be visible.
  private static func leastContrast(of role: Role) -> Double {
    role == .border ? 1.3 : 3
  }

  private func style(_ role: Role, on base: Role, ground: Style) -> Style {
    guard role != base, role != .text else { return ground }
    let appearance = looks[role] ?? RoleLook()
    if base == .text { return ownStyle(role) }
    // On a header an error keeps its background, by which a theme marks it; a selection keeps its own.
    if base == .header, appearance.background != nil, !ground.attributes.contains(.reverse) { return ownStyle(role) }
    return Style(
      foreground: foreground(of: role, on: base, ground: ground),
      background: ground.background,
      attributes: ground.attributes.union(appearance.attributes ?? []))
  }

  /// Returns the style of a role by itself, on the colours of text.
  private func ownStyle(_ role: Role) -> Style {
    let text = looks[.text] ?? RoleLook()
    let appearance = looks[role] ?? RoleLook()
    let background = appearance.background ?? text.background ?? .standard
    let ground = text.foreground ?? .standard
    // A background of its own is the theme's choice.
    let isOwn = appearance.background != nil || role == .text
    return Style(
      foreground: appearance.foreground.map { isOwn ? $0 : readable($0, as: role, on: background, beside: ground) } ?? ground,
      background: background,
      attributes: appearance.attributes ?? (role == .text ? [] : text.attributes ?? []))
  }

  private func foreground(of role: Role, on base: Role, ground: Style) -> Color {
    if keepsForeground(base, ground) { return ground.foreground }
    let wanted = readable(looks[role]?.foreground ?? ground.foreground, as: role, on: ground.background, beside: ground.foreground)
    guard let sixteen = wanted.contrastInSixteen(to: ground.background), sixteen < Self.leastContrast(of: role) else { return wanted }
    return wanted.inSixteen(as: ground.foreground)
  }

  /// Returns a foreground that is readable on a background: unchanged, or mixed with as much of the text's colour as that takes.
  ///
  /// It keeps at least a third of the contrast of the text beside it, so that a high-contrast theme stays one.
  private func readable(_ wanted: Color, as role: Role, on background: Color, beside text: Color) -> Color {
    let least = Self.leastContrast(of: role)
    guard let contrast = wanted.contrast(to: background), contrast < least else { return wanted }
    let enough = role == .border ? least : max(least, (text.contrast(to: background) ?? 0) / 3)
    let mixed = (1..<8).lazy.map { wanted.mixed(with: text, eighths: $0) }
    return mixed.first { ($0.contrast(to: background) ?? 0) >= enough } ?? text
  }

  private func keepsForeground(_ base: Role, _ ground: Style) -> Bool {
    ground.attributes.contains(.reverse) || (base == .selection && looks[base]?.foreground != nil)
  }
}
