import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Runs of keys and hashes", .gated) struct CountingTests {
  @Test("are merged slice by slice into one order", arguments: [1, 2, 3, 5, 8])
  func merging(slices: Int) {
    var random = SplitMix(seed: UInt64(slices))
    for _ in 0..<20 {
      let parts = (0..<slices).map { _ in
        (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt64.random(in: 0...50, using: &random) }.sorted()
      }
      var (keys, room) = (parts.flatMap(\.self), parts.flatMap(\.self))
      let bounds = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
      let merged = keys.withUnsafeMutableBufferPointer { keys in
        room.withUnsafeMutableBufferPointer { Array(KeySorting.merge(keys, $0, bounds)) }
      }
      #expect(merged == parts.flatMap(\.self).sorted())
    }
  }

  @Test("find the place of a key as a look at each of them does", arguments: [0, 1, 7, 8, 9, 100])
  func sampling(count: Int) {
    let keys = (0..<count).map { $0 / 3 * 2 }
    let sample = RunSample(of: count, stride: 8) { keys[$0] }
    for key in -1...(2 * count / 3 + 2) {
      let place = sample.lowerBound({ $0 < key }, precedes: { keys[$0] < key })
      #expect(place == keys.firstIndex { $0 >= key } ?? count, "\(key)")
    }
  }

  @Test("count different hashes, those in a file too", arguments: [1 << 20, 4096])
  func hashes(memory: Int) async throws {
    var random = SplitMix(seed: 9)
    let store = RunStore(SpillBudget(memory: memory))
    let buffer = NumberBuffer(limit: 1000)
    var (seen, runs): (Set<UInt64>, [HashRun]) = ([], [])
    for index in 0..<20_000 {
      // 0 is a hash as any other; some come again.
      let new = index == 0 ? 0 : UInt64.random(in: .min ... .max, using: &random)
      let hash = index % 3 == 1 ? seen.randomElement(using: &random) ?? new : new
      seen.insert(hash)
      if buffer.append(hash), let run = try buffer.sealHashes(in: store) { runs.append(run) }
    }
    if let run = try buffer.sealHashes(in: store) { runs.append(run) }
    let counting = HashCounting(runs)
    try await makeDatabase().read { try counting.work(in: $0) }
    #expect(counting.distinct == seen.count)
  }
}
