import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A session of edits") struct EditSessionTests {
  private let player = TableReference(name: "player")
  private let first = StagedRowID.stored(.rowID(1))

  @Test("Steps are undone and redone, each by its name, and a new one ends what could be redone")
  func history() throws {
    var session = EditSession()
    try session.set("b", column: "name", row: first, of: player, was: "a")
    let one = session.staged
    try session.step("paste of 2 cells") { session in
      try session.set("c", column: "name", row: first, of: player)
      try session.set("d", column: "name", row: .stored(.rowID(2)), of: player, was: "e")
    }
    let two = session.staged
    #expect(try session.undo() == "paste of 2 cells")
    #expect(session.staged.rows(of: player).map(\.change) == one.rows(of: player).map(\.change))
    #expect(session.redoDescription == "paste of 2 cells")
    #expect(try session.redo() == "paste of 2 cells")
    #expect(session.staged == two)
    try session.undo()
    #expect(try session.undo() == "name of 1 row")
    #expect(try session.staged.isEmpty && session.undo() == nil)
    session.insert(into: player)
    #expect(try session.redo() == nil)
  }

  @Test("A step that fails leaves nothing behind, and one that changes nothing is none")
  func failedStep() throws {
    var session = EditSession()
    #expect(throws: StagingRefusal.missingRow) {
      try session.step("paste") { session in
        session.insert(into: player)
        try session.set("x", column: "name", row: .new(-1), of: player)
      }
    }
    try session.set("a", column: "name", row: first, of: player, was: "a")
    #expect(session.staged.isEmpty && session.undoDescription == nil && session.revision == 0)
  }

  @Test("A new row that was deleted comes back in its place")
  func newRows() throws {
    var session = EditSession()
    let row = session.insert(["name": "a"], into: player)
    let other = session.insert(into: player)
    session.delete(row, of: player, was: [:])
    #expect(session.staged.newRows(of: player).map(StagedRowID.new) == [other])
    try session.undo()
    #expect(session.staged.newRows(of: player).map(StagedRowID.new) == [row, other])
  }

  @Test("All is discarded in one step, and comes back with it in its order")
  func discarding() throws {
    var session = EditSession()
    let other = TableReference(name: "team")
    session.insert(into: other)
    try session.set("b", column: "name", row: first, of: player, was: "a")
    session.insert(into: player)
    let rows = session.staged.rows(of: player).map(\.row)
    try session.discardAll()
    #expect(session.staged.isEmpty && session.staged.counts == ChangeCounts())
    try session.undo()
    #expect(session.staged.tables == [other, player])
    #expect(session.staged.rows(of: player).map(\.row) == rows)
    #expect(session.staged.counts == ChangeCounts(cells: 1, updatedRows: 1, newRows: 2))
    try session.discard(column: "name", of: first, in: player)
    #expect(session.staged.counts(of: player) == ChangeCounts(newRows: 1))
    try session.discard(player)
    #expect(session.staged.tables == [other])
  }

  @Test("Random operations leave what their undoing takes back, whatever they were")
  func randomHistory() throws {
    var random = SplitMix(seed: 7)
    var session = EditSession()
    var states = [session.staged]
    for _ in 0..<400 {
      let revision = session.revision
      session.applyRandom(table: player, &random)
      if session.revision > revision { states.append(session.staged) }
    }
    for state in states.dropLast().reversed() {
      try session.undo()
      #expect(session.staged.content(of: player) == state.content(of: player))
      #expect(session.staged.counts == state.counts && session.staged.newRows(of: player) == state.newRows(of: player))
    }
    #expect(session.staged.isEmpty)
    for state in states.dropFirst() {
      try session.redo()
      #expect(session.staged.content(of: player) == state.content(of: player))
    }
  }

  @Test("Changes that were left behind are adopted where nothing is staged")
  func adoption() throws {
    var left = StagedChanges()
    try left.set("b", column: "name", row: first, of: player, was: "a")
    var session = EditSession()
    try session.adopt(left)
    #expect(session.staged == left && session.undoDescription == nil)
    #expect(throws: StagingRefusal.isNotEmpty) { try session.adopt(left) }
  }
}

extension StagedChanges {
  fileprivate func content(of table: TableReference) -> [StagedRowID: StagedRow] {
    Dictionary(uniqueKeysWithValues: rows(of: table).map { ($0.row, $0.change) })
  }
}

extension EditSession {
  fileprivate mutating func applyRandom(table: TableReference, _ random: inout SplitMix) {
    let row = StagedRowID.stored(.rowID(.random(in: 0..<20, using: &random)))
    let column = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    switch Int.random(in: 0..<10, using: &random) {
    case 0: delete(row, of: table, was: ["a": "old"])
    case 1: try? discard(row, of: table)
    case 2: insert(["a": "new"], into: table)
    case 3: staged.newRows(of: table).randomElement(using: &random).map { delete(.new($0), of: table, was: [:]) }
    case 4: try? discard(column: column, of: row, in: table)
    case 5 where Int.random(in: 0..<20, using: &random) == 0: try? discardAll()
    default: try? set(.value(.integer(.random(in: 0..<3, using: &random))), column: column, row: row, of: table, was: .value(1))
    }
  }
}
