package import QuarryEngine

/// The staged changes of a database, the steps that can be undone, and the running commit.
///
/// ```swift
/// var session = EditSession()
/// try session.set("Art", column: "name", row: .stored(.rowID(1)), of: player, was: "Arthur")
/// let sent = try session.beginCommit()                  // for `DataSource.commit(_:)`
/// session.insert(["name": "Dee"], into: player)         // staged while the commit waits for a lock
/// session.endCommit(written: sent)                      // the new row is still staged
/// ```
///
/// Only these methods change the staged changes. During a commit they still stage values, new rows and deletions. They throw
/// ``StagingRefusal/isCommitting`` if they would revert a change that is being written.
package struct EditSession: Sendable {
  /// All staged changes, including those being committed.
  package internal(set) var staged = StagedChanges()
  /// A number that differs after each change of the staged changes.
  package internal(set) var revision = 0
  /// The changes being committed, or nil if no commit is running.
  package internal(set) var sent: StagedChanges?
  /// The number of commits that have written changes.
  package internal(set) var commitCount = 0
  /// The cells that ``takeUnread()`` will return.
  var unread: [RowAddress: [String: CommittedBase]] = [:]
  var history = StagingHistory()
  /// The number of steps and the revision at the start of the commit.
  var commitStart = (steps: 0, revision: 0)
  /// The latest commit, used for edits that began before it ended.
  var latest: CommittedChanges?

  /// Creates a session without staged changes.
  package init() {}

  /// Creates a session from the staged changes of an earlier session and the commit that was running when it ended.
  init(_ staged: StagedChanges, sending sent: StagedChanges) {
    (self.staged, self.sent) = (staged, sent)
    // It is not known whether changes were staged after the commit began.
    revision = 1
  }

  /// The reason why changes cannot be reverted now, or nil if they can be.
  package var obstacle: StagingRefusal? { sent == nil ? nil : .isCommitting }

  /// The description of the step that ``undo()`` would revert, or nil if no step can be reverted.
  package var undoDescription: String? { history.undoable.last?.description }
  /// The description of the step that ``redo()`` would stage again, or nil if no step can be staged again.
  package var redoDescription: String? { history.redoable.last?.description }

  // MARK: Staging

  /// Stages a value for a cell.
  ///
  /// Staging the row's current value reverts the change of the cell.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - old: The value of the row in the file. Ignored for a cell that is already staged.
  ///   - expected: The values of the identifying columns if the row has no key: ``TableSchema/identityColumns``.
  ///   - count: The ``commitCount`` when `row` and `old` were read, or nil for the current count.
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

  /// Stages a new row and returns its identifier.
  ///
  /// - Parameter values: The values of the row. Missing columns get their defaults.
  @discardableResult
  package mutating func insert(_ values: [String: StagedValue] = [:], into table: TableReference) -> StagedRowID {
    var row = StagedRowID.new(staged.nextNumber)
    step("a new row") { session in
      session.history.note(RowAddress(table: table, row: row), nil)
      row = session.staged.insert(values, into: table)
    }
    return row
  }

  /// Stages the deletion of a row.
  ///
  /// For a new row, removes it from the staged changes.
  ///
  /// - Parameters:
  ///   - old: The values of the row in the file. The row is deleted only if it still has these values.
  ///   - count: The ``commitCount`` when `row` and `old` were read, or nil for the current count.
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

  /// Returns the value that a commit has written to a column since the row was read, or nil if no commit has written it.
  private func base(of column: String, at address: RowAddress, since count: Int?) -> CommittedBase? {
    guard let count, count < commitCount else { return nil }
    return latest?.base(of: column, at: address)
  }

  /// Runs several operations as one step.
  ///
  /// If `body` throws, all of them are reverted.
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

  /// Changes one row as a step, or as a part of the open step.
  private mutating func change<Failure>(
    _ address: RowAddress, _ description: String, _ body: (inout StagedChanges) throws(Failure) -> Void
  ) throws(Failure) {
    try step(description) { session throws(Failure) in
      session.history.note(address, session.staged.entry(at: address))
      try body(&session.staged)
    }
  }

  // MARK: Discarding and undoing

  /// Discards the staged changes of a row.
  ///
  /// - Throws: ``StagingRefusal/isCommitting``, as do all methods that revert changes.
  package mutating func discard(_ row: StagedRowID, of table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    change(RowAddress(table: table, row: row), "discard of 1 row") { $0.discard(row, of: table) }
  }

  /// Discards the staged value of a cell.
  ///
  /// In a new row the column then gets its default.
  package mutating func discard(column: String, of row: StagedRowID, in table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    change(RowAddress(table: table, row: row), "discard of \(column)") { $0.discard(column: column, of: row, in: table) }
  }

  /// Discards the staged changes of a table in one step.
  package mutating func discard(_ table: TableReference) throws(StagingRefusal) {
    try requireNoCommit()
    discard(from: [table], "discard of the changes of \(table.name)")
  }

  /// Discards all staged changes in one step.
  package mutating func discardAll() throws(StagingRefusal) {
    try requireNoCommit()
    discard(from: staged.tables, "discard of all changes")
  }

  private mutating func discard(from tables: [TableReference], _ description: String) {
    step(description) { session in
      for table in tables {
        // In reverse order, so that an undo restores the order of the rows.
        for (row, _) in session.staged.rows(of: table).reversed() {
          session.change(RowAddress(table: table, row: row), description) { $0.discard(row, of: table) }
        }
      }
    }
  }

  /// Resolves conflicts in the same way, in one step.
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

  /// Reverts the last step and returns its description, or nil if no step can be reverted.
  @discardableResult
  package mutating func undo() throws(StagingRefusal) -> String? {
    try requireNoCommit()
    guard let step = history.undoable.popLast() else { return nil }
    for change in step.changes.reversed() { staged.restore(change.before, at: change.address) }
    history.redoable.append(step)
    revision += 1
    return step.description
  }

  /// Stages the last undone step again and returns its description, or nil if no step can be staged again.
  @discardableResult
  package mutating func redo() throws(StagingRefusal) -> String? {
    try requireNoCommit()
    guard let step = history.redoable.popLast() else { return nil }
    for change in step.changes { staged.restore(change.after, at: change.address) }
    history.undoable.append(step)
    revision += 1
    return step.description
  }

  /// Stages the changes that an earlier session left uncommitted.
  ///
  /// - Throws: ``StagingRefusal/isCommitting``, or ``StagingRefusal/isNotEmpty`` if changes are already staged.
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
