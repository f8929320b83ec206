package import QuarryEngine

/// What a person has staged of a database, the steps that can be undone, and the commit that is under way.
///
/// ```swift
/// var session = EditSession()
/// try session.set("Art", column: "name", row: .stored(.rowID(1)), of: player, was: "Arthur")
/// let sent = try session.beginCommit()                  // for `DataSource.commit(_:)`
/// session.insert(["name": "Dee"], into: player)         // staged while the commit waits for a lock
/// session.endCommit(written: sent)                      // the new row is still staged
/// ```
///
/// Only these methods change what is staged. While a commit is under way they go on staging values, new rows and deletions. They refuse
/// what would take back a change that is being written, with ``StagingRefusal/isCommitting``.
package struct EditSession: Sendable {
  /// Everything that is staged, including what a commit is writing.
  package internal(set) var staged = StagedChanges()
  /// A number that differs after each change of what is staged.
  package internal(set) var revision = 0
  /// What a commit is writing; nil while none is under way.
  package internal(set) var sent: StagedChanges?
  /// The number of commits that have written something.
  package internal(set) var commitCount = 0
  /// The cells that ``takeUnread()`` hands out.
  var unread: [RowAddress: [String: CommittedBase]] = [:]
  var history = StagingHistory()
  /// The number of steps and the revision when the commit began.
  var commitStart = (steps: 0, revision: 0)
  /// The latest commit, for edits that were begun before it ended.
  var latest: CommittedChanges?

  /// Makes a session in which nothing is staged.
  package init() {}

  /// Makes a session of what an earlier one had staged, with the commit that was under way when it ended.
  init(_ staged: StagedChanges, sending sent: StagedChanges) {
    (self.staged, self.sent) = (staged, sent)
    // Whether something was staged since the commit began is not known.
    revision = 1
  }

  /// Why changes cannot be taken back now; nil where they can.
  package var obstacle: StagingRefusal? { sent == nil ? nil : .isCommitting }

  /// What ``undo()`` would take back; nil for nothing.
  package var undoDescription: String? { history.undoable.last?.description }
  /// What ``redo()`` would stage again; nil for nothing.
  package var redoDescription: String? { history.redoable.last?.description }

  // MARK: Staging

  /// Stages a value for a cell; the value that the row already has takes the change of the cell back.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - old: The value that the row has in the file. It is ignored for a cell that is staged already.
  ///   - expected: The values of the columns that identify the row where no key does: ``TableSchema/identityColumns``.
  ///   - count: The ``commitCount`` when `row` and `old` were read; nil for now.
  /// - Throws: ``StagingRefusal``.
  package mutating func set(
    _ value: StagedValue, column: String, row: StagedRowID, of table: TableReference, was old: StoredValue = .null,
    expecting expected: [String: StoredValue] = [:], since count: Int? = nil
  ) throws(StagingRefusal) {
    let address = RowAddress(table: table, row: row)
    let place = current(address, since: count)
    let base = base(of: column, at: address, since: count)
    try change(place, "\(column) of 1 row") { staged throws(StagingRefusal) in
      try staged.set(value, column: column, row: place.row, of: table, was: base?.value ?? old, expecting: expected)
    }
    if let base { unread[place, default: [:]][column] = base }
  }

  /// Stages a new row, and returns its identifier.
  ///
  /// - Parameter values: Its values; a column that is left out gets its default.
  @discardableResult
  package mutating func insert(_ values: [String: StagedValue] = [:], into table: TableReference) -> StagedRowID {
    var row = StagedRowID.new(staged.nextNumber)
    step("a new row") { session in
      session.history.note(RowAddress(table: table, row: row), nil)
      row = session.staged.insert(values, into: table)
    }
    return row
  }

  /// Stages the deletion of a row; a new row is no longer staged.
  ///
  /// - Parameters:
  ///   - old: The values that the row has in the file: it is deleted only where it still has them.
  ///   - count: The ``commitCount`` when `row` and `old` were read; nil for now.
  package mutating func delete(_ row: StagedRowID, of table: TableReference, was old: [String: StoredValue], since count: Int? = nil) {
    let address = RowAddress(table: table, row: row)
    let place = current(address, since: count)
    var was = old
    for column in old.keys {
      guard let base = base(of: column, at: address, since: count) else { continue }
      was[column] = base.isKnown ? base.value : nil
      if base.isKnown { unread[place, default: [:]][column] = base }
    }
    change(place, "deletion of 1 row") { $0.delete(place.row, of: table, was: was) }
  }

  /// Returns the value that a column of a row got by the commit that has ended since the row was read; nil where the commit has not
  /// written it.
  private func base(of column: String, at address: RowAddress, since count: Int?) -> CommittedBase? {
    guard let count, count < commitCount else { return nil }
    return latest?.base(of: column, at: address)
  }

  /// Does several operations as one step; when `body` throws, none of them is done.
  ///
  /// ```swift
  /// try session.step("paste of 2 cells") { session in
  ///   try session.set(.value(1), column: "a", row: row, of: table)
  ///   try session.set(.value(2), column: "b", row: row, of: table)
  /// }
  /// ```
  ///
  /// - Parameter description: The name of the step in a notice.
  package mutating func step<Failure>(
    _ description: String, _ body: (inout EditSession) throws(Failure) -> Void
  ) throws(Failure) {
    guard history.open == nil else { return try body(&self) }
    history.open = StagingHistory.OpenStep()
    do {
      try body(&self)
    } catch {
      for change in history.close(staged).reversed() { staged.restore(change.before, at: change.address) }
      throw error
    }
    let changes = history.close(staged).filter { $0.before != $0.after }
    guard !changes.isEmpty else { return }
    history.undoable.append(StagingHistory.Step(description: description, changes: changes))
    history.redoable.removeAll()
    revision += 1
  }

  /// Changes one row as a step, or as a part of the step that is open.
  private mutating func change<Failure>(
    _ address: RowAddress, _ description: String, _ body: (inout StagedChanges) throws(Failure) -> Void
  ) throws(Failure) {
    try step(description) { session throws(Failure) in
      session.history.note(address, session.staged.entry(at: address))
      try body(&session.staged)
    }
  }

  // MARK: Taking back

  /// Takes back what is staged of a row.
  ///
  /// - Throws: ``StagingRefusal/isCommitting``, as do all methods that take something back.
  package mutating func discard(_ row: StagedRowID, of table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    change(RowAddress(table: table, row: row), "discard of 1 row") { $0.discard(row, of: table) }
  }

  /// Takes back what is staged of a cell; in a new row the column gets its default.
  package mutating func discard(column: String, of row: StagedRowID, in table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    change(RowAddress(table: table, row: row), "discard of \(column)") { $0.discard(column: column, of: row, in: table) }
  }

  /// Takes back what is staged of a table, in one step.
  package mutating func discard(_ table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    discard(from: [table], "discard of the changes of \(table.name)")
  }

  /// Takes back everything that is staged, in one step.
  package mutating func discardAll() throws(StagingRefusal) {
    try requireNoCommit()
    discard(from: staged.tables, "discard of all changes")
  }

  private mutating func discard(from tables: [TableReference], _ description: String) {
    step(description) { session in
      for table in tables {
        // From the last on, so that an undo brings the rows back in their order.
        for (row, _) in session.staged.rows(of: table).reversed() {
          session.change(RowAddress(table: table, row: row), description) { $0.discard(row, of: table) }
        }
      }
    }
  }

  /// Resolves conflicts, all in the same way and in one step.
  package mutating func resolve(_ conflicts: [Conflict], _ resolution: Conflict.Resolution) throws(StagingRefusal) {
    try requireNoCommit()
    step(conflicts.count == 1 ? "a conflict resolved" : "\(conflicts.count) conflicts resolved") { session in
      for conflict in conflicts {
        session.change(RowAddress(table: conflict.table, row: .stored(conflict.key)), "a conflict resolved") {
          $0.resolve(conflict, resolution)
        }
      }
    }
  }

  /// Takes the last step back, and returns its description; nil where there is none.
  @discardableResult
  package mutating func undo() throws(StagingRefusal) -> String? {
    try requireNoCommit()
    guard let step = history.undoable.popLast() else { return nil }
    for change in step.changes.reversed() { staged.restore(change.before, at: change.address) }
    history.redoable.append(step)
    revision += 1
    return step.description
  }

  /// Stages the step again that was taken back last, and returns its description; nil where there is none.
  @discardableResult
  package mutating func redo() throws(StagingRefusal) -> String? {
    try requireNoCommit()
    guard let step = history.redoable.popLast() else { return nil }
    for change in step.changes { staged.restore(change.after, at: change.address) }
    history.undoable.append(step)
    revision += 1
    return step.description
  }

  /// Stages what an earlier session has left behind.
  ///
  /// - Throws: ``StagingRefusal/isCommitting``, or ``StagingRefusal/isNotEmpty`` where something is staged already.
  package mutating func adopt(_ changes: StagedChanges) throws(StagingRefusal) {
    try requireNoCommit()
    guard staged.isEmpty else { throw .isNotEmpty }
    staged = changes
    history = StagingHistory()
    revision += 1
  }

  func requireNoCommit() throws(StagingRefusal) {
    if let obstacle { throw obstacle }
  }
}
