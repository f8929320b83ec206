import QuarryChanges
import QuarryEngine
import QuarryFiles
import Terminal

/// The conflicts of a merge: the person takes a side, or enters a value, and then writes the result.
struct MergeScreen: Sendable {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    /// The row or object of the conflicts below, by the index of the first one.
    case heading(Int)
    case conflict(Int)
  }

  let merge: PendingMerge
  private(set) var conflicts: [MergeConflict]
  private(set) var decisions: [MergeConflict.ID: MergeDecision] = [:]
  /// The former decisions of the conflicts that each step has changed.
  private var steps: [[MergeConflict.ID: MergeDecision?]] = []
  private(set) var lines: [Line] = []
  private(set) var cursor = ListCursor()
  /// Whether the result is being written.
  var isWriting = false
  /// Whether the person has decided to leave without the result.
  var mayLeave = false

  init(_ merge: PendingMerge) {
    self.merge = merge
    conflicts = merge.outcome.conflicts
    layLines()
  }

  /// Puts a heading above the conflicts of each row and object.
  private mutating func layLines() {
    lines = conflicts.indices.flatMap { index -> [Line] in
      let isSame = index > 0 && conflicts[index].isOfSameRow(as: conflicts[index - 1])
      return isSame ? [.conflict(index)] : [.heading(index), .conflict(index)]
    }
    if cursor.index == 0 { cursor.move(to: 1, of: lines.count) }
  }

  // MARK: The list

  /// The index of the conflict under the cursor.
  var index: Int? {
    if lines.indices.contains(cursor.index), case .conflict(let index) = lines[cursor.index] { index } else { nil }
  }

  var current: MergeConflict? { index.map { conflicts[$0] } }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: lines.count) }

  mutating func move(by step: Int) {
    move(to: cursor.index + step, forwards: step >= 0)
  }

  /// Moves to a line, or to the conflict beside it if it is a heading.
  mutating func move(to line: Int, forwards: Bool = true) {
    cursor.move(to: line, of: lines.count)
    if index != nil { return }
    // A heading is never the last line, and the first conflict is below the first heading.
    cursor.move(by: forwards || cursor.index == 0 ? 1 : -1, of: lines.count)
    if !forwards, cursor.index == 1 { cursor.move(to: 0, of: lines.count) }
    if index == nil { cursor.move(by: 1, of: lines.count) }
  }

  mutating func scroll(by step: Int) {
    cursor.scroll(by: step, of: lines.count)
    move(by: 0)
  }

  /// Moves to the next or the previous conflict that is not settled, wrapping around; returns false if all are settled.
  @discardableResult
  mutating func moveToOpen(backwards: Bool = false) -> Bool {
    let count = lines.count
    for step in 1...max(1, count) {
      let line = ((backwards ? cursor.index - step : cursor.index + step) % count + count) % count
      guard case .conflict(let index) = lines[line], decision(of: index) == nil else { continue }
      // The heading of the conflict is visible too.
      cursor.move(to: max(0, line - 1), of: count)
      cursor.move(to: line, of: count)
      return true
    }
    return false
  }

  // MARK: Decisions

  func decision(of index: Int) -> MergeDecision? { decisions[conflicts[index].id] }

  /// The number of settled conflicts.
  var settledCount: Int { decisions.count }
  var isSettled: Bool { settledCount == conflicts.count }

  /// Settles the conflict under the cursor, and moves to the next one that is not settled.
  mutating func decide(_ decision: MergeDecision) {
    guard let current else { return }
    set([current.id: decision])
    moveToOpen()
  }

  /// Settles all other conflicts in favor of a side; returns their number.
  mutating func decideRest(_ side: MergeSide) -> Int {
    let open = conflicts.filter { decisions[$0.id] == nil }
    set(Dictionary(open.map { ($0.id, MergeDecision.side(side)) }) { first, _ in first })
    return open.count
  }

  private mutating func set(_ new: [MergeConflict.ID: MergeDecision]) {
    if new.isEmpty { return }
    steps.append(Dictionary(uniqueKeysWithValues: new.keys.map { ($0, decisions[$0]) }))
    decisions.merge(new) { $1 }
  }

  /// Undoes the last step; returns false if nothing was decided.
  mutating func undo() -> Bool {
    guard let step = steps.popLast() else { return false }
    for (id, decision) in step { decisions[id] = decision }
    if let index = conflicts.firstIndex(where: { step.keys.contains($0.id) }), let line = lines.firstIndex(of: .conflict(index)) {
      move(to: line)
    }
    return true
  }

  /// Receives the conflicts that prevent the result, which are open.
  mutating func receive(_ open: [MergeConflict]) {
    let known = Dictionary(conflicts.enumerated().map { ($1.id, $0) }) { first, _ in first }
    for conflict in open {
      decisions[conflict.id] = nil
      if let index = known[conflict.id] { conflicts[index] = conflict } else { conflicts.append(conflict) }
    }
    steps = []
    layLines()
    moveToOpen()
  }
}

extension MergeConflict {
  /// Whether two conflicts concern the same row.
  func isOfSameRow(as other: MergeConflict) -> Bool {
    kind != .schema && object == other.object && !key.isEmpty && key.map(\.value) == other.key.map(\.value)
  }
}
