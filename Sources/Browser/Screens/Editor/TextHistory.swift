/// A change of a text at one position.
package struct TextEdit: Hashable, Sendable {
  var start: TextPosition
  /// The end of `inserted`.
  var end: TextPosition
  var removed: String
  var inserted: String
  var before: TextSelection
  var after: TextSelection

  /// The approximate memory size in bytes.
  var cost: Int { 256 + removed.utf8.count + inserted.utf8.count }
}

/// The undo and redo steps; the oldest ones are dropped if they need too much memory.
package struct TextHistory: Hashable, Sendable {
  /// The kind of the last step, which a step of the same kind extends.
  enum Run: Hashable, Sendable { case typing, erasing, killing }

  /// The approximate largest memory size of all steps, in bytes.
  private let limit: Int
  private(set) var run: Run?
  private var done: [TextEdit] = []
  private var undone: [TextEdit] = []
  private var cost = 0

  package init(limit: Int = 32 << 20) {
    self.limit = limit
  }

  /// Records a step, merged with the previous one if it continues the run.
  mutating func record(_ edit: TextEdit, run: Run?) {
    cost -= undone.reduce(0) { $0 + $1.cost }
    undone = []
    let isJoined = run == self.run && joins(edit, run: run)
    if !isJoined { done.append(edit) }
    cost += isJoined ? edit.cost - 256 : edit.cost
    self.run = run
    forget()
  }

  /// Ends the run: the next edit is a separate step.
  mutating func endRun() {
    run = nil
  }

  mutating func undo() -> TextEdit? {
    run = nil
    guard let edit = done.popLast() else { return nil }
    undone.append(edit)
    return edit
  }

  mutating func redo() -> TextEdit? {
    run = nil
    guard let edit = undone.popLast() else { return nil }
    done.append(edit)
    return edit
  }

  private mutating func joins(_ edit: TextEdit, run: Run?) -> Bool {
    guard let last = done.last else { return false }
    switch run {
    case .typing: return joinTyping(edit, to: last)
    case .erasing: return joinErasing(edit, to: last)
    case .killing, nil: return false
    }
  }

  private mutating func joinTyping(_ edit: TextEdit, to last: TextEdit) -> Bool {
    let beginsRun = edit.inserted.endsInBlank && !last.inserted.endsInBlank
    guard edit.removed.isEmpty, edit.start == last.end, !beginsRun else { return false }
    done[done.count - 1].inserted += edit.inserted
    done[done.count - 1].end = edit.end
    done[done.count - 1].after = edit.after
    return true
  }

  private mutating func joinErasing(_ edit: TextEdit, to last: TextEdit) -> Bool {
    let isBackward = edit.start.end(of: edit.removed) == last.start
    guard isBackward || edit.start == last.start else { return false }
    done[done.count - 1].removed = isBackward ? edit.removed + last.removed : last.removed + edit.removed
    done[done.count - 1].start = edit.start
    done[done.count - 1].end = edit.end
    done[done.count - 1].after = edit.after
    return true
  }

  /// Drops many steps at once, because the remaining ones have to be moved.
  private mutating func forget() {
    guard cost > limit else { return }
    var count = 0
    while count < done.count {
      let isLast = count + 1 == done.count
      guard cost > (isLast ? limit : limit / 4 * 3) else { break }
      cost -= done[count].cost
      count += 1
    }
    done.removeFirst(count)
    if done.isEmpty { run = nil }
  }
}

extension String {
  fileprivate var endsInBlank: Bool { utf8.last == 0x20 || utf8.last == 0x09 }
}
