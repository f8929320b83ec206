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
    let look = looks[role] ?? RoleLook()
    if base == .text { return ownStyle(role) }
    return Style(
      foreground: foreground(of: role, on: base, ground: ground),
      background: ground.background,
      attributes: ground.attributes.union(look.attributes ?? []))
  }

  /// The style of a role by itself, on the colours of text.
  private func ownStyle(_ role: Role) -> Style {
    let text = looks[.text] ?? RoleLook()
    let look = looks[role] ?? RoleLook()
    return Style(
      foreground: look.foreground ?? text.foreground ?? .standard,
      background: look.background ?? text.background ?? .standard,
      attributes: look.attributes ?? (role == .text ? [] : text.attributes ?? []))
  }

  private func foreground(of role: Role, on base: Role, ground: Style) -> Color {
    if keepsForeground(base, ground) { return ground.foreground }
    let wanted = looks[role]?.foreground ?? ground.foreground
    let least = Self.leastContrast(of: role)
    if let contrast = wanted.contrast(to: ground.background), contrast < least { return ground.foreground }
    guard let sixteen = wanted.contrastInSixteen(to: ground.background), sixteen < least else { return wanted }
    return wanted.inSixteen(as: ground.foreground)
  }

  private func keepsForeground(_ base: Role, _ ground: Style) -> Bool {
    ground.attributes.contains(.reverse) || (base == .selection && looks[base]?.foreground != nil)
  }
}
