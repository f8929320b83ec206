package import QuarryEngine
package import QuarryRows

/// The state of a commit: the changes being written, and the changes left afterwards.
extension EditSession {
  /// Returns all staged changes for a commit.
  ///
  /// The commit ends with ``endCommit(written:keys:)`` or ``cancelCommit()``.
  ///
  /// - Throws: ``StagingRefusal/isCommitting`` while another commit is running, or ``StagingRefusal/isEmpty``.
  package mutating func beginCommit() throws(StagingRefusal) -> StagedChanges {
    try requireNoCommit()
    guard !staged.isEmpty else { throw .isEmpty }
    let changes = staged
    (sent, latest) = (changes, nil)
    commitStart = (history.undoable.count, revision)
    // A later session that finds changes staged from now on must not treat them as written.
    staged.renewIdentity()
    return changes
  }

  /// Ends a commit that has written nothing.
  ///
  /// All changes remain staged, and every step can be undone.
  package mutating func cancelCommit() {
    if let sent, revision == commitStart.revision { staged = sent }
    sent = nil
  }

  /// Ends a commit and removes the written changes.
  ///
  /// Changes that were staged meanwhile remain. A change of a written row is rebased on the row's current values: another value of the same
  /// cell, a cell or the deletion of an inserted row, or a value that was set back.
  ///
  /// - Parameters:
  ///   - written: The changes that were written. All others remain staged.
  ///   - keys: The keys of inserted rows and of rows with a changed key. A row of a view has none.
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
    // Rows may have exchanged their keys, so all are removed before the first one is inserted.
    for (address, entry) in left { staged.restore(entry.joined(with: staged.entry(at: address)), at: address) }
  }

  // MARK: Edits begun before the end of a commit

  /// Returns the current identifier of a row that was identified after `count` commits.
  package func current(_ address: RowAddress, since count: Int?) -> RowAddress {
    guard let count, count < commitCount else { return address }
    return latest?.address(address) ?? address
  }

  /// Returns whether a commit has changed keys of the table's rows since `count` commits, so that earlier keys are ambiguous.
  package func hasMovedRows(of table: TableReference, since count: Int) -> Bool {
    count < commitCount && latest?.keys.keys.contains { $0.table == table && $0.isStored } == true
  }

  // MARK: Values written by a commit

  /// Returns the cells whose values must be read from the file, because a commit may have computed or converted them.
  package mutating func takeUnread() -> [RowAddress: [String: CommittedBase]] {
    defer { unread = [:] }
    return unread
  }

  /// Replaces expected values by the values of rows in the file.
  ///
  /// - Parameters:
  ///   - cells: The cells returned by ``takeUnread()``.
  ///   - rows: The values of their rows, by column. Missing rows are omitted.
  package mutating func settle(_ cells: [RowAddress: [String: CommittedBase]], _ rows: [RowAddress: [String: StoredValue]]) {
    for (address, columns) in cells {
      for (column, base) in columns {
        // A known value that differs by more than its storage class was changed externally. The next commit reports the conflict.
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
  /// Returns steps with only the row changes that satisfy a predicate.
  static func steps(_ steps: some Sequence<Step>, where isKept: (Change) -> Bool) -> [Step] {
    steps.compactMap { step in
      let changes = step.changes.filter(isKept)
      return changes.isEmpty ? nil : Step(description: step.description, changes: changes)
    }
  }
}

extension StagedTable.Entry {
  /// Returns the change with another expected value of a column, or nil if no change remains.
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

  /// Returns the change merged with a change staged for the same row under its new key.
  fileprivate func joined(with other: Self?) -> Self {
    guard let other else { return self }
    guard case (.updated(let cells), .updated(let others)) = (change, other.change) else { return other }
    return Self(change: .updated(cells.merging(others) { $1 }), place: place)
  }
}

extension RowAddress {
  fileprivate var isStored: Bool { if case .stored = row { true } else { false } }
}
