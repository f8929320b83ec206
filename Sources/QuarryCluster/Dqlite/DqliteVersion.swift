/// The range of a node's version.
///
/// No request returns it, so it is determined from the node's answers.
enum DqliteVersion: Sendable {
  /// Before 1.15, for example Debian's 1.11.
  case old
  /// From 1.15 to 1.18.2.
  case middle
  /// From 1.18.3 on.
  case new

  /// The requests that determine the version.
  ///
  /// Since 1.15 a node answers the first one with schema 1, and since 1.18.3 it rejects the second one.
  static let questions: [DqliteRequest] = [.prepare("SELECT 1"), .query("PRAGMA busy_timeout", [])]

  /// Determines the version from the answers to ``questions``.
  init(_ prepared: DqliteResponse, _ pragma: DqliteResponse) {
    guard case .statement(schema: 1) = prepared else {
      self = .old
      return
    }
    if case .failure(let failure) = pragma, failure.code == 23 { self = .new } else { self = .middle }
  }

  var capabilities: RemoteCapabilities {
    RemoteCapabilities(
      returning: self == .new, parameterLimit: self == .old ? DqliteRequest.shortParameterLimit : 32_766, interrupts: false)
  }
}
