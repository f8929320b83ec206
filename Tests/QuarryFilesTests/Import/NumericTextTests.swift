import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct NumericTextTests {
  @Test func `a text is a number where a column of numbers makes one of it`() throws {
    var random = SplitMix(seed: 3)
    let letters = Array("0123456789..--++eE \t\nx".unicodeScalars)
    let queue = try makeDatabase("CREATE TABLE t(n NUMERIC)")
    try queue.write { db in
      for round in 0..<testRounds(5_000) {
        let count = Int.random(in: 0...6, using: &random)
        let text =
          round == 0 ? "1e5" : String(String.UnicodeScalarView((0..<count).compactMap { _ in letters.randomElement(using: &random) }))
        try db.execute(sql: "DELETE FROM t")
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
        let stored = try String.fetchOne(db, sql: "SELECT typeof(n) FROM t")
        let isNumber = Array(text.utf8).withUnsafeBytes { NumericText.isNumber($0) }
        #expect(isNumber == (stored != "text"), "\(text.debugDescription)")
      }
    }
  }
}
