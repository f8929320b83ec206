import QuarryEngine
import TestSupport
import Testing

@Suite("Staged changes") struct StagedChangesTests {
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
    changes.delete(row, of: player, was: [:])
    #expect(changes.newRows(of: player).map(StagedRowID.new) == [other])
    changes.undo()
    #expect(changes.newRows(of: player).map(StagedRowID.new) == [row, other])
    #expect(changes.counts == ChangeCounts(newRows: 2))
    changes.delete(row, of: player, was: [:])
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

  @Test("Steps are undone and redone, each by its name, and a new one ends what could be redone")
  func history() throws {
    var changes = StagedChanges()
    try changes.set("b", column: "name", row: first, of: player, was: "a")
    let one = changes
    try changes.step("paste of 2 cells") { changes in
      try changes.set("c", column: "name", row: first, of: player)
      try changes.set("d", column: "name", row: .stored(.rowID(2)), of: player, was: "e")
    }
    let two = changes
    #expect(changes.undo() == "paste of 2 cells")
    #expect(changes.rows(of: player).map(\.change) == one.rows(of: player).map(\.change))
    #expect(changes.redoDescription == "paste of 2 cells")
    #expect(changes.redo() == "paste of 2 cells")
    #expect(changes == two)
    changes.undo()
    #expect(changes.undo() == "name of 1 row")
    #expect(changes.isEmpty && changes.undo() == nil)
    changes.insert(into: player)
    #expect(changes.redo() == nil)
  }

  @Test("A step that fails leaves nothing behind, and one that changes nothing is none")
  func failedStep() throws {
    var changes = StagedChanges()
    #expect(throws: StagingRefusal.missingRow) {
      try changes.step("paste") { changes in
        changes.insert(into: player)
        try changes.set("x", column: "name", row: .new(-1), of: player)
      }
    }
    try changes.set("a", column: "name", row: first, of: player, was: "a")
    #expect(changes.isEmpty && changes.undoDescription == nil)
  }

  @Test("All is discarded in one step, and comes back with it in its order")
  func discarding() throws {
    var changes = StagedChanges()
    let other = TableReference(name: "team")
    changes.insert(into: other)
    try changes.set("b", column: "name", row: first, of: player, was: "a")
    changes.insert(into: player)
    let rows = changes.rows(of: player).map(\.row)
    changes.discardAll()
    #expect(changes.isEmpty && changes.counts == ChangeCounts())
    changes.undo()
    #expect(changes.tables == [other, player])
    #expect(changes.rows(of: player).map(\.row) == rows)
    #expect(changes.counts == ChangeCounts(cells: 1, updatedRows: 1, newRows: 2))
    changes.discard(column: "name", of: first, in: player)
    #expect(changes.counts(of: player) == ChangeCounts(newRows: 1))
  }

  @Test("Random operations leave what their undoing takes back, whatever they were")
  func randomHistory() throws {
    var random = SplitMix(seed: 7)
    var changes = StagedChanges()
    var states = [changes]
    for _ in 0..<400 {
      let steps = changes.undoCount
      changes.applyRandom(table: player, &random)
      if changes.undoCount > steps { states.append(changes) }
    }
    for state in states.dropLast().reversed() {
      changes.undo()
      #expect(changes.content(of: player) == state.content(of: player))
      #expect(changes.counts == state.counts && changes.newRows(of: player) == state.newRows(of: player))
    }
    #expect(changes.isEmpty)
    for state in states.dropFirst() {
      changes.redo()
      #expect(changes.content(of: player) == state.content(of: player))
    }
  }
}

extension StagedChanges {
  fileprivate var undoCount: Int {
    var copy = self
    var count = 0
    while copy.undo() != nil { count += 1 }
    return count
  }

  fileprivate func content(of table: TableReference) -> [StagedRowID: StagedRow] {
    Dictionary(uniqueKeysWithValues: rows(of: table).map { ($0.row, $0.change) })
  }

  fileprivate mutating func applyRandom(table: TableReference, _ random: inout SplitMix) {
    let row = StagedRowID.stored(.rowID(.random(in: 0..<20, using: &random)))
    let column = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    switch Int.random(in: 0..<10, using: &random) {
    case 0: delete(row, of: table, was: ["a": "old"])
    case 1: discard(row, of: table)
    case 2: insert(["a": "new"], into: table)
    case 3: newRows(of: table).randomElement(using: &random).map { delete(.new($0), of: table, was: [:]) }
    case 4: discard(column: column, of: row, in: table)
    case 5 where Int.random(in: 0..<20, using: &random) == 0: discardAll()
    default: try? set(.value(.integer(.random(in: 0..<3, using: &random))), column: column, row: row, of: table, was: .value(1))
    }
  }
}
