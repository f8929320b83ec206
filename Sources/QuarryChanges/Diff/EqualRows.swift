internal import QuarryEngine

/// Passes rows that are equal on both sides by their digests, without reading their values one by one.
struct EqualRows {
  /// Whether each row has a unique key on both sides.
  private let isPossible: Bool
  /// The number of rows of a digest.
  private let rowCount: Int
  /// The number of steps for which values are read after rows that differed.
  private var pause = 0
  private var nextPause = 1

  /// The maximum number of steps between two digests.
  private static let maximumPause = 32

  init(of rowCount: Int, isPossible: Bool) {
    (self.rowCount, self.isPossible) = (rowCount, isPossible)
  }

  /// Passes equal rows, if one side has passed all rows that it has read.
  ///
  /// - Returns: The number of rows.
  mutating func pass(_ left: inout DiffRows, _ right: inout DiffRows) async throws -> Int {
    guard isPossible, left.isEmpty || right.isEmpty else { return 0 }
    pause -= 1
    guard pause < 0 else { return 0 }
    // All rows up to this key have been passed on both sides.
    let last = left.isEmpty ? left.last : right.last
    var count = 0
    while true {
      var (first, second) = (left, right)
      first.forgetRows(after: count == 0 ? last : left.last)
      second.forgetRows(after: count == 0 ? last : right.last)
      let (one, two) = (first, second)
      async let found = one.digest(of: rowCount)
      async let other = two.digest(of: rowCount)
      let digests = (try await found, try await other)
      guard let digest = digests.0, digests.1 == digest else {
        (pause, nextPause) = (nextPause, min(2 * nextPause, Self.maximumPause))
        return count
      }
      first.pass(digest, of: rowCount)
      second.pass(digest, of: rowCount)
      (left, right, nextPause) = (first, second, 1)
      count += digest.count
      if digest.count < rowCount { return count }
      try Task.checkCancellation()
    }
  }
}
