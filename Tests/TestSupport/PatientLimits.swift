package import QuarryCluster
package import QuarryEngine

extension Configuration {
  /// A configuration whose connection waits for a lock as long as a busy machine needs.
  package static let patient = {
    var configuration = Configuration()
    configuration.busyTimeout = Waiting.limit
    return configuration
  }()
}

extension DqliteLimits {
  /// Limits that are not reached on a busy machine.
  package static let patient = {
    var limits = DqliteLimits()
    for limit in [\DqliteLimits.connecting, \.answer, \.search, \.silence, \.busy] { limits[keyPath: limit] = Waiting.limit }
    return limits
  }()

  /// Limits for a test with suspended nodes, where the wait for a sign of a node is as short as usual.
  package static let patientWithHangingNodes = {
    var limits = DqliteLimits.patient
    (limits.connecting, limits.answer) = (DqliteLimits().connecting, DqliteLimits().answer)
    return limits
  }()
}
