internal import Terminal

/// Lays the looks of a theme's roles over each other.
struct RoleLayering {
  let looks: [Role: RoleLook]

  /// Less contrast than this is unreadable: WCAG's least for large text.
  static let leastContrast = 3.0

  func style(_ role: Role, on base: Role) -> Style {
    let ground = ownStyle(base)
    guard role != base, role != .text else { return ground }
    let look = looks[role] ?? RoleLook()
    if base == .text { return ownStyle(role) }
    return Style(
      foreground: foreground(of: look, on: base, ground: ground),
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

  private func foreground(of look: RoleLook, on base: Role, ground: Style) -> Color {
    if looks[base]?.foreground != nil || ground.attributes.contains(.reverse) { return ground.foreground }
    let wanted = look.foreground ?? ground.foreground
    guard let contrast = wanted.contrast(to: ground.background) else {
      return wanted == ground.background ? ground.foreground : wanted
    }
    guard contrast >= Self.leastContrast else { return ground.foreground }
    return wanted.sharing(ground.background) ? wanted.inSixteen(as: ground.foreground) : wanted
  }
}
