/// The steps of staging that can be undone and redone: of each row that a step has touched, what was and what is staged of it.
struct StagingHistory: Hashable, Sendable {
  /// A row before and after a step; nil where nothing was or is staged of it.
  struct Change: Hashable, Sendable {
    var address: RowAddress
    var before: StagedTable.Entry?
    var after: StagedTable.Entry?
  }

  struct Step: Hashable, Sendable {
    var description: String
    var changes: [Change]
  }

  /// A step that is under way: the rows that it has touched so far, as they were before it.
  struct OpenStep: Hashable, Sendable {
    var before: [RowAddress: StagedTable.Entry?] = [:]
    var order: [RowAddress] = []
  }

  var undoable: [Step] = []
  var redoable: [Step] = []
  var open: OpenStep?

  /// Takes note of what is staged of a row before the step that is under way changes it.
  mutating func note(_ address: RowAddress, _ entry: StagedTable.Entry?) {
    guard open?.before[address] == nil else { return }
    open?.before.updateValue(entry, forKey: address)
    open?.order.append(address)
  }
}

extension StagedChanges {
  /// What ``undo()`` would take back; nil where there is nothing.
  public var undoDescription: String? { history.undoable.last?.description }
  /// What ``redo()`` would do again; nil where there is nothing.
  public var redoDescription: String? { history.redoable.last?.description }

  /// Does several operations as one step; when `body` throws, none of them is done.
  ///
  /// ```swift
  /// try changes.step("paste of 2 cells") { changes in
  ///   try changes.set(.value(1), column: "a", row: row, of: table)
  ///   try changes.set(.value(2), column: "b", row: row, of: table)
  /// }
  /// ```
  ///
  /// - Parameter description: What is done, as a notice names it.
  public mutating func step<Failure>(
    _ description: String, _ body: (inout StagedChanges) throws(Failure) -> Void
  ) throws(Failure) {
    guard history.open == nil else { return try body(&self) }
    history.open = StagingHistory.OpenStep()
    do {
      try body(&self)
    } catch {
      for change in endStep().reversed() { restore(change.before, at: change.address) }
      throw error
    }
    let changes = endStep().filter { $0.before != $0.after }
    guard !changes.isEmpty else { return }
    history.undoable.append(StagingHistory.Step(description: description, changes: changes))
    history.redoable.removeAll()
  }

  private mutating func endStep() -> [StagingHistory.Change] {
    guard let step = history.open.take() else { return [] }
    return step.order.map { address in
      StagingHistory.Change(address: address, before: step.before[address] ?? nil, after: entry(at: address))
    }
  }

  /// Takes the last step back, and returns what it was; nil where there is none.
  @discardableResult
  public mutating func undo() -> String? {
    guard let step = history.undoable.popLast() else { return nil }
    for change in step.changes.reversed() { restore(change.before, at: change.address) }
    history.redoable.append(step)
    return step.description
  }

  /// Does the step again that was taken back last, and returns what it is; nil where there is none.
  @discardableResult
  public mutating func redo() -> String? {
    guard let step = history.redoable.popLast() else { return nil }
    for change in step.changes { restore(change.after, at: change.address) }
    history.undoable.append(step)
    return step.description
  }
}
