import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A month, a week or a day of dates", .gated) struct FilterGrainTests {
  @Test(
    "is compared with one text, so that it is computed once; a longer time is a range",
    arguments: [
      ("month(d) = 1997-08", "(strftime('%Y-%m', d) = '1997-08')"), ("month(d) > 1997-08", "(strftime('%Y-%m', d) > '1997-08')"),
      ("day(d) != 1997-08-31", "(date(d) IS NOT '1997-08-31')"),
      ("week(d) = 1997-08-25", "(date(d, 'weekday 0', '-6 days') = '1997-08-25')"),
      ("day(d) = 1997-08", "((date(d) >= '1997-08') AND (date(d) < '1997-09'))"),
    ])
  func grains(text: String, sql: String) throws {
    #expect(try Filter.compile(text, columns: FilterColumns([FilterColumn("d", type: .date)])).sqlText?.queryString == sql)
  }
}
