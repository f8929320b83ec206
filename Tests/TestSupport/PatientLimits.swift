package import QuarryCluster

extension DqliteLimits {
  /// Limits that no busy machine reaches.
  package static let patient = {
    var limits = DqliteLimits()
    for limit in [\DqliteLimits.connecting, \.answer, \.search, \.silence, \.busy] { limits[keyPath: limit] = Waiting.limit }
    return limits
  }()

  /// The same for a test whose nodes hang: whether a node is heard of is asked for no longer than usual.
  package static let patientWithHangingNodes = {
    var limits = DqliteLimits.patient
    (limits.connecting, limits.answer) = (DqliteLimits().connecting, DqliteLimits().answer)
    return limits
  }()
}
