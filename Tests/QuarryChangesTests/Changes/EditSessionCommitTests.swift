import QuarryChanges
import QuarryEngine
import QuarryRows
import Testing

@Suite("While changes are being committed") struct EditSessionCommitTests {
  private static let player = TableReference(name: "player")
  private let first = StagedRowID.stored(.rowID(1))
  private let second = StagedRowID.stored(.rowID(2))

  /// A session in which the name of the first row is being changed from `a` to `b`.
  private func committing() throws -> (session: EditSession, sent: StagedChanges) {
    var session = EditSession()
    try session.set("b", column: "name", row: first, of: Self.player, was: "a")
    let sent = try session.beginCommit()
    return (session, sent)
  }

  private static func updated(_ column: String, _ was: StoredValue, _ value: StagedValue) -> StagedRow {
    .updated([column: StagedRow.Cell(was: was, value: value)])
  }

  @Test("What is written is taken out, and cannot be undone as if it were staged")
  func written() throws {
    var (session, sent) = try committing()
    session.endCommit(written: sent)
    #expect(session.staged.isEmpty && session.undoDescription == nil && session.sent == nil && session.commitCount == 1)
  }

  @Test("A commit that fails leaves all staged, with every step and its identity")
  func failed() throws {
    var (session, sent) = try committing()
    session.cancelCommit()
    #expect(session.staged == sent && session.sent == nil && session.commitCount == 0)
    (session, sent) = try committing()
    try session.set("c", column: "name", row: second, of: Self.player, was: "x")
    session.cancelCommit()
    #expect(session.staged.counts.cells == 2)
    #expect(try session.undo() == "name of 1 row")
    #expect(try session.undo() == "name of 1 row")
    #expect(session.staged.isEmpty)
  }

  @Test("What would take something back is refused with a reason, and changes nothing")
  func refusals() throws {
    var (session, sent) = try committing()
    let conflict = Conflict(table: Self.player, key: .rowID(1), column: "name", base: "a", theirs: "z", mine: "b")
    let attempts: [(inout EditSession) throws -> Void] = [
      { try $0.undo() }, { try $0.redo() }, { try $0.discard(.stored(.rowID(1)), of: Self.player) },
      { try $0.discard(column: "name", of: .stored(.rowID(1)), in: Self.player) }, { try $0.discard(Self.player) },
      { try $0.discardAll() }, { try $0.resolve([conflict], .theirs) }, { try $0.adopt(StagedChanges()) }, { _ = try $0.beginCommit() },
    ]
    let revision = session.revision
    for attempt in attempts { #expect(throws: StagingRefusal.isCommitting) { try attempt(&session) } }
    #expect(session.revision == revision && session.staged.rows(of: Self.player).map(\.change) == sent.rows(of: Self.player).map(\.change))
    #expect("\(StagingRefusal.isCommitting)" == "the changes are being written")
    session.endCommit(written: sent)
    #expect(throws: StagingRefusal.isEmpty) { try session.beginCommit() }
  }

  @Test("A cell of another row stays staged, with the step that undoes it")
  func otherRow() throws {
    var (session, sent) = try committing()
    try session.set("y", column: "name", row: second, of: Self.player, was: "x")
    session.endCommit(written: sent)
    #expect(session.staged.counts.cells == 1)
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "x", "y"))
    #expect(try session.undo() == "name of 1 row")
    #expect(session.staged.isEmpty && session.undoDescription == nil)
    try session.redo()
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "x", "y"))
  }

  @Test("The same cell stays staged from the value that was written, and undoing that leaves it so")
  func sameCell() throws {
    var (session, sent) = try committing()
    try session.set("c", column: "name", row: first, of: Self.player)
    session.endCommit(written: sent)
    #expect(session.staged.change(of: first, in: Self.player) == Self.updated("name", "b", "c"))
    try session.undo()
    #expect(session.staged.isEmpty)
  }

  @Test("A value that was set back meanwhile is staged to be set back")
  func setBack() throws {
    var (session, sent) = try committing()
    try session.set("a", column: "name", row: first, of: Self.player)
    #expect(session.staged.isEmpty)
    session.endCommit(written: sent)
    #expect(session.staged.change(of: first, in: Self.player) == Self.updated("name", "b", "a"))
    (session, _) = try committing()
    try session.set("a", column: "name", row: first, of: Self.player)
    session.cancelCommit()
    #expect(session.staged.isEmpty)
  }

  @Test("A changed row that is deleted meanwhile is expected to have what was written")
  func deletedRow() throws {
    var (session, sent) = try committing()
    session.delete(first, of: Self.player, was: ["name": "a", "score": 1])
    session.endCommit(written: sent)
    #expect(session.staged.change(of: first, in: Self.player) == .deleted(was: ["name": "b", "score": 1]))
    try session.undo()
    #expect(session.staged.isEmpty)
  }

  @Test("A row that was inserted is changed or deleted by its key from then on; where it has none it stays a new row")
  func insertedRow() throws {
    var session = EditSession()
    let rows = ["p", "q", "r"].map { session.insert(["name": .value(.text($0))], into: Self.player) }
    let sent = try session.beginCommit()
    try session.set("Q", column: "name", row: rows[1], of: Self.player)
    try session.set(7, column: "score", row: rows[1], of: Self.player)
    session.delete(rows[2], of: Self.player, was: [:])
    let other = session.insert(["name": "s"], into: Self.player)
    var keyless = session
    session.endCommit(
      written: sent,
      keys: Dictionary(uniqueKeysWithValues: zip(rows.map { RowAddress(table: Self.player, row: $0) }, [11, 12, 13].map(RowKey.rowID))))
    #expect(session.staged.status(of: .stored(.rowID(11)), in: Self.player) == nil)
    let changed = StagedRow.updated(["name": .init(was: "q", value: "Q"), "score": .init(was: .null, value: 7)])
    #expect(session.staged.change(of: .stored(.rowID(12)), in: Self.player) == changed)
    #expect(session.staged.change(of: .stored(.rowID(13)), in: Self.player) == .deleted(was: ["name": "r"]))
    #expect(session.staged.newRows(of: Self.player).map(StagedRowID.new) == [other])
    keyless.endCommit(written: sent)
    #expect(keyless.staged.change(of: rows[1], in: Self.player) == .inserted(["name": "Q", "score": 7]))
    #expect(keyless.staged.newRows(of: Self.player).map(StagedRowID.new) == [rows[1], other])
    let later = session.insert(into: Self.player)
    #expect(!(rows + [other]).contains(later))
  }

  @Test("Rows that exchange their keys keep what was staged for each")
  func exchangedKeys() throws {
    var session = EditSession()
    try session.set(2, column: "id", row: first, of: Self.player, was: 1)
    try session.set(1, column: "id", row: second, of: Self.player, was: 2)
    let sent = try session.beginCommit()
    try session.set("A", column: "name", row: first, of: Self.player, was: "a")
    try session.set("X", column: "name", row: second, of: Self.player, was: "x")
    let addresses = [first, second].map { RowAddress(table: Self.player, row: $0) }
    session.endCommit(written: sent, keys: [addresses[0]: .rowID(2), addresses[1]: .rowID(1)])
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "a", "A"))
    #expect(session.staged.change(of: first, in: Self.player) == Self.updated("name", "x", "X"))
    try session.undo()
    #expect(session.staged.status(of: first, in: Self.player) == nil && session.staged.counts.cells == 1)
    #expect(session.hasMovedRows(of: Self.player, since: 0) && !session.hasMovedRows(of: Self.player, since: 1))
  }

  @Test("What the commit left alone stays staged, with the steps that undo it")
  func leftAlone() throws {
    var session = EditSession()
    try session.set("b", column: "name", row: first, of: Self.player, was: "a")
    try session.set("y", column: "name", row: second, of: Self.player, was: "x")
    let sent = try session.beginCommit()
    var written = sent
    written.discard(second, of: Self.player)
    session.endCommit(written: written)
    #expect(session.staged.counts.cells == 1)
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "x", "y"))
    try session.undo()
    #expect(session.staged.isEmpty && session.undoDescription == nil)
  }

  @Test("What was undone before the commit can be staged again after it")
  func redo() throws {
    var session = EditSession()
    try session.set("b", column: "name", row: first, of: Self.player, was: "a")
    try session.set("y", column: "name", row: second, of: Self.player, was: "x")
    try session.undo()
    let sent = try session.beginCommit()
    session.endCommit(written: sent)
    #expect(session.staged.isEmpty)
    #expect(try session.redo() == "name of 1 row")
    #expect(session.staged.tables == [Self.player])
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "x", "y"))
  }

  @Test("An edit that was begun before the end is staged from what was written, for the row as it is known since")
  func lateEdits() throws {
    var session = EditSession()
    try session.set("b", column: "name", row: first, of: Self.player, was: "a")
    try session.set(5, column: "id", row: second, of: Self.player, was: 2)
    let new = session.insert(["name": "n"], into: Self.player)
    let sent = try session.beginCommit()
    let count = session.commitCount
    let (moved, inserted) = (RowAddress(table: Self.player, row: second), RowAddress(table: Self.player, row: new))
    session.endCommit(written: sent, keys: [moved: .rowID(5), inserted: .rowID(9)])
    try session.set(.value(.null), column: "name", row: first, of: Self.player, was: .null, since: count)
    try session.set("Y", column: "name", row: second, of: Self.player, was: "y", since: count)
    try session.set("N", column: "name", row: new, of: Self.player, since: count)
    #expect(session.staged.change(of: first, in: Self.player) == Self.updated("name", "b", .value(.null)))
    #expect(session.staged.change(of: .stored(.rowID(5)), in: Self.player) == Self.updated("name", "y", "Y"))
    #expect(session.staged.change(of: .stored(.rowID(9)), in: Self.player) == Self.updated("name", "n", "N"))
    session.delete(new, of: Self.player, was: [:], since: count)
    #expect(session.staged.status(of: .stored(.rowID(9)), in: Self.player) == .deleted)
  }

  @Test("A value that SQLite has computed or converted is expected as it was read, one that somebody else has written is not")
  func settling() throws {
    var session = EditSession()
    try session.set(.defaultValue, column: "name", row: first, of: Self.player, was: "a")
    try session.set("7", column: "score", row: first, of: Self.player, was: 1)
    try session.set("b", column: "name", row: second, of: Self.player, was: "x")
    let sent = try session.beginCommit()
    for row in [first, second] { try session.set("c", column: "name", row: row, of: Self.player) }
    try session.set("8", column: "score", row: first, of: Self.player)
    session.endCommit(written: sent)
    let cells = session.takeUnread()
    #expect(session.takeUnread().isEmpty)
    let (one, two) = (RowAddress(table: Self.player, row: first), RowAddress(table: Self.player, row: second))
    #expect(cells.mapValues { $0.keys.sorted() } == [one: ["name", "score"], two: ["name"]])
    session.settle(cells, [one: ["name": "none", "score": 7], two: ["name": "theirs"]])
    let settled = StagedRow.updated(["name": .init(was: "none", value: "c"), "score": .init(was: 7, value: "8")])
    #expect(session.staged.change(of: first, in: Self.player) == settled)
    #expect(session.staged.change(of: second, in: Self.player) == Self.updated("name", "b", "c"))
    try session.undo()
    #expect(session.staged.change(of: first, in: Self.player) == Self.updated("name", "none", "c"))
  }
}
