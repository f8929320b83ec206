/// The family of a node's version, which no request tells: it is found by how the node answers.
enum DqliteVersion: Sendable {
  /// Before 1.15, as the 1.11 of Debian.
  case old
  /// From 1.15 to 1.18.2.
  case middle
  /// From 1.18.3 on.
  case new

  /// What the node is asked: it answers the first by the second schema since 1.15, and refuses the second since 1.18.3.
  static let questions: [DqliteRequest] = [.prepare("SELECT 1"), .query("PRAGMA busy_timeout", [])]

  /// Finds the version by the answers to ``questions``.
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
