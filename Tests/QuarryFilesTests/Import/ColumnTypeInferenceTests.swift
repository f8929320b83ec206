import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct ColumnTypeInferenceTests {
  private func type(_ values: [String], isOfText: Bool = true) -> ImportType {
    var inference = ColumnTypeInference(isOfText: isOfText)
    for value in values {
      Array(value.utf8).withUnsafeBytes { bytes in
        if let integer = LosslessNumber.integer(bytes) {
          _ = integer
          inference.kinds.insert(.integer)
        } else if let real = LosslessNumber.real(bytes) {
          inference.kinds.formUnion(.real(real))
        } else {
          inference.kinds.insert(.text)
        }
      }
    }
    return inference.type
  }

  @Test(arguments: [
    (["1", "-2"], ImportType.integer), (["0.5", "1.0"], .real), (["1", "0.5"], .numeric), (["1", "1.0"], .text), (["1", "007"], .text),
    (["0.5", "1.10"], .text), (["x"], .text), ([], .any),
  ])
  func `the type is the narrowest in which every value reads back`(_ values: [String], _ expected: ImportType) {
    #expect(type(values) == expected)
  }

  @Test func `a JSON column of numbers and strings has no type, so that each stays what it is`() {
    #expect(type(["1", "x"], isOfText: false) == .any)
    #expect(type(["1", "1.0"], isOfText: false) == .any)
    #expect(type(["x"], isOfText: false) == .text)
  }

  @Test func `the order of the values does not matter`() {
    var random = SplitMix(seed: 5)
    for _ in 0..<testRounds(200) {
      let values = (0..<5).map { _ in ["1", "0.5", "1.0", "x", "007"].randomElement(using: &random) ?? "" }
      #expect(type(values) == type(values.shuffled(using: &random)))
    }
  }
}
