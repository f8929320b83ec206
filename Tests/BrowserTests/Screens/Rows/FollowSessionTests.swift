import Browser
import QuarryRows
import TestSupport
import Testing

@Suite("Following the end of the rows", .gated)
struct FollowSessionTests {
  private static let (first, second) = (GridID(number: 1), GridID(number: 2))

  private static func following() -> FollowSession {
    var follow = FollowSession()
    follow.begin(in: first)
    return follow
  }

  @Test("begins and ends with a grid")
  func ending() {
    var follow = Self.following()
    #expect(follow.isFollowing(Self.first) && !follow.isFollowing(Self.second))
    #expect(follow.finish() == Self.first)
    #expect(!follow.isFollowing(Self.first) && follow.finish() == nil)
  }

  @Test("goes over to the rows that replace those that are followed, and to no others")
  func passing() {
    var follow = Self.following()
    #expect(follow.pass(from: Self.second, to: Self.first) == false)
    #expect(follow.pass(from: Self.first, to: Self.second) == true)
    #expect(follow.isFollowing(Self.second))
  }

  @Test("marks nothing of the end as it is shown first, and then what comes, each change with its number")
  func arrivals() {
    var follow = Self.following()
    #expect(follow.arrive(in: Self.first, at: .rowID(9)) { _ in true } == .first)
    #expect(follow.end?.last == .rowID(9))
    #expect(follow.arrive(in: Self.first, at: .rowID(9)) { _ in false } == .nothing)
    #expect(follow.arrive(in: Self.first, at: .rowID(10)) { $0 == 1 } == .marked(1))
    #expect(follow.arrive(in: Self.first, at: .rowID(12)) { $0 == 2 } == .marked(2))
    #expect(follow.arrive(in: Self.second, at: .rowID(1)) { _ in true } == .none)
  }

  @Test("is calm once the last change is marked no more")
  func calm() {
    var follow = Self.following()
    for _ in 0..<3 { _ = follow.arrive(in: Self.first, at: .rowID(9)) { _ in true } }
    #expect(follow.calm(after: 1, in: Self.first) == false)
    #expect(follow.calm(after: 2, in: Self.second) == false)
    #expect(follow.calm(after: 2, in: Self.first) == true)
  }

  @Test("reads the end of the rows, and ends where other rows are shown")
  func reading() {
    var rows = FollowedRows(RowsFixture.grid())
    rows.toggle()
    #expect(rows.asked == [.last])
    rows.keep()
    #expect(rows.follow.end?.grid == RowsFixture.grid().id, "the end is on its way")
    rows.hide()
    rows.keep()
    #expect(rows.follow.end == nil)
  }

  @Test("ends where the cursor leaves the last row, and says so")
  func leaving() {
    var rows = FollowedRows(RowsFixture.grid(rows: 0..<60, of: 60))
    rows.toggle()
    rows.move(toRow: 59)
    rows.keep()
    #expect(rows.follow.end != nil)
    rows.move(toRow: 3)
    rows.keep()
    #expect(rows.follow.end == nil && rows.noticeText == "no longer following")
  }
}
