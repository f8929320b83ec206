import Browser
import QuarryRows
import TestSupport
import Testing

@Suite("What a grid knows of its rows", .gated)
struct GridPartsTests {
  @Test("an exact number stays, an estimate gives way to an exact number or the end of a count")
  func tally() {
    var tally = RowTally(total: nil)
    tally.begin()
    #expect(tally.receive(.atLeast(100), isFinal: false) && tally.isCounting && tally.total == .atLeast(100))
    #expect(tally.receive(.exact(120), isFinal: true) && !tally.isCounting)
    #expect(!tally.receive(.atLeast(7), isFinal: false) && tally.total == .exact(120))
    tally.noteChanges()
    #expect(tally.total == .estimated(120))
    #expect(!tally.receive(.atLeast(7), isFinal: false) && tally.total == .estimated(120))
    #expect(tally.receive(.exact(130), isFinal: false) && tally.total == .exact(130))
  }

  @Test("the end of the rows gives their number, and more rows than were counted raise a lower bound")
  func end() {
    var tally = RowTally(total: nil)
    _ = tally.receive(.atLeast(100), isFinal: false)
    tally.learn(end: 60, isEnd: false)
    #expect(tally.total == .atLeast(100))
    tally.learn(end: 160, isEnd: false)
    #expect(tally.total == .atLeast(160))
    tally.learn(end: 161, isEnd: true)
    #expect(tally.total == .exact(161))
  }

  @Test("rows that come at the end are added to an estimate, but not while they are counted")
  func arrivals() {
    var tally = RowTally(total: .exact(10))
    tally.add(3)
    #expect(tally.total == .exact(10))
    tally.noteChanges()
    tally.add(3)
    #expect(tally.total == .estimated(13))
    tally.begin()
    tally.add(3)
    #expect(tally.total == .estimated(13))
  }

  @Test("only the last request's page counts, and a jump within the window drops one for other rows")
  func reading() {
    let (first, second) = (PageRequest(.first, limit: 50), PageRequest(.last, limit: 50))
    var reading = GridReading()
    reading.begin(first, target: .top)
    reading.begin(second, target: .bottom)
    #expect(reading.end(first) == nil && reading.pending != nil)
    #expect(reading.end(second) == .bottom && reading.pending == nil)
    reading.begin(first, target: .join)
    reading.movement = 4
    reading.dropJump()
    #expect(reading.pending != nil && reading.movement == 0, "rows beside those of the cursor are still wanted")
    reading.begin(second, target: .bottom)
    reading.dropJump()
    #expect(reading.pending == nil)
  }
}
