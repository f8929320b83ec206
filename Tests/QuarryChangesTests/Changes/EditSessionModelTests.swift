import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random edits with commits that begin and end at random moments, against a model that applies changes to rows one by one.
@Suite("Edits and commits at random") struct EditSessionModelTests {
  @Test("What a person wants of the rows is the same before and after the end of a commit", arguments: 0..<60)
  func wishes(seed: UInt64) throws {
    var play = EditPlay(seed: seed)
    for _ in 0..<120 { try play.move() }
  }
}

/// A file of rows that are known by their `id`, and a session that edits it.
private struct EditPlay {
  typealias Row = [String: StoredValue]

  private static let table = TableReference(name: "t")
  private var random: SplitMix
  private var file: [Int64: Row] = [:]
  private var nextID: Int64 = 1
  private var session = EditSession()
  /// A cell that was chosen during a commit, and is edited after it.
  private var chosen: (row: StagedRowID, column: String, was: StoredValue)?

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    for _ in 0..<6 {
      file[nextID] = ["id": .value(.integer(nextID)), "mark": .value(.text("row \(nextID)")), "a": 0, "b": 0]
      nextID += 1
    }
  }

  mutating func move() throws {
    if let sent = session.sent {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try end(sent)
      case 1:
        let before = wish
        session.cancelCommit()
        #expect(wish == before)
        chosen = nil
      default: try edit()
      }
    } else if !session.staged.isEmpty, Int.random(in: 0..<8, using: &random) == 0 {
      _ = try session.beginCommit()
    } else {
      try edit()
    }
  }

  // MARK: The session

  private mutating func edit() throws {
    try stage()
    let before = wish
    guard session.obstacle == nil else {
      #expect(throws: StagingRefusal.isCommitting) { try session.undo() }
      return #expect(wish == before)
    }
    guard Int.random(in: 0..<4, using: &random) == 0, try session.undo() != nil else { return }
    guard Bool.random(using: &random) else { return }
    try session.redo()
    #expect(wish == before)
  }

  private mutating func stage() throws {
    guard let id = file.keys.sorted().randomElement(using: &random), let row = file[id] else {
      session.insert(newRow(), into: Self.table)
      return
    }
    let new = session.staged.newRows(of: Self.table).randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: session.insert(newRow(), into: Self.table)
    case 1: session.delete(.stored(.rowID(id)), of: Self.table, was: row)
    case 2: if let new { session.delete(.new(new), of: Self.table, was: [:]) }
    case 3: if session.obstacle == nil { try session.discard(.stored(.rowID(id)), of: Self.table) }
    case 4:
      nextID += 1
      try? session.set(.value(.integer(nextID)), column: "id", row: .stored(.rowID(id)), of: Self.table, was: .value(.integer(id)))
    case 5, 6: if let new { try session.set(value(), column: column(), row: .new(new), of: Self.table) }
    case 7 where session.sent != nil: choose(.stored(.rowID(id)), row)
    case 8 where session.sent != nil: if let new { choose(.new(new), [:]) }
    default:
      let column = column()
      try? session.set(value(), column: column, row: .stored(.rowID(id)), of: Self.table, was: row[column] ?? .null)
    }
  }

  private mutating func choose(_ row: StagedRowID, _ values: Row) {
    let column = column()
    chosen = (row, column, values[column] ?? .null)
  }

  private mutating func newRow() -> [String: StagedValue] {
    nextID += 1
    return ["mark": .value(.text("new \(nextID)")), "a": value(), "b": value()]
  }

  private mutating func column() -> String { Bool.random(using: &random) ? "a" : "b" }
  private mutating func value() -> StagedValue { .value(.integer(.random(in: 0..<3, using: &random))) }

  // MARK: The end of a commit

  private mutating func end(_ sent: StagedChanges) throws {
    let wished = wish
    var written = sent
    let isPartial = Int.random(in: 0..<4, using: &random) == 0
    if isPartial, let left = sent.rows(of: Self.table).randomElement(using: &random)?.row { written.discard(left, of: Self.table) }
    let before = file
    var keys: [RowAddress: RowKey] = [:]
    file = applying(written, to: file, &keys)
    session.endCommit(written: written, keys: keys)
    #expect(wish == wished)
    try undoSteps()
    try editLate(before)
  }

  /// Undoes what was staged during the commit: nothing may be left then but what this has not written.
  private func undoSteps() throws {
    var copy = self
    while try copy.session.undo() != nil {}
    #expect(copy.session.staged.isEmpty && copy.wish == copy.content(of: file))
    while try copy.session.redo() != nil {}
  }

  private mutating func editLate(_ before: [Int64: Row]) throws {
    guard let (row, column, was) = chosen else { return }
    chosen = nil
    let place = session.current(RowAddress(table: Self.table, row: row), since: session.commitCount - 1).row
    let isThere =
      if case .stored(.rowID(let id)) = place { file[id] != nil } else { session.staged.status(of: place, in: Self.table) != nil }
    guard isThere, session.staged.status(of: place, in: Self.table) != .deleted else { return }
    let isSet = if case .stored(.rowID(let id)) = place { file[id]?[column] == 9 } else { false }
    try session.set(9, column: column, row: row, of: Self.table, was: was, since: session.commitCount - 1)
    // The value that the row has is no change.
    #expect(session.staged.value(of: column, in: place, of: Self.table) == (isSet ? nil : 9))
    _ = wish
  }

  // MARK: The model

  /// The rows as the person wants them, by their marks.
  private var wish: [StoredValue: Row] {
    var keys: [RowAddress: RowKey] = [:]
    return content(of: applying(session.staged, to: file, &keys))
  }

  /// Rows by their marks; a new row has no key that anybody has chosen.
  private func content(of file: [Int64: Row]) -> [StoredValue: Row] {
    Dictionary(
      uniqueKeysWithValues: file.values.map { row in
        let mark = row["mark"] ?? .null
        var values = row
        if case .value(.text(let text)) = mark, text.hasPrefix("new") { values["id"] = nil }
        return (mark, values)
      })
  }

  /// Returns the rows after changes, each of which must expect what its row has.
  private func applying(_ changes: StagedChanges, to file: [Int64: Row], _ keys: inout [RowAddress: RowKey]) -> [Int64: Row] {
    var result = file
    var moved: [Int64: Row] = [:]
    var nextID: Int64 = 1_000_000 + (file.keys.max() ?? 0)
    for (row, change) in changes.rows(of: Self.table) {
      switch (row, change) {
      case (.stored(.rowID(let id)), .updated(let cells)):
        guard var values = file[id] else { Issue.record("row \(id) is gone"); continue }
        for (column, cell) in cells {
          #expect(values[column] == cell.was, "\(column) of row \(id)")
          values[column] = cell.value.stored
        }
        result[id] = nil
        guard case .value(.integer(let new))? = values["id"] else { continue }
        moved[new] = values
        if new != id { keys[RowAddress(table: Self.table, row: row)] = .rowID(new) }
      case (.stored(.rowID(let id)), .deleted(let was)):
        for (column, value) in was { #expect(file[id]?[column] == value, "\(column) of row \(id)") }
        result[id] = nil
      case (_, .inserted(let values)):
        nextID += 1
        moved[nextID] = values.compactMapValues(\.stored).merging(["id": .value(.integer(nextID))]) { $1 }
        keys[RowAddress(table: Self.table, row: row)] = .rowID(nextID)
      default: Issue.record("\(row) cannot be \(change.kind)")
      }
    }
    return result.merging(moved) { $1 }
  }
}
