import QuarryFiles
import TestSupport
import Testing

@Suite struct ExactDecimalTests {
  private func real(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes { ExactDecimal.real($0) } }

  @Test(arguments: [
    ("1.10", 1.1), ("1.0", 1), ("-0.5", -0.5), ("1e5", 100_000), ("1E-2", 0.01), ("6.02214076e23", 6.02214076e23), ("10.50", 10.5),
    ("0.1", 0.1), ("0.30000000000000004", 0.30000000000000004), ("5e-324", .leastNonzeroMagnitude),
    ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("1.7976931348623157E+308", .greatestFiniteMagnitude), ("9007199254740992.0", 9007199254740992), ("0.00000000000000000000001", 1e-23),
    ("100000000000000000000000e0", 1e23), ("0e999999999999999999999", 0), ("9e999", .infinity), ("-9e999", -.infinity),
    ("9.0e+999", .infinity), ("1.5000000000000000000000000000000", 1.5), ("2.2250738585072014e-308", .leastNormalMagnitude),
  ])
  func `a number is a real where the real is the same number`(text: String, value: Double) {
    #expect(real(text) == value)
  }

  @Test(arguments: ["-0", "-0.0", "-0e5"])
  func `a zero keeps its sign`(text: String) {
    #expect(real(text)?.sign == .minus && real(text) == 0)
  }

  @Test(arguments: [
    "99999999999999999.99", "1e400", "-1e400", "1E-400", "0.1000000000000000055511151231257827", "3.14159265358979323846",
    "9007199254740993.0", "12345678901234567890.123", "0.1234567890123456789", "1e99999999999999999999999", "4.9e-324", "2e-324",
    "1.7976931348623159e308", "1e999", "0.10000000000000001", "9223372036854775808", "10000000000000000000", "0", "7",
  ])
  func `a number that no real is, and an integer, is none`(text: String) {
    #expect(real(text) == nil)
  }

  @Test func `a real reads back from every way to write it, and from none with a digit more`() {
    var random = SplitMix(seed: 9)
    for _ in 0..<testRounds(20_000) {
      let value = Double(bitPattern: .random(in: 0 ... .max, using: &random))
      guard value.isFinite, value != 0 else { continue }
      #expect(real(value.description) == value)
      let shortest = RealText.shortest(value)
      #expect(real(shortest) == value)
      let parts = shortest.split(separator: "e")
      let exponent = parts.count > 1 ? "e" + parts[1] : ""
      #expect(real("\(parts[0])000\(exponent)") == value)
      #expect(real("\(parts[0])00000000000000000001\(exponent)") == nil)
    }
  }
}
