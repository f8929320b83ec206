import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct LosslessNumberTests {
  private func integer(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { LosslessNumber.integer($0) } }
  private func real(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes { LosslessNumber.real($0) } }

  @Test(arguments: ["0", "7", "-7", "10", "9223372036854775807", "-9223372036854775808", "1234567890123456789"])
  func `an integer is one where it is written as SQLite writes it`(_ text: String) {
    #expect(integer(text) == Int64(text))
    #expect(real(text) == nil)
  }

  @Test(arguments: [
    "", "-", "007", "00", "-0", "+1", " 1", "1 ", "1,000", "0x10", "1_000", "9223372036854775808", "-9223372036854775809",
    "12345678901234567890", "１",
  ])
  func `what is written otherwise is no integer`(_ text: String) {
    #expect(integer(text) == nil)
    #expect(real(text) == nil)
  }

  @Test(arguments: [
    "0.0", "0.5", "-0.5", "1.0", "-12.25", "0.0001", "123456789012345.0", "0.1234567890123456", "3.141592653589793", "1.0e+15", "1.5e-05",
    "1.7976931348623157e+308", "5.0e-324", "100000000000000.5", "9e999", "-9e999",
  ])
  func `a real is one where it is written as SQLite writes it`(_ text: String) {
    #expect(real(text) == Double(text))
    #expect(integer(text) == nil)
  }

  @Test(arguments: [
    "1.10", "01.5", ".5", "5.", "1e5", "1E5", "-0.0", "+1.5", "0.00001", "1.0e15", "1.0e-5", "0.30000000000000001", "nan", "inf",
    "infinity", "-inf", "1e999", "9E999", "+9e999", "9.0e999", "9e9999", "1.5 ", "1..5", "1.5.5", "1,5", "0x1.8p1", "1000000000000000.0",
    "--1.5", "1.-5",
  ])
  func `what is written otherwise is no real`(_ text: String) {
    #expect(real(text) == nil)
  }

  @Test func `whatever is read as a number is written as it was read`() {
    var random = SplitMix(seed: 7)
    let letters = Array("0123456789012345678900000..--+e".utf8)
    for _ in 0..<testRounds(20_000) {
      let text = String(
        decoding: (0..<Int.random(in: 1...22, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }, as: UTF8.self)
      if let value = integer(text) { #expect(String(value) == text) }
      if let value = real(text) { #expect(RealText.shortest(value) == text) }
    }
  }

  @Test func `every number is read from what it is written as`() {
    var random = SplitMix(seed: 8)
    for _ in 0..<testRounds(20_000) {
      let integer = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
      #expect(self.integer(String(integer)) == integer)
      let reals: [Double] = [
        Double(bitPattern: .random(in: 0 ... .max, using: &random)), Double(integer) / 100, Double(integer),
        Double.random(in: -1e6...1e6, using: &random),
      ]
      for value in reals where value.isFinite && (value != 0 || value.sign == .plus) { #expect(real(RealText.shortest(value)) == value) }
    }
  }
}
