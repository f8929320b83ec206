import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite("A table of the values that come first", .gated) struct FrequencyTableTests {
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

  @Test("lists the most frequent values, those of one count in SQLite's order", arguments: 0..<testRounds(100))
  func top(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let order = ByteOrder(collation: [.binary, .nocase, .rtrim].randomElement(using: &random) ?? .binary)
    let spread = Int64.random(in: 2...60, using: &random)
    var table = FrequencyTable(limit: 4096)
    let queue = try makeDatabase("CREATE TABLE t(x COLLATE \(order.collation.rawValue))")
    let values = (0..<Int.random(in: 0...300, using: &random)).map { _ -> DatabaseValue in
      let number = Int64.random(in: 0...spread, using: &random)
      return switch number % 4 {
      case 0: .integer(number)
      case 1: .real(Double(number) / 2)
      case 2: .text("\(Bool.random(using: &random) ? "t" : "T")\(number % 9)\(Bool.random(using: &random) ? " " : "")")
      default: .blob([UInt8(number), 0])
      }
    }
    for value in values { table.add(value, order) }
    let nulls = Int.random(in: 0...20, using: &random)
    try queue.write { db in
      for value in values + Array(repeating: .null, count: nulls) {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
      }
    }
    let all = try queue.read { db in
      let sql = """
        SELECT count(*), typeof(x), CASE typeof(x) WHEN 'blob' THEN hex(x) ELSE rtrim(lower(x)) END
        FROM t GROUP BY x ORDER BY 1 DESC, x
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        try "\(row[0] as Int) × \(row[1] as String) \((row[2] as String?) ?? "")"
      }
    }
    for limit in [0, 1, 8, 100] {
      let found = table.top(limit, nulls: nulls, in: order).map { "\($0.count) × \(Self.words(for: $0.value))" }
      #expect(found == Array(all.prefix(limit)))
    }
  }

  /// Returns the storage class of a value, and what all that its collations hold equal have in common.
  private static func words(for value: CountedValue) -> String {
    switch value {
    case .value(.integer(let integer)): "integer \(integer)"
    case .value(.real(let real)): "real \(real)"
    case .value(.text(let text)): "text \(text.lowercased().split(separator: " ")[0])"
    case .value(.blob(let bytes)): "blob \(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined())"
    case .value(.null), .rawText, .bin: "null "
    }
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

extension FrequencyTable {
  /// Counts a value as the summary of a column does.
  fileprivate mutating func add(_ value: DatabaseValue, _ order: ByteOrder) {
    switch value {
    case .null: break
    case .integer(let integer):
      let bits = UInt64(bitPattern: integer)
      let hash = ByteHash.own.hash(bits)
      _ = count(hash) { $0.entry(hash, .integer, bits: bits) }
    case .real(let real):
      let hash = ByteHash.own.hash(number: real)
      _ = count(hash) { $0.entry(hash, .real, bits: real.bitPattern) }
    case .text(let text):
      Array(text.utf8).withUnsafeBytes { bytes in
        let hash = order.hash(bytes)
        _ = count(hash) { $0.entry(hash, .text, bytes) }
      }
    case .blob(let blob):
      blob.withUnsafeBytes { bytes in
        let hash = ~ByteHash.own.hash(bytes)
        _ = count(hash) { $0.entry(hash, .blob, bytes) }
      }
    }
  }
}
