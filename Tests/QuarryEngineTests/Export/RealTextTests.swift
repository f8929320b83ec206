import QuarryEngine
import Testing

@Suite struct RealTextTests {
  private func text(_ value: Double) -> String {
    String(ExportFormat.csv.text(columns: ["a"], rows: [[.real(value)]]).dropFirst(2).dropLast())
  }

  @Test(
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"), (0.99, "0.99"), (1234.5678, "1234.5678"), (0.0001, "0.0001"),
      (0.00001, "1.0e-05"), (0.00012345, "0.00012345"), (123_456_789_012_345, "123456789012345.0"), (1e14, "100000000000000.0"),
      (1e15, "1.0e+15"), (1e100, "1.0e+100"), (.leastNonzeroMagnitude, "5.0e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"), (12.000001, "12.000001"),
      (99_999_999_999.9999, "99999999999.9999"),
    ] as [(Double, String)])
  func `a real is written in the shell's shape`(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test func `every real reads back the same`() {
    for index in 1...20_000 as ClosedRange<UInt64> {
      let bits = index &* 0x9e37_79b9_7f4a_7c15
      let value = Double(bitPattern: bits)
      if value.isFinite { #expect(Double(text(value))?.bitPattern == value.bitPattern) }
      let price = Double(bits % 1_000_000_000) / 10_000
      #expect(Double(text(price)) == price)
    }
  }

  @Test func `every integer is written whole`() {
    let integers: [Int64] = [0, 9, 10, -1, 1_000_000, .max, .min]
    #expect(
      ExportFormat.csv.text(columns: ["a"], rows: integers.map { [.integer($0)] })
        == "a\n" + integers.map { "\($0)\n" }.joined())
  }
}
