/// When a connection acknowledges what has come at once.
///
/// Nodes send an answer of two messages in two segments, and the second only once the first is acknowledged, which the system delays for
/// 44 ms. It forgets the option at every reading. In a long answer the acknowledgements come by themselves, and asking for each would cost
/// a quarter of the time. There it is done only if nothing has come for a millisecond.
struct QuickAcknowledgement {
  private enum Delay {
    case none, over
    case until(ContinuousClock.Instant)
  }

  /// The bytes after which an answer is a long one.
  private static let longAnswer = 1 << 18
  private static let delay = Duration.milliseconds(1)

  /// The bytes that have come since something was sent.
  private var received = 0
  private var late = Delay.none

  mutating func noteSending() {
    received = 0
  }

  mutating func noteReceiving(_ count: Int) {
    received += count
    late = .none
  }

  /// Sets the option before a wait for more, if it is due.
  ///
  /// - Returns: When the wait is to end so that it can be set; nil if that is not needed.
  mutating func prepare(_ socket: ClientSocket) -> ContinuousClock.Instant? {
    guard received >= Self.longAnswer else {
      socket.acknowledgeAtOnce()
      return nil
    }
    switch late {
    case .over: return nil
    case .none:
      let time = ContinuousClock.now + Self.delay
      late = .until(time)
      return time
    case .until(let time) where time > .now: return time
    case .until:
      socket.acknowledgeAtOnce()
      late = .over
      return nil
    }
  }
}
