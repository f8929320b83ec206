import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What reads bytes from outside stands those of the fuzzers' corpus, and bytes near to them.
@Suite(.gated) struct FuzzCorpusTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Fuzzing/Corpus")

  private func inputs(of name: String) throws -> [[UInt8]] {
    let folder = Self.corpus.appending(path: name)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
    return try files.map { Array(try Data(contentsOf: $0)) }
  }

  /// Changes, repeats or removes some bytes.
  private func mutant(of input: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = input
    for _ in 0...random.below(3) {
      let place = random.below(bytes.count + 1)
      let end = min(bytes.count, place + random.below(8))
      switch random.below(4) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
      case 2: bytes.insert(UInt8(random.below(256)), at: place)
      default: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
      }
    }
    return bytes
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func `the corpus and bytes near to it are read without a finding`(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    var random = SplitMix(seed: UInt64(name.utf8.count))
    let inputs = try inputs(of: name)
    #expect(inputs.count > 2)
    for input in inputs {
      for bytes in [input] + (0..<testRounds(30)).map({ _ in mutant(of: input, &random) }) {
        if let finding = target.finding(in: bytes) { Issue.record("\(finding)\n\(String(decoding: bytes, as: UTF8.self))\n\(bytes)") }
      }
    }
  }

  @Test func `each folder of the corpus belongs to a target`() throws {
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)) == Set(FuzzTarget.all.map(\.name)))
  }
}
