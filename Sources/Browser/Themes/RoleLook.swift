internal import Terminal

/// What a theme says of one role; what it leaves out comes from the role's ground.
struct RoleLook: Hashable, Sendable {
  var foreground: Color?
  var background: Color?
  var attributes: Attributes?

  /// Returns this look with what `heir` says instead.
  func overridden(by heir: RoleLook) -> RoleLook {
    RoleLook(
      foreground: heir.foreground ?? foreground, background: heir.background ?? background, attributes: heir.attributes ?? attributes)
  }
}
