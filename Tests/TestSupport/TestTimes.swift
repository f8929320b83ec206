import Foundation
import Synchronization
import Testing

/// The seconds that each test has taken, without those in which it waited for its turn.
///
/// They are appended to the file that the environment variable `QUARRY_TEST_TIMES` names, one line for each case of a test: the seconds, a tab,
/// the test. What Swift Testing prints counts from the start of the run.
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
