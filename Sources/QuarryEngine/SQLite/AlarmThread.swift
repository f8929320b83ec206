/// The thread that fires the alarms of all connections.
///
/// It starts with an alarm, and ends when none has been set for a while. A task would wait forever for a thread that the system refuses.
final class AlarmThread: Sendable {
  fileprivate struct State {
    var alarms: [StatementAlarm] = []
    var isRunning = false
  }

  static let shared = AlarmThread()

  /// The time after which the thread ends without an alarm.
  private static let idleTime = Duration.seconds(1)

  private let state = Monitor(State())

  /// Fires the alarm at its end, unless it has been cancelled or no thread can be started.
  func add(_ alarm: StatementAlarm) {
    let isFirst = state.change { state in
      state.alarms.removeAll { !$0.isSet }
      state.alarms.append(alarm)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    do throws(ThreadError) {
      _ = try WorkerThread { self.run() }
    } catch {
      state.change { $0 = State() }
    }
  }

  private func run() {
    while true {
      let next = state.read { $0.alarms.map(\.end).min() }
      let pause = next.map { ContinuousClock.now.duration(to: $0) } ?? Self.idleTime
      let due = state.wait(upTo: max(.zero, pause)) { $0.takeDue(orEarlierThan: next) }
      for alarm in due ?? [] { alarm.ring() }
      if due == nil, endsIdle() { return }
    }
  }

  /// Returns whether there is no alarm, so that the thread ends.
  private func endsIdle() -> Bool {
    state.change { state in
      state.isRunning = !state.alarms.isEmpty
      return !state.isRunning
    }
  }
}

extension AlarmThread.State {
  /// Removes the alarms that are due.
  ///
  /// Returns no alarms if one has been set that is due before `next`, and nil to continue to wait.
  mutating func takeDue(orEarlierThan next: ContinuousClock.Instant?) -> [StatementAlarm]? {
    let now = ContinuousClock.now
    let due = alarms.filter { $0.end <= now }
    if !due.isEmpty {
      alarms.removeAll { $0.end <= now }
      return due
    }
    guard let earliest = alarms.map(\.end).min() else { return nil }
    return next.map { earliest < $0 } ?? true ? [] : nil
  }
}
