import Foundation
import Synchronization
import Testing

/// The duration of each test in seconds, without the time in which it waited for its turn.
///
/// The durations are appended to the file in the environment variable `QUARRY_TEST_TIMES`, one line per test case: the seconds, a tab, the
/// test. The times printed by Swift Testing count from the start of the run.
enum TestTimes {
  private static let file = ProcessInfo.processInfo.environment["QUARRY_TEST_TIMES"]
  private static let writing = Mutex(())

  static func note(_ time: Duration) {
    guard let file, let test = Test.current else { return }
    let line = String(format: "%.3f", time / .seconds(1)) + "\t\(test.id)\n"
    writing.withLock { _ in
      guard let output = fopen(file, "a") else { return }
      fputs(line, output)
      fclose(output)
    }
  }
}
