package import QuarryEngine
package import QuarryRows

/// The changes written by a commit, and the new keys of their rows.
struct CommittedChanges: Sendable {
  let written: StagedChanges
  /// The keys of inserted rows, and of rows with changed key columns.
  let keys: [RowAddress: RowKey]

  /// The change of a row that remains after the commit.
  struct Rest {
    var address: RowAddress
    var change: StagedRow?
    /// The columns of the change whose current values the commit has written.
    var bases: [String: CommittedBase] = [:]
  }

  /// Returns the current address of a row.
  func address(_ address: RowAddress) -> RowAddress {
    keys[address].map { RowAddress(table: address.table, row: .stored($0)) } ?? address
  }

  /// Returns the value that the commit has written to a column, or nil if it has not written one.
  func base(of column: String, at address: RowAddress) -> CommittedBase? {
    switch written.change(of: address.row, in: address.table) {
    case .updated(let cells): cells[column].map { CommittedBase($0.value) }
    case .inserted(let values): CommittedBase(values[column] ?? .defaultValue)
    case .deleted, nil: nil
    }
  }

  /// Returns the remaining part of a change that was staged before the commit ended.
  ///
  /// - Parameter change: The change, or nil if the user has reverted the change being written.
  func rest(of change: StagedRow?, at address: RowAddress) -> Rest {
    switch (written.change(of: address.row, in: address.table), change) {
    case (nil, _): Rest(address: address, change: change)
    case (.deleted, _): Rest(address: address)
    case (.updated(let sent), nil): rest(sent, wished: [:], at: address)
    case (.updated(let sent), .updated(let cells)): rest(sent, wished: cells, at: address)
    case (.inserted(let sent), .inserted(let values)): rest(sent, wished: values, at: address)
    case (.inserted, nil): keys[address] == nil ? Rest(address: address) : deletion(was: [:], at: address)
    case (.updated, .deleted(let was)): deletion(was: was, at: address)
    case (.updated, .inserted), (.inserted, .updated), (.inserted, .deleted): Rest(address: address, change: change)
    }
  }

  /// Returns the remaining changes of an updated row: cells that were staged differently meanwhile, or set back.
  private func rest(_ sent: [String: StagedRow.Cell], wished: [String: StagedRow.Cell], at address: RowAddress) -> Rest {
    var cells = wished
    var bases: [String: CommittedBase] = [:]
    for (column, cell) in sent {
      let wish = wished[column]?.value ?? StagedValue(cell.was)
      let base = CommittedBase(cell.value)
      cells[column] = wished.hasExpectations && base.isKnown ? StagedRow.Cell(expecting: base.value) : nil
      guard wish != cell.value else { continue }
      bases[column] = base
      cells[column] = StagedRow.Cell(was: base.value, value: wish)
    }
    return Rest(address: self.address(address), change: cells.changes.isEmpty ? nil : .updated(cells), bases: bases)
  }

  /// Returns the remaining changes of an inserted row.
  private func rest(_ sent: [String: StagedValue], wished: [String: StagedValue], at address: RowAddress) -> Rest {
    var cells: [String: StagedRow.Cell] = [:]
    var bases: [String: CommittedBase] = [:]
    for column in Set(sent.keys).union(wished.keys) {
      let (value, wish) = (sent[column] ?? .defaultValue, wished[column] ?? .defaultValue)
      guard wish != value else { continue }
      bases[column] = CommittedBase(value)
      cells[column] = StagedRow.Cell(was: CommittedBase(value).value, value: wish)
    }
    guard !cells.isEmpty else { return Rest(address: address) }
    // A row inserted into a view cannot be identified. Later changes remain a new row, so that they are not lost.
    guard keys[address] != nil else { return Rest(address: address, change: .inserted(wished)) }
    return Rest(address: self.address(address), change: .updated(cells), bases: bases)
  }

  /// Returns the deletion of a row that the commit has written.
  private func deletion(was old: [String: StoredValue], at address: RowAddress) -> Rest {
    var (was, bases) = (old, [String: CommittedBase]())
    for column in writtenColumns(at: address) {
      guard let base = base(of: column, at: address) else { continue }
      was[column] = base.isKnown ? base.value : nil
      if base.isKnown { bases[column] = base }
    }
    return Rest(address: self.address(address), change: .deleted(was: was), bases: bases)
  }

  private func writtenColumns(at address: RowAddress) -> [String] {
    switch written.change(of: address.row, in: address.table) {
    case .updated(let cells): Array(cells.keys)
    case .inserted(let values): Array(values.keys)
    case .deleted, nil: []
    }
  }

  /// Returns a row change of a step, adapted to the state after the commit.
  func rewrite(_ change: StagingHistory.Change) -> StagingHistory.Change {
    let (before, after) = (rest(of: change.before?.change, at: change.address), rest(of: change.after?.change, at: change.address))
    let place = change.after?.place ?? change.before?.place ?? 0
    return StagingHistory.Change(
      address: after.change == nil ? before.address : after.address,
      before: before.change.map { StagedTable.Entry(change: $0, place: change.before?.place ?? place) },
      after: after.change.map { StagedTable.Entry(change: $0, place: place) })
  }
}

/// A value that a commit has written.
package struct CommittedBase: Hashable, Sendable {
  /// The value, or NULL if it is not known.
  let value: StoredValue
  /// Whether the value is known.
  ///
  /// Defaults are computed by SQLite.
  let isKnown: Bool

  fileprivate init(_ value: StagedValue) {
    (self.value, isKnown) = (value.stored ?? .null, value.stored != nil)
  }
}

extension StagedChanges {
  /// Returns the keys of a table's rows after the changes are written, for rows whose keys change.
  package func movedRows(of schema: TableSchema) -> [RowAddress: RowKey] {
    // A row of a view is found by all of its values, and the grid identifies it by its position.
    if schema.entry.kind == .view { return [:] }
    let (statements, table) = (RowStatements(schema: schema), schema.entry.reference)
    var keys: [RowAddress: RowKey] = [:]
    for case (let row, .updated(let cells)) in rows(of: table) {
      guard case .stored(let key) = row, let matches = statements.key(of: key) else { continue }
      let values = matches.map { cells[$0.column]?.value.stored ?? .value($0.value) }
      if let new = statements.key(values), new != key { keys[RowAddress(table: table, row: row)] = new }
    }
    return keys
  }
}
