import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@testable import Browser

@Suite("Opening rows", .gated)
struct OpeningSessionTests {
  private static let (first, second) = (GridID(number: 1), GridID(number: 2))
  private static let rows = OpenedRows(page: BrowserFixture.page(0..<3, of: 3))

  private static func opening(_ id: GridID = second, replacing: GridID? = nil, isFailureShown: Bool = false) -> Opening {
    Opening(
      id: id, rowSet: RowSet(.table(BrowserFixture.songs)), view: RowView(filter: "id > 1"), title: "songs",
      isFailureShown: isFailureShown, replaced: replacing)
  }

  /// Returns a session in which rows are being opened.
  private static func pending(_ opening: Opening) -> OpeningSession {
    var session = OpeningSession()
    session.begin(opening)
    return session
  }

  @Test("of another view replaces the grid that is shown; where another one is shown by now, it is left for the history")
  func replacing() {
    let opening = Self.opening(replacing: Self.first)
    var session = Self.pending(opening)
    #expect(session.isReplacing(Self.first) && !session.isLeaving(Self.first) && session.isLeaving(Self.second))
    #expect(session.view(of: RowsFixture.grid(1)).filter == "id > 1" && session.view(of: RowsFixture.grid(2)).filter == "")
    guard case .replaces = session.end(opening, with: .success(Self.rows), shown: Self.first) else {
      Issue.record("another outcome")
      return
    }
    #expect(session.pending == nil)
    session = Self.pending(opening)
    guard case .shows = session.end(opening, with: .success(Self.rows), shown: nil) else {
      Issue.record("another outcome")
      return
    }
  }

  @Test("of another set leaves the grid that is shown")
  func leaving() {
    let opening = Self.opening()
    var session = Self.pending(opening)
    #expect(!session.isReplacing(nil) && !session.isReplacing(Self.first) && session.isLeaving(Self.first))
    guard case .shows = session.end(opening, with: .success(Self.rows), shown: Self.first) else {
      Issue.record("another outcome")
      return
    }
  }

  @Test("a far move that is made meanwhile is meant in the new rows")
  func moves() {
    let opening = Self.opening(replacing: Self.first)
    var session = Self.pending(opening)
    session.note(.bottom)
    guard case .replaces(_, let ended) = session.end(opening, with: .success(Self.rows), shown: Self.first) else {
      Issue.record("another outcome")
      return
    }
    #expect(ended.move == .bottom)
  }

  @Test("that fails is shown in the grid's place, reported, or asked about")
  func failures() {
    var question = Problem("this view reads 3 tables")
    question.isQuestion = true
    for isShown in [true, false] {
      let opening = Self.opening(isFailureShown: isShown)
      var session = Self.pending(opening)
      switch session.end(opening, with: .failure(Problem("no such table: songs")), shown: nil) {
      case .failed(let failure): #expect(isShown && failure.problem.text == "no such table: songs")
      case .refused(let problem, _): #expect(!isShown && problem.text == "no such table: songs")
      default: Issue.record("another outcome")
      }
      session.begin(opening)
      guard case .asks(question, _) = session.end(opening, with: .failure(question), shown: nil) else {
        Issue.record("another outcome")
        return
      }
      session.begin(opening)
      guard case .stopped = session.end(opening, with: .failure(.stopped), shown: nil) else {
        Issue.record("another outcome")
        return
      }
    }
  }

  @Test("is dropped once")
  func dropping() {
    var session = Self.pending(Self.opening())
    #expect(session.drop() && !session.drop() && session.pending == nil)
  }

  @Test("grids are gone back to, and forward again, until another one is opened")
  func history() {
    var session = OpeningSession()
    #expect(session.leave(Self.first).isEmpty)
    #expect(session.step(.back, from: Self.second) == Self.first)
    #expect(session.step(.back, from: Self.first) == nil)
    #expect(session.step(.forward, from: Self.first) == Self.second)
    #expect(session.step(.back, from: Self.second) == Self.first)
    #expect(session.leave(Self.first) == [Self.second], "it cannot be reached any more")
    #expect(session.forget { $0 == Self.first } == [Self.first])
    #expect(session.step(.back, from: nil) == nil)
  }

  @Test("rows of hits lead back to them, also in another view, and once")
  func hits() {
    var session = Self.pending(Self.opening())
    session.note(nil, foundBy: FormerSearch(field: TextField(), isTyping: true, cursor: ListCursor()))
    #expect(session.returnsToHits(from: Self.second) && !session.returnsToHits(from: Self.first))
    session.replace(Self.second, by: Self.first)
    #expect(session.returnsToHits(from: Self.first))
    #expect(session.takeHits() != nil && session.takeHits() == nil)
  }

  @Test("the same view is asked for once; back to the former one, the rows that are there stay")
  func views() {
    var (session, context) = (OpeningSession(), RowsFixture.context())
    session.show(RowView(sort: "title"), &context)
    session.show(RowView(sort: "title"), &context)
    #expect(context.outstanding(OpenRows.self).map(\.view) == [RowView(sort: "title")])
    let stays = session.restore(FilterBar.Origin(view: RowView(), row: .rowID(1)), &context)
    #expect(stays)
  }
}
