import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Staged changes", .gated) struct StagedChangesTests {
  private let player = TableReference(name: "player")
  private let first = StagedRowID.stored(.rowID(1))

  @Test("A changed cell keeps what the row had when it was first changed, and is none any more once it is set back")
  func cell() throws {
    var changes = StagedChanges()
    try changes.set("a", column: "name", row: first, of: player, was: "x")
    try changes.set("b", column: "name", row: first, of: player, was: "never asked for")
    #expect(changes.change(of: first, in: player) == .updated(["name": .init(was: "x", value: "b")]))
    #expect(changes.value(of: "name", in: first, of: player) == "b")
    #expect(changes.value(of: "score", in: first, of: player) == nil)
    #expect(changes.counts == ChangeCounts(cells: 1, updatedRows: 1))
    try changes.set("x", column: "name", row: first, of: player)
    #expect(changes.isEmpty && changes.tables.isEmpty)
  }

  @Test(
    "A value that differs by its storage class, its sign or its bytes is another one",
    arguments: [
      (DatabaseValue.integer(1), DatabaseValue.real(1)), (.real(0), .real(-0.0)), (.text("7"), .integer(7)),
      (.text("\u{E9}"), .text("e\u{301}")), (.text(""), .null), (.text("a"), .blob([97])), (.text("a\0"), .text("a")),
    ])
  func exactness(old: DatabaseValue, new: DatabaseValue) throws {
    var changes = StagedChanges()
    try changes.set(.value(new), column: "c", row: first, of: player, was: .value(old))
    #expect(changes.counts.cells == 1)
    try changes.set(.value(old), column: "c", row: first, of: player)
    #expect(changes.isEmpty)
  }

  @Test("NaN is staged as NULL, which SQLite stores for it")
  func nan() throws {
    var changes = StagedChanges()
    try changes.set(.value(.real(.nan)), column: "c", row: first, of: player, was: .null)
    #expect(changes.isEmpty)
  }

  @Test("A new row has the values that it is given, keeps its place, and goes when it is deleted")
  func newRows() throws {
    var changes = StagedChanges()
    let row = changes.insert(["name": "a"], into: player)
    let other = changes.insert(into: player)
    try changes.set(.value(3), column: "score", row: row, of: player)
    #expect(changes.change(of: row, in: player) == .inserted(["name": "a", "score": .value(3)]))
    #expect(changes.value(of: "rank", in: row, of: player) == .defaultValue)
    #expect(changes.newRows(of: player).map(StagedRowID.new) == [row, other])
    #expect(changes.counts == ChangeCounts(newRows: 2))
    changes.delete(row, of: player, was: [:])
    #expect(changes.newRows(of: player).map(StagedRowID.new) == [other])
    #expect(throws: StagingRefusal.missingRow) { try changes.set("b", column: "name", row: row, of: player) }
  }

  @Test("A row to be deleted is expected to have what it had when its cells were first changed, and takes no values")
  func deletion() throws {
    var changes = StagedChanges()
    try changes.set("b", column: "name", row: first, of: player, was: "a")
    changes.delete(first, of: player, was: ["name": "changed by others since", "score": .value(1)])
    #expect(changes.change(of: first, in: player) == .deleted(was: ["name": "a", "score": .value(1)]))
    #expect(changes.status(of: first, in: player) == .deleted)
    #expect(throws: StagingRefusal.deletedRow) { try changes.set("c", column: "name", row: first, of: player) }
    changes.discard(first, of: player)
    #expect(changes.isEmpty)
  }
}
