public import Terminal

/// The looks of all roles.
public struct Theme: Hashable, Sendable {
  public let name: String
  /// The style of every role on every base, the first base's first: drawing asks for one a cell.
  private let styles: [Style]

  init(name: String, looks: [Role: RoleLook]) {
    self.name = name
    styles = RoleLayering(looks: looks).styles
  }

  /// Returns the style of `role`, on the colours of text where it has none of its own.
  public func style(_ role: Role) -> Style {
    style(role, on: .text)
  }

  /// Returns the style of `role` where it lies on `base`: a number in a selected row.
  ///
  /// The background is the base's. A selection that names its own foreground keeps it, as does a reversed base; a foreground that could
  /// not be read on the base's background gives way to the base's.
  public func style(_ role: Role, on base: Role) -> Style {
    styles[base.position * Role.allCases.count + role.position]
  }
}

extension Theme {
  /// The theme that needs no colour and no file.
  public static let fallback = ThemeCatalog().theme(named: "mono")?.theme ?? Theme(name: "mono", looks: [:])
}

extension Role {
  /// The place of the role in the declaration's order.
  var position: Int { Self.positions[self] ?? 0 }

  private static let positions = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}
