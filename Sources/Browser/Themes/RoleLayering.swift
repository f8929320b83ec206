internal import Terminal

/// The computation of the style of each role of a theme on each base.
struct RoleLayering {
  private let looks: [Role: RoleLook]

  init(looks: [Role: RoleLook]) {
    let looks = Self.leastLooks.merging(looks) { $1 == RoleLook() ? $0 : $1 }
    let derived = Self.cursorLooks(looks).merging(Self.stagedLooks(looks)) { $1 }.merging(Self.seriesLooks(looks)) { $1 }
    self.looks = derived.merging(looks) { $1 == RoleLook() ? $0 : $1 }
  }

  /// The styles of all roles on all bases, starting with the first base.
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

  /// Returns the default looks of the cursor's row and cell, for themes that omit them.
  ///
  /// They are a tint of the selection, and the reversed accent.
  private static func cursorLooks(_ looks: [Role: RoleLook]) -> [Role: RoleLook] {
    guard let ground = looks[.text]?.background, case .rgb = ground else { return [.cursor: RoleLook(attributes: [.reverse, .bold])] }
    let row = RoleLook(background: tint(of: ground, by: looks[.selection]?.background, under: looks[.text]?.foreground))
    let selection = looks[.selection] ?? RoleLook()
    if let background = selection.background, (background.contrast(to: ground) ?? 0) >= leastOfCursor {
      return [.currentRow: row, .cursor: selection]
    }
    guard let accent = looks[.accent]?.foreground, (accent.contrast(to: ground) ?? 0) >= leastOfText else {
      return [.currentRow: row, .cursor: RoleLook(attributes: [.reverse, .bold])]
    }
    return [.currentRow: row, .cursor: RoleLook(foreground: ground, background: accent)]
  }

  /// Returns the default looks of staged changes, for themes that omit them: those of a warning, a success and a struck-through error.
  private static func stagedLooks(_ looks: [Role: RoleLook]) -> [Role: RoleLook] {
    var deleted = looks[.error] ?? RoleLook()
    deleted.attributes = (deleted.attributes ?? []).union(.strikethrough)
    return [.changed: looks[.warning] ?? RoleLook(), .added: looks[.success] ?? RoleLook(), .deleted: deleted]
  }

  /// Returns the default looks of series, for themes that omit them: the colors of values and of SQL, without their attributes.
  private static func seriesLooks(_ looks: [Role: RoleLook]) -> [Role: RoleLook] {
    let roles: [(Role, Role)] = [
      (.series1, .number), (.series2, .warning), (.series3, .blob), (.series4, .success), (.series5, .error), (.series6, .key),
    ]
    return Dictionary(uniqueKeysWithValues: roles.map { ($0, RoleLook(foreground: looks[$1]?.foreground)) })
  }

  /// Returns the background mixed with as much of the selection as keeps text readable; nil without a color to mix.
  private static func tint(of ground: Color, by selection: Color?, under text: Color?) -> Color? {
    guard let selection, case .rgb = selection else { return nil }
    let tints = (1...3).reversed().lazy.map { ground.mixed(with: selection, eighths: $0) }
    return tints.first { tint in text.flatMap { $0.contrast(to: tint) }.map { $0 >= leastOfText } ?? true } ?? tints.last
  }

  /// The least contrast of text according to WCAG 2, plus a margin because this program computes luminance to within a hundredth.
  private static let leastOfText = 4.6
  /// The least contrast of marks, frames and the cursor's cell according to WCAG 2.
  private static let leastOfCursor = 3.1

  private static func leastContrast(of role: Role) -> Double {
    role == .border ? leastOfCursor : leastOfText
  }

  private func style(_ role: Role, on base: Role, ground: Style) -> Style {
    guard role != base, role != .text else { return ground }
    let appearance = looks[role] ?? RoleLook()
    if base == .text { return ownStyle(role) }
    // On a header and on the cursor's row, an error, a match and a selection keep their own background.
    if base == .header || base == .currentRow, appearance.background != nil, !ground.attributes.contains(.reverse) { return ownStyle(role) }
    return Style(
      foreground: foreground(of: role, on: base, ground: ground),
      background: ground.background,
      attributes: ground.attributes.union(appearance.attributes ?? []))
  }

  /// Returns the style of a role on its own, with the text's colors as defaults.
  private func ownStyle(_ role: Role) -> Style {
    let text = looks[.text] ?? RoleLook()
    let appearance = looks[role] ?? RoleLook()
    let background = appearance.background ?? text.background ?? .standard
    let ground = text.foreground ?? .standard
    // The theme decides about the contrast on an explicit background.
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

  /// Returns a foreground that is readable on a background: unchanged if possible, otherwise lighter or darker as far as needed.
  ///
  /// It keeps at least a third of the contrast of the adjacent text, so that a high-contrast theme remains one.
  private func readable(_ wanted: Color, as role: Role, on background: Color, beside text: Color) -> Color {
    let least = Self.leastContrast(of: role)
    guard let contrast = wanted.contrast(to: background), contrast < least else { return wanted }
    let enough = role == .border ? least : max(least, (text.contrast(to: background) ?? 0) / 3)
    // Lightening or darkening preserves more of the hue than using the text's color.
    let poles = [Color.rgb(red: 255, green: 255, blue: 255, ansi: nil), .rgb(red: 0, green: 0, blue: 0, ansi: nil)]
    guard case .rgb = wanted, let pole = poles.max(by: { ($0.contrast(to: background) ?? 0) < ($1.contrast(to: background) ?? 0) }) else {
      return text
    }
    let mixed = (1..<8).lazy.map { wanted.mixed(with: pole, eighths: $0) }
    return mixed.first { ($0.contrast(to: background) ?? 0) >= enough } ?? text
  }

  private func keepsForeground(_ base: Role, _ ground: Style) -> Bool {
    ground.attributes.contains(.reverse) || ([.selection, .cursor].contains(base) && looks[base]?.foreground != nil)
  }
}
