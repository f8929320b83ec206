import Synchronization

/// Local ports on which programs started by tests can listen.
///
/// A port chosen by the system may be taken before the program binds it, because the system uses the same range for all outgoing
/// connections of tests. The ports here are below that range, and none is returned twice.
public enum FreePort {
  private static let range = 10_000..<30_000
  private static let next = Mutex(Int.random(in: range))

  /// Returns an unused port.
  public static func take() throws -> Int {
    for _ in range {
      let port = next.withLock { next in
        next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
        return next
      }
      if DqliteBytes.canBind(port) { return port }
    }
    throw DqliteNodes.Failure(reason: "no free port")
  }
}
