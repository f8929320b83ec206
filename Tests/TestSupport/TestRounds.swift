import Foundation

/// Returns how many rounds a random test plays: `usual` ones, times the number in the environment variable `QUARRY_TEST_ROUNDS`.
public func testRounds(_ usual: Int) -> Int {
  usual * (ProcessInfo.processInfo.environment["QUARRY_TEST_ROUNDS"].flatMap { Int($0) } ?? 1)
}
