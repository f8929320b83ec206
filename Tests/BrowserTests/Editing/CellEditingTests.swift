import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("An edit of cells", .gated)
struct CellEditingTests {
  private static let songs = BrowserFixture.songs

  /// The number of a song's row and its values, as they are read.
  private static func row(_ number: Int64, _ values: StoredValue...) -> LoadStoredRows.Row {
    LoadStoredRows.Row(id: .stored(.rowID(number)), values: values)
  }

  private static func cells(_ columns: [String] = ["title"], in edits: EditSession) -> EditedCells {
    EditedCells(RowsFixture.grid(), songs, columns: columns, rows: .all, edits)
  }

  private static func value(_ column: String, _ row: Int64, _ edits: EditSession) -> StagedValue? {
    edits.staged.value(of: column, in: .stored(.rowID(row)), of: songs)
  }

  @Test("of one cell begins with its value, read first where the page has not all of it")
  func beginning() throws {
    var grid = RowsFixture.grid()
    grid.column = 1
    guard case .field(let editing)? = CellEditing.begin(in: grid, EditSession()) else {
      Issue.record("another beginning")
      return
    }
    #expect(editing.value == .value("song 0") && editing.cells.columns == ["title"])
    #expect(editing.cells.rows == .one(.stored(.rowID(1)), was: "song 0"))
    grid.column = 4
    guard case .reading(let reading)? = CellEditing.begin(in: grid, EditSession()) else {
      Issue.record("another beginning")
      return
    }
    #expect(reading.value == nil && reading.cells.rows == .range(from: .rowID(1), through: .rowID(1), new: []))
    let narrowed = try #require(reading.narrowed(to: Self.row(1, "whole"), in: grid, EditSession()))
    #expect(narrowed.value == .value("whole") && narrowed.cells.onlyRow == .stored(.rowID(1)))
  }

  @Test("of a staged cell begins with the staged value")
  func staged() throws {
    var (grid, edits) = (RowsFixture.grid(), EditSession())
    grid.column = 1
    try edits.set("other", column: "title", row: .stored(.rowID(1)), of: Self.songs, was: "song 0")
    guard case .field(let editing)? = CellEditing.begin(in: grid, edits) else {
      Issue.record("another beginning")
      return
    }
    #expect(editing.value == .value("other"))
  }

  @Test("of a selection is for all its cells, and refused where none of them can be changed")
  func selection() {
    var grid = RowsFixture.grid()
    grid.column = 1
    grid.startSelection()
    _ = grid.moveRows(by: 2)
    guard case .field(let editing)? = CellEditing.begin(in: grid, EditSession()) else {
      Issue.record("another beginning")
      return
    }
    #expect(editing.value == nil && editing.cells.rows == .range(from: .rowID(1), through: .rowID(3), new: []))
    #expect(editing.cells.onlyRow == nil)
  }

  @Test("stages a value for every row in one step, and counts the cells that have changed")
  func staging() throws {
    var edits = EditSession()
    let cells = Self.cells(in: edits)
    let rows = [Self.row(1, "a"), Self.row(2, "b"), Self.row(3, "x")]
    let staged = cells.stage(rows, in: &edits) { _, _ in .value("x") }
    #expect(staged == EditedCells.Staged(name: "title of 2 rows", changed: 2))
    #expect(staged.sentence == "staged: title of 2 rows")
    #expect(Self.value("title", 1, edits) == .value("x") && Self.value("title", 3, edits) == nil)
    #expect(edits.undoDescription == "title of 2 rows")
    let again = cells.stage(rows, in: &edits) { _, _ in .value("x") }
    #expect(again.changed == 0 && again.sentence == "nothing changed: the cells have these values already")
    try edits.undo()
    #expect(edits.staged.isEmpty)
  }

  @Test("leaves out rows that are to be deleted, and says so")
  func deleted() {
    var edits = EditSession()
    edits.delete(.stored(.rowID(1)), of: Self.songs, was: ["title": "a"])
    let staged = Self.cells(in: edits).stage([Self.row(1, "a"), Self.row(2, "b")], in: &edits) { _, _ in .value("x") }
    #expect(staged == EditedCells.Staged(name: "title of 1 row", changed: 1, left: 1))
    #expect(staged.sentence == "staged: title of 1 row; deleted rows were skipped")
  }

  @Test("pastes over all cells of the rows, or over none")
  func pasting() throws {
    var edits = EditSession()
    let cells = Self.cells(["title", "length"], in: edits)
    try cells.paste([["x", 1], ["y", 2]], over: [Self.row(1, "a", 0), Self.row(2, "b", 0)], in: &edits)
    #expect(Self.value("length", 2, edits) == .value(2) && edits.undoDescription == "paste of 2 rows")
    edits.delete(.stored(.rowID(3)), of: Self.songs, was: ["title": "c"])
    let before = edits.staged.counts
    #expect(throws: StagingRefusal.self) {
      try cells.paste([["z", 1], ["z", 2]], over: [Self.row(4, "d", 0), Self.row(3, "c", 0)], in: &edits)
    }
    #expect(edits.staged.counts == before && edits.undoDescription == "deletion of 1 row")
    #expect(Self.value("title", 4, edits) == nil)
  }

  @Test("deletes rows in one step, with the values that they have")
  func deleting() throws {
    var edits = EditSession()
    let name = Self.cells(in: edits).delete([Self.row(1, "a"), Self.row(2, "b")], in: &edits)
    #expect(name == "deletion of 2 rows" && edits.staged.counts(of: Self.songs).changes == 2)
    try edits.undo()
    #expect(edits.staged.isEmpty)
  }

  @Test("that was begun before a commit is one of the row as the commit has left it")
  func commit() throws {
    var edits = EditSession()
    let row = StagedRowID.stored(.rowID(1))
    try edits.set(.value(77), column: "id", row: row, of: Self.songs, was: 1)
    let cells = Self.cells(in: edits)
    let sent = try edits.beginCommit()
    edits.endCommit(written: sent, keys: [RowAddress(table: Self.songs, row: row): .rowID(77)])
    _ = cells.stage([Self.row(1, "a")], in: &edits) { _, _ in .value("x") }
    #expect(Self.value("title", 77, edits) == .value("x") && Self.value("title", 1, edits) == nil)
  }
}
