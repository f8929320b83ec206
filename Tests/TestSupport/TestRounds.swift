import Foundation

/// Returns the number of rounds of a random test: `usual` times the number in the environment variable `QUARRY_TEST_ROUNDS`.
public func testRounds(_ usual: Int) -> Int {
  usual * (ProcessInfo.processInfo.environment["QUARRY_TEST_ROUNDS"].flatMap { Int($0) } ?? 1)
}
