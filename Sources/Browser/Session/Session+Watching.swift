import QuarryEngine

extension Session {
  /// Looks from time to time whether somebody else has written to the files or replaced them, and tells, until the session is gone.
  func watch() {
    guard let interval = watchInterval else { return }
    let first = try? connections.foreground.fileStates()
    Task { [weak self] in
      var (seen, pause) = (first, interval)
      while true {
        try await Task.sleep(for: pause)
        guard let session = self else { return }
        pause = interval
        if let move = await session.checkDatabaseFiles() {
          if move.isReopened { seen = try? await session.connections.foreground.fileStates() }
          continue
        }
        // A file that is locked just now is looked at the next time.
        guard let states = try? await session.connections.foreground.fileStates(), states != seen else { continue }
        seen = states
        let start = ContinuousClock.now
        session.post(.filesChanged)
        await session.settles(within: .seconds(10))
        // Where others write all the time, most of the time is still left to them.
        pause = max(interval, (ContinuousClock.now - start) * 4)
      }
    }
  }

  /// Waits until what was asked for is done.
  private func settles(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    repeat { try? await Task.sleep(for: .milliseconds(20)) } while !isSettled && ContinuousClock.now < deadline
  }
}
