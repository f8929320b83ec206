internal import Terminal

/// Lays the looks of a theme's roles over each other.
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

  /// What must be seen even in a theme that forgets it.
  private static let leastLooks: [Role: RoleLook] = [
    .selection: RoleLook(attributes: .reverse),
    .match: RoleLook(attributes: [.bold, .underline]),
  ]

  /// Less contrast than this is unreadable, WCAG's least for large text; a line need only be seen.
  private static func leastContrast(of role: Role) -> Double {
    role == .border ? 1.3 : 3
  }

  private func style(_ role: Role, on base: Role, ground: Style) -> Style {
    guard role != base, role != .text else { return ground }
    let appearance = looks[role] ?? RoleLook()
    if base == .text { return ownStyle(role) }
    // On a bar an error has the background by which a theme tells it; a selection is known by its own.
    if base == .header, appearance.background != nil, !ground.attributes.contains(.reverse) { return ownStyle(role) }
    return Style(
      foreground: foreground(of: role, on: base, ground: ground),
      background: ground.background,
      attributes: ground.attributes.union(appearance.attributes ?? []))
  }

  /// The style of a role by itself, on the colours of text.
  private func ownStyle(_ role: Role) -> Style {
    let text = looks[.text] ?? RoleLook()
    let appearance = looks[role] ?? RoleLook()
    let background = appearance.background ?? text.background ?? .standard
    let ground = text.foreground ?? .standard
    // What stands on a background of its own is the theme's own choice.
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

  /// Returns a foreground that can be read on a background: as it is, else with as much of the text's own colour in it as that takes.
  ///
  /// It then has a third of the contrast of the text beside it at least, so that a theme of high contrast remains one.
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
