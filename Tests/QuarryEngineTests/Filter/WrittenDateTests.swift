import QuarryEngine
import Testing

@Suite struct WrittenDateTests {
  @Test(
    "A date covers the texts from its start to its end",
    arguments: [
      ("2021-01-01", "2021-01-01", "2021-01-02"), ("2021-12-31", "2021-12-31", "2022-01-01"), ("2024-02-28", "2024-02-28", "2024-02-29"),
      ("2023-02-28", "2023-02-28", "2023-03-01"), ("2021-01", "2021-01", "2021-02"), ("2021-12", "2021-12", "2022-01"),
      ("2021", "2021-01", "2022-01"), ("0999", "0999-01", "1000-01"), ("9999", "9999-01", "9999-13"), ("9999-12", "9999-12", "9999-13"),
      ("9999-12-31", "9999-12-31", "9999-12-32"),
    ])
  func bounds(text: String, start: String, end: String) throws {
    let date = try WrittenDate(text)
    #expect(date.start == start && date.end == end)
  }

  @Test(
    "A date with a time is the text as written",
    arguments: [
      "2021-01-01 12:30", "2021-01-01T12:30", "2021-01-01 12:30:05", "2021-01-01 12:30:05.123456", "2021-01-01T23:59:59Z",
      "2021-01-01 00:00+02:00",
    ])
  func times(text: String) throws {
    let date = try WrittenDate(text)
    #expect(date.start == text && date.end == nil)
  }

  @Test(
    "What is no date says why, and what was probably meant",
    arguments: [
      ("01/02/1997", "“01/02/1997” is no date: a date is written 1997-01-31.", ["1997-01-02", "1997-02-01"]),
      ("31.12.1997", "“31.12.1997” is no date: a date is written 1997-01-31.", ["1997-12-31"]),
      ("1.2.97 12:30", "“1.2.97 12:30” is no date: a date is written 1997-01-31.", ["1997-02-01 12:30", "1997-01-02 12:30"]),
      ("1997/1/5", "“1997/1/5” is no date: a date is written 1997-01-31.", ["1997-01-05"]),
      ("19970105", "“19970105” is no date: a date is written 1997-01-31.", ["1997-01-05"]),
      ("1997-7", "“1997-7” is no date: a date is written 1997-01-31.", ["1997-07"]),
      ("Dec 31, 1997", "“Dec 31, 1997” is no date: a date is written 1997-01-31.", ["1997-12-31"]),
      ("July 1997", "“July 1997” is no date: a date is written 1997-01-31.", ["1997-07"]),
      ("foo", "“foo” is no date: a date is written 1997-01-31.", []), ("", "An empty text is no date: a date is written 1997-01-31.", []),
      ("1997-02-30", "February 1997 has 28 days.", ["1997-02-28"]), ("1997-04-00", "April 1997 has 30 days.", ["1997-04-01"]),
      ("2021-13-01", "There is no month 13: months go from 01 to 12.", ["2021-01-13"]),
      ("2021-13-31", "There is no month 13: months go from 01 to 12.", []),
      ("2021-00", "There is no month 0: months go from 01 to 12.", []),
      ("2021-01-01 24:00", "There is no such time of day: times go from 00:00:00 to 23:59:59.", []),
    ])
  func faults(text: String, sentence: String, suggestions: [String]) {
    let fault = #expect(throws: DateFault.self) { try WrittenDate(text) }
    #expect(fault?.sentence == sentence && fault?.suggestions == suggestions)
    for suggestion in suggestions { #expect(throws: Never.self) { try WrittenDate(suggestion) } }
  }
}
