/// Decides when a connection acknowledges received bytes at once.
///
/// Nodes send an answer of two messages in two segments, the second one only after the first is acknowledged. The system delays this for 44
/// ms, and resets the option at every read. A long answer is acknowledged anyway, and setting the option for each read would cost a quarter
/// of the time. The option is then set only if nothing has arrived for a millisecond.
struct QuickAcknowledgement {
  private enum Delay {
    case none, over
    case until(ContinuousClock.Instant)
  }

  /// The size of a long answer in bytes.
  private static let longAnswer = 1 << 18
  private static let delay = Duration.milliseconds(1)

  /// The number of bytes received since the last send.
  private var received = 0
  private var late = Delay.none

  mutating func noteSending() {
    received = 0
  }

  mutating func noteReceiving(_ count: Int) {
    received += count
    late = .none
  }

  /// Sets the option before waiting for more bytes, if it is due.
  ///
  /// - Returns: The time at which the wait must end to set the option, or nil if that is not needed.
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
