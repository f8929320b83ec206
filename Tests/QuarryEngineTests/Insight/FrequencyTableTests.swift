import TestSupport
import Testing

@testable import QuarryEngine

@Suite("A table of the values that come first") struct FrequencyTableTests {
  /// Counts numbers; returns how often the table has told that it counted one.
  private static func count(_ numbers: [Int64], in table: inout FrequencyTable) -> Int {
    numbers.reduce(0) { counted, number in
      let bits = UInt64(bitPattern: number)
      let hash = ByteHash.own.hash(bits)
      return counted + (table.count(hash) { $0.entry(hash, .integer, bits: bits) } ? 1 : 0)
    }
  }

  private static func counts(of numbers: some Sequence<Int64>) -> [CountedValue: Int] {
    Dictionary(numbers.map { (.value(.integer($0)), 1) }, uniquingKeysWith: +)
  }

  private static func counts(in table: FrequencyTable) -> [CountedValue: Int] {
    Dictionary(uniqueKeysWithValues: table.entries.map { (table.value(of: $0), $0.count) })
  }

  @Test("has counted each of them in all rows, those after it was full too", arguments: [1, 40, 1000])
  func fullTable(limit: Int) {
    var random = SplitMix(seed: 7)
    let numbers = (0..<50_000).map { _ in Int64.random(in: 0..<5000, using: &random) }
    var taken: Set<Int64> = []
    for number in numbers where taken.count < limit { taken.insert(number) }
    let expected = Self.counts(of: numbers.filter(taken.contains))
    var table = FrequencyTable(limit: limit)
    #expect(Self.count(numbers, in: &table) == expected.values.reduce(0, +))
    #expect(table.isFull)
    #expect(Self.counts(in: table) == expected)
    let greatest = expected.values.sorted(by: >).prefix(5)
    #expect(table.top(5, nulls: 0, in: .bytes).map(\.count) == Array(greatest))
    for line in table.top(5, nulls: 0, in: .bytes) { #expect(expected[line.value] == line.count) }
  }

  @Test("is full only where a value was left out, and is the sum of two where none was")
  func merging() {
    var (first, second) = (FrequencyTable(limit: 100), FrequencyTable(limit: 100))
    let (low, high) = ((0..<300).map { Int64($0 % 100) }, (0..<500).map { Int64($0 % 100 + 50) })
    #expect(Self.count(low, in: &first) == 300 && Self.count(high, in: &second) == 500)
    #expect(!first.isFull && !second.isFull)
    first.merge(second)
    #expect(!first.isFull)
    #expect(Self.counts(in: first) == Self.counts(of: low + high))
  }
}
