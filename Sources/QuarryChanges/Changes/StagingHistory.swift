/// The steps of staging that can be undone and redone: of each row that a step has touched, its change before and after the step.
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

  /// Records what is staged of a row before the step that is under way changes it.
  mutating func note(_ address: RowAddress, _ entry: StagedTable.Entry?) {
    guard open?.before[address] == nil else { return }
    open?.before.updateValue(entry, forKey: address)
    open?.order.append(address)
  }

  /// Ends the step that is under way, and returns the rows that it has touched.
  mutating func close(_ staged: StagedChanges) -> [Change] {
    guard let step = open.take() else { return [] }
    return step.order.map { Change(address: $0, before: step.before[$0] ?? nil, after: staged.entry(at: $0)) }
  }

  /// Changes every row of every step; steps that change nothing any more are dropped.
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
