import QuarryEngine
import Testing

@Suite("Texts as parameters")
struct ParameterTypeTests {
  @Test(
    "a text of a type becomes its value",
    arguments: [
      (ParameterType.integer, "42", DatabaseValue.integer(42)), (.integer, " -9223372036854775808 ", .integer(.min)),
      (.real, "1", .real(1)), (.real, "\t1.5\n", .real(1.5)), (.real, "-2e-3", .real(-0.002)), (.text, "007", .text("007")), (.text, "", .text("")),
      (.blob, "00fF", .blob([0, 255])), (.blob, "x'0a'", .blob([10])), (.blob, "", .blob([])), (.null, "", .null), (.null, "NULL", .null),
      (.date, "2024-02-29", .text("2024-02-29")), (.date, "2024-02-29T12:30", .text("2024-02-29T12:30")), (.json, "[1]", .text("[1]")),
    ] as [(ParameterType, String, DatabaseValue)])
  func values(_ type: ParameterType, _ text: String, _ expected: DatabaseValue) throws {
    #expect(try type.value(of: text) == expected)
  }

  @Test(
    "a text that is no value of its type says what was expected",
    arguments: [
      (ParameterType.integer, "9223372036854775808", "integer"), (.integer, "1.5", "integer"), (.integer, "", "integer"), (.real, "nan", "number"),
      (.integer, "4 2", "integer"), (.real, "1 . 5", "number"), (.real, "inf", "number"), (.real, "0x10", "number"), (.blob, "0", "hexadecimal"), (.blob, "zz", "hexadecimal"), (.null, "0", "null"), (.date, "2023-02-29", "date"),
    ] as [(ParameterType, String, String)])
  func refusals(_ type: ParameterType, _ text: String, _ expected: String) {
    let error = #expect(throws: ParameterError.self) { try type.value(of: text) }
    #expect(error?.expected.contains(expected) == true)
    #expect(error?.description.contains("“\(text)”") == true)
  }

  @Test(
    "without a type a number must be written as one",
    arguments: [
      ("42", .integer(42)), ("-1", .integer(-1)), ("042", .text("042")), ("+1", .text("+1")), ("1.50", .real(1.5)), ("1e3", .real(1000)),
      ("1e999", .text("1e999")), ("inf", .text("inf")), ("null", .text("null")), ("", .text("")), ("9223372036854775808", .text("9223372036854775808")),
    ] as [(String, DatabaseValue)])
  func guesses(_ text: String, _ expected: DatabaseValue) {
    #expect(ParameterType.guessedValue(of: text) == expected)
  }
}
