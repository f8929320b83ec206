/// The undo and redo history of staging.
///
/// For each changed row, a step contains the change before and after it.
struct StagingHistory: Hashable, Sendable {
  /// The change of a row before and after a step, or nil if the row had no staged change.
  struct Change: Hashable, Sendable {
    var address: RowAddress
    var before: StagedTable.Entry?
    var after: StagedTable.Entry?
  }

  struct Step: Hashable, Sendable {
    var description: String
    var changes: [Change]
  }

  /// An open step: the rows changed so far, with their changes before the step.
  struct OpenStep: Hashable, Sendable {
    var before: [RowAddress: StagedTable.Entry?] = [:]
    var order: [RowAddress] = []
  }

  var undoable: [Step] = []
  var redoable: [Step] = []
  var open: OpenStep?

  /// Saves the staged change of a row before the open step changes it.
  mutating func note(_ address: RowAddress, _ entry: StagedTable.Entry?) {
    guard open?.before[address] == nil else { return }
    open?.before.updateValue(entry, forKey: address)
    open?.order.append(address)
  }

  /// Closes the open step, and returns the changed rows.
  mutating func close(_ staged: StagedChanges) -> [Change] {
    guard let step = open.take() else { return [] }
    return step.order.map { Change(address: $0, before: step.before[$0] ?? nil, after: staged.entry(at: $0)) }
  }

  /// Rewrites every row of every step.
  ///
  /// Steps without changes are removed.
  mutating func rewrite(_ body: (Change) -> Change) {
    (undoable, redoable) = (Self.rewritten(undoable, body), Self.rewritten(redoable, body))
  }

  private static func rewritten(_ steps: [Step], _ body: (Change) -> Change) -> [Step] {
    steps.compactMap { step in
      let changes = step.changes.map(body).filter { $0.before != $0.after }
      return changes.isEmpty ? nil : Step(description: step.description, changes: changes)
    }
  }
}
