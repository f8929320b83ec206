package import QuarryEngine
package import QuarryRows

/// The state of a commit: what is sent, and what is left once that was written.
extension EditSession {
  /// Hands out everything that is staged for a commit.
  ///
  /// The commit ends with ``endCommit(written:keys:)`` or ``cancelCommit()``.
  ///
  /// - Throws: ``StagingRefusal/isCommitting`` while another one is under way, or ``StagingRefusal/isEmpty``.
  package mutating func beginCommit() throws(StagingRefusal) -> StagedChanges {
    try requireNoCommit()
    guard !staged.isEmpty else { throw .isEmpty }
    let changes = staged
    (sent, latest) = (changes, nil)
    commitStart = (history.undoable.count, revision)
    // What is staged from now on must not be taken for written with the rest by a session that finds it left behind.
    staged.renewIdentity()
    return changes
  }

  /// Ends a commit that has written nothing: everything stays staged, and every step can be undone.
  package mutating func cancelCommit() {
    if let sent, revision == commitStart.revision { staged = sent }
    sent = nil
  }

  /// Ends a commit, and takes out what it has written.
  ///
  /// What was staged meanwhile stays. Where it concerns a row that was written, it becomes a change of the row as it is now: another value
  /// of the same cell, a cell or the deletion of a row that was inserted, a value that was set back.
  ///
  /// - Parameters:
  ///   - written: Those of the changes that were written. The others stay staged.
  ///   - keys: The keys of inserted rows, and of those whose key was changed. A row of a view has none.
  package mutating func endCommit(written: StagedChanges, keys: [RowAddress: RowKey] = [:]) {
    guard let sent else { return }
    let committed = CommittedChanges(written: written, keys: keys)
    let earlier = history.undoable.prefix(commitStart.steps)
    history.undoable.removeFirst(earlier.count)
    history.rewrite(committed.rewrite)
    if revision == commitStart.revision, written.counts == sent.counts {
      staged.removeAll()
    } else {
      history.undoable = StagingHistory.steps(earlier) { written.entry(at: $0.address) == nil } + history.undoable
      subtract(committed)
    }
    staged.renewIdentity()
    (latest, self.sent) = (committed, nil)
    commitCount += 1
    revision += 1
  }

  private mutating func subtract(_ committed: CommittedChanges) {
    var left: [(address: RowAddress, entry: StagedTable.Entry)] = []
    for table in committed.written.tables {
      for (row, _) in committed.written.rows(of: table) {
        let address = RowAddress(table: table, row: row)
        let entry = staged.entry(at: address)
        let rest = committed.rest(of: entry?.change, at: address)
        staged.restore(nil, at: address)
        guard let change = rest.change else { continue }
        left.append((rest.address, StagedTable.Entry(change: change, place: entry?.place ?? staged.takeNumber())))
        if !rest.bases.isEmpty { unread[rest.address, default: [:]].merge(rest.bases) { $1 } }
      }
    }
    // Rows may have exchanged their keys, so that all are taken out before one is put in.
    for (address, entry) in left { staged.restore(entry.joined(with: staged.entry(at: address)), at: address) }
  }

  // MARK: Edits that were begun before a commit ended

  /// Returns the present identifier of a row that was identified when so many commits had ended.
  package func current(_ address: RowAddress, since count: Int?) -> RowAddress {
    guard let count, count < commitCount else { return address }
    return latest?.address(address) ?? address
  }

  /// Returns whether a commit has changed keys of a table's rows since so many had ended: it is not known of which rows a key was read.
  package func hasMovedRows(of table: TableReference, since count: Int) -> Bool {
    count < commitCount && latest?.keys.keys.contains { $0.table == table && $0.isStored } == true
  }

  // MARK: Values that a commit has written

  /// Hands out the cells whose values in the file have to be read, because a commit may have computed or converted them.
  package mutating func takeUnread() -> [RowAddress: [String: CommittedBase]] {
    defer { unread = [:] }
    return unread
  }

  /// Replaces expected values by those that rows have in the file.
  ///
  /// - Parameters:
  ///   - cells: The cells as ``takeUnread()`` has handed them out.
  ///   - rows: The values that were read of their rows, by column; a row is left out that is not there.
  package mutating func settle(_ cells: [RowAddress: [String: CommittedBase]], _ rows: [RowAddress: [String: StoredValue]]) {
    for (address, columns) in cells {
      for (column, base) in columns {
        // A known value that differs in more than its storage class was written by somebody else: the next commit reports the conflict.
        guard let value = rows[address]?[column], !base.isKnown || value.storageClass != base.value.storageClass else { continue }
        staged.restore(staged.entry(at: address)?.expecting(value, in: column), at: address)
        history.rewrite { change in
          guard change.address == address else { return change }
          var change = change
          change.before = change.before?.expecting(value, in: column)
          change.after = change.after?.expecting(value, in: column)
          return change
        }
        revision += 1
      }
    }
  }
}

extension StagingHistory {
  /// Returns steps with those of their rows that a predicate accepts.
  static func steps(_ steps: some Sequence<Step>, where isKept: (Change) -> Bool) -> [Step] {
    steps.compactMap { step in
      let changes = step.changes.filter(isKept)
      return changes.isEmpty ? nil : Step(description: step.description, changes: changes)
    }
  }
}

extension StagedTable.Entry {
  /// Returns the change with another expected value of a column; nil where nothing is left to be changed.
  fileprivate func expecting(_ value: StoredValue, in column: String) -> Self? {
    switch change {
    case .updated(var cells):
      guard let cell = cells[column] else { return self }
      cells[column] = cell.value.stored == value ? nil : StagedRow.Cell(was: value, value: cell.value)
      return cells.isEmpty ? nil : Self(change: .updated(cells), place: place)
    case .deleted(var was):
      guard was[column] != nil else { return self }
      was[column] = value
      return Self(change: .deleted(was: was), place: place)
    case .inserted: return self
    }
  }

  /// Returns the change together with one that was staged for the same row under its new key.
  fileprivate func joined(with other: Self?) -> Self {
    guard let other else { return self }
    guard case (.updated(let cells), .updated(let others)) = (change, other.change) else { return other }
    return Self(change: .updated(cells.merging(others) { $1 }), place: place)
  }
}

extension RowAddress {
  fileprivate var isStored: Bool { if case .stored = row { true } else { false } }
}
