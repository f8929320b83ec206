import Synchronization

/// Ports of this machine on which a program that a test starts can listen.
///
/// A port that the system picks may belong to somebody else before the program binds it: the system picks from the same range for each
/// connection that any test opens. The ports here lie below that range, and none is handed out twice.
public enum FreePort {
  private static let range = 10_000..<30_000
  private static let next = Mutex(Int.random(in: range))

  /// Returns a port that nothing listens on.
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
