import QuarryRows
import TestSupport
import Testing

@Suite("Filters that end too early", .gated)
struct FilterContinuationTests {
  private func continuation(_ text: String) -> FilterContinuation? {
    do throws(FilterErrors) {
      _ = try Filter.compile(text, columns: FilterFixture.columns)
      return nil
    } catch {
      return error.continuation(of: text) { Filter.completions(of: $0, at: $0.utf8.count, columns: FilterFixture.columns) }
    }
  }

  @Test(
    "typing on mends them",
    arguments: [
      "Milliseconds", "Milliseconds ", "Milliseconds >", "Milliseconds = ", "Milliseconds > 5 and", "Milliseconds > 5 an",
      "Milliseconds > 5 and Nam", "Name = 'lo", "(Milliseconds > 5", "Name !", "Name $", "Milliseconds between 1", "Milliseconds in",
      "Milliseconds in (", "Milliseconds in (1,", "not Milliseconds", "substr(Name,", "InvoiceDate > 19", "InvoiceDate > 1997-0", "Name li",
      "\"Nam", "Name is n",
    ])
  func unfinished(text: String) {
    #expect(continuation(text) != nil)
  }

  @Test(
    "what is wrong before the end, or stays wrong whatever follows, is a fault",
    arguments: [
      "Name = 3", "Milliseconds = '3'", "Nmae > 3 and", "Milliseconds > 5)", "Milliseconds 5", "length(Milliseconds) > 3",
      "InvoiceDate > 1997-13-01", "Milliseconds > xyzzy", "1 < 2 < 3", "Milliseconds # 3",
    ])
  func faults(text: String) {
    #expect(continuation(text) == nil)
  }

  @Test("they say what may follow: a value of the column that is compared, names, operators")
  func following() {
    #expect(continuation("Milliseconds = ") == FilterContinuation(column: "Milliseconds"))
    #expect(continuation("Milliseconds ")?.texts.prefix(2) == ["=", "!="])
    #expect(continuation("Milliseconds > 5 and Milli")?.texts == ["Milliseconds"])
    #expect(continuation("Milliseconds > 5 o")?.texts == ["or"])
    #expect(continuation("Milliseconds > 5 and")?.texts.first == "TrackId")
    #expect(continuation("Milliseconds")?.texts.first == "=")
  }
}
