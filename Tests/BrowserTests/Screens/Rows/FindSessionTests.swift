import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@testable import Browser

@Suite("A search in the rows", .gated)
struct FindSessionTests {
  private static let request = FindRequest(needle: .text("love"), columns: [1], start: .rowID(3), isBackwards: false)
  private static let match = RowMatch(key: .rowID(9), column: 1, wrapped: false)

  private static func searching() -> FindSession {
    var find = FindSession()
    find.begin(request)
    return find
  }

  @Test("ends with what was found, with nothing, or with why it failed")
  func endings() {
    let endings: [(Result<RowMatch?, Problem>, FindSession.Outcome)] = [
      (.success(Self.match), .found(Self.match)), (.success(nil), .missing), (.failure(.stopped), .stopped),
      (.failure(Problem("no such table")), .failed(Problem("no such table"))),
    ]
    for (result, outcome) in endings {
      var find = Self.searching()
      #expect(find.end(with: result, isReplacing: false) == outcome)
      #expect(find.request == nil && find.resumed(from: .rowID(1)) == nil)
    }
  }

  @Test("that is stopped while other rows of the set are being opened resumes in them, from the row under the cursor")
  func interruption() {
    var find = Self.searching()
    #expect(find.end(with: .failure(.stopped), isReplacing: true) == .interrupted)
    var resumed = Self.request
    resumed.start = .rowID(7)
    #expect(find.resumed(from: .rowID(7)) == resumed)
  }

  @Test("is forgotten where rows of another set are shown")
  func cancelling() {
    var find = Self.searching()
    find.cancel()
    #expect(find.resumed(from: .rowID(7)) == nil)
  }

  @Test("looks for a text in all columns shown, and for a value in that under the cursor")
  func columns() {
    var grid = RowsFixture.grid()
    grid.column = 2
    #expect(FindRequest(.text("love"), in: grid, from: nil, backwards: false).columns == grid.layout.shown)
    #expect(FindRequest(.value(.integer(7)), in: grid, from: nil, backwards: true).columns == [2])
  }

  @Test("again goes on from the row under the cursor, or is a step after the one that is under way")
  func again() {
    var (find, context) = (FindSession(), RowsFixture.context())
    find.findAgain(backwards: false, &context)
    #expect(context.outstanding(FindRow.self).isEmpty, "nothing was searched for")
    context.workspace.changeGrid { $0.column = 1 }
    find.findSameValue(&context)
    let requests = context.outstanding(FindRow.self)
    #expect(requests.map(\.search.isBackwards) == [false])
    #expect(requests.map(\.search.start) == [.rowID(1)] && find.request == requests.first?.search)
    #expect(context.grid?.search.needle == .value("song 0"))
    find.findAgain(backwards: true, &context)
    find.findAgain(backwards: true, &context)
    #expect(context.outstanding(FindRow.self).map(\.search) == requests.map(\.search) && find.steps == -2)
    find = FindSession()
    find.findAgain(backwards: true, &context)
    #expect(context.outstanding(FindRow.self).map(\.search.isBackwards) == [true])
  }

  @Test("takes as many steps more as were asked for while it was under way, and none where it ends without a hit")
  func steps() {
    var find = Self.searching()
    let isOther = find.addStep(for: .text("other"), backwards: false)
    let isSame = [find.addStep(for: Self.request.needle, backwards: false), find.addStep(for: Self.request.needle, backwards: false)]
    #expect(!isOther && isSame == [true, true])
    _ = find.end(with: .success(Self.match), isReplacing: false)
    let steps = [find.takeStep(), find.takeStep(), find.takeStep()]
    #expect(steps == [false, false, nil])
    find = Self.searching()
    _ = find.addStep(for: Self.request.needle, backwards: true)
    _ = find.end(with: .success(nil), isReplacing: false)
    #expect(find.steps == 0)
  }
}
