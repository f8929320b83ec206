package import QuarryEngine
internal import QuarryRows

extension ChangeCommit {
  /// Writes the changed rows.
  ///
  /// Rows that exchange unique values first get distinct interim values.
  func updateRows() throws {
    let refused = try attempt(work(.updated)) { try update($0) }
    note(refused.filter { !$0.error.takesOthersPlace })
    let exchanged = refused.filter(\.error.takesOthersPlace)
    if !exchanged.isEmpty { try exchange(exchanged) }
  }

  private func update(_ work: Work) throws {
    guard case .updated(let cells) = work.change else { return }
    let isCounted = try updateOnlyCell(of: work, cells) ?? updateCells(of: work, cells)
    guard isCounted || !isExpecting else { throw Unexpected() }
    if isCounted, !work.writer.firesTriggers(.update) { return }
    try noteUpdate(of: work, cells.changes, isCounted: isCounted)
  }

  private func updateCells(of work: Work, _ cells: [String: StagedRow.Cell]) throws -> Bool {
    let sorted = work.writer.sorted(cells)
    let values = sorted.filter(\.value.isChange).map { ($0.column, $0.value.value) }
    let expected = try expectations(of: work, sorted.map { ($0.column, $0.value.was) })
    try work.writer.save(sorted, of: work.row)
    return try work.writer.update(work.key, values, expecting: expected)
  }

  /// Updates a row of which only one cell is staged, and returns whether SQLite has counted the update.
  ///
  /// Returns nil, and does nothing, for any other row.
  private func updateOnlyCell(of work: Work, _ cells: [String: StagedRow.Cell]) throws -> Bool? {
    guard cells.count == 1, case .rowID(let rowID) = work.row, case .table = work.writer.schema.entry.kind else { return nil }
    for (column, cell) in cells {
      guard case .value(let value) = cell.value, case .value(let was) = cell.was, value != was else { return nil }
      if isExpecting, !was.isExpressibleInSQL { return nil }
      return try work.writer.update(rowID, column, from: was, to: value, isExpecting: isExpecting)
    }
    return nil
  }

  /// Gives rows interim values in their unique columns, and then their final values.
  ///
  /// ```sql
  /// UPDATE player SET rank = -4611686018427387904 WHERE id = 1   -- is to get 2
  /// UPDATE player SET rank = 1 WHERE id = 2
  /// UPDATE player SET rank = 2 WHERE id = 1
  /// ```
  private func exchange(_ rows: [(work: Work, error: DatabaseError)]) throws {
    var waiting: [Work] = []
    for (work, error) in rows {
      var work = work
      do {
        if try writeInterim(&work) { waiting.append(work) }
      } catch let refusal as DatabaseError where isBlamedOnRow(refusal) {
        var failure = ConstraintFailure(error, of: work.writer.table, .stored(work.row))
        failure.reason += ", and the interim value for swapping values is refused (\(refusal.message))"
        failures.append(failure)
      }
    }
    let refused = try attempt(waiting) { work in
      guard case .updated(let cells) = work.change else { return }
      let values = work.writer.sorted(cells.changes).map { ($0.column, $0.value.value) }
      guard try work.writer.update(work.key, values, expecting: []) else {
        // The row has an interim value, which must not remain.
        let reason = "a trigger of \(work.writer.table.name) prevents the change while unique values are swapped"
        return failures.append(ConstraintFailure(table: work.writer.table, row: .stored(work.row), reason: reason))
      }
      try noteUpdate(of: work, cells.changes, isCounted: true)
    }
    note(refused)
  }

  /// Gives a row interim values, and returns whether it has them.
  ///
  /// A trigger may prevent it.
  private func writeInterim(_ work: inout Work) throws -> Bool {
    guard case .updated(let cells) = work.change else { return false }
    let unique = work.writer.schema.uniqueColumns
    let sorted = work.writer.sorted(cells)
    let values = sorted.filter(\.value.isChange).map(\.column).filter { unique.contains($0) }.compactMap { column in
      work.writer.schema.column(named: column).map { (column: column, value: StagedValue.value($0.interimValue())) }
    }
    guard !values.isEmpty else { return true }
    let expected = try expectations(of: work, sorted.map { ($0.column, $0.value.was) })
    guard try work.writer.update(work.key, values, expecting: expected) else {
      if isExpecting { throw Unexpected() }
      try noteUpdate(of: work, cells.changes, isCounted: false)
      return false
    }
    for (column, value) in values {
      guard let index = work.key.firstIndex(where: { $0.column == column }), case .value(let value) = value else { continue }
      work.key[index].value = value
    }
    return true
  }
}

extension TableSchema {
  /// The columns that are part of a unique constraint or index.
  package var uniqueColumns: Set<String> {
    Set(indexes.filter(\.isUnique).flatMap { $0.terms.compactMap(\.column) } + primaryKey + columns.filter(\.isRowID).map(\.name))
  }
}

extension ColumnSchema {
  /// Returns a value of the column's type that is unlikely to occur in a row.
  package func interimValue() -> DatabaseValue {
    let number = Int64.random(in: Int64.min / 2..<Int64.min / 4)
    switch affinity {
    case .integer, .numeric: return .integer(number)
    case .real: return .real(Double(number))
    case .text: return .text("quarry interim \(number.magnitude)")
    case .blob:
      return declaredType.isSameIdentifier(as: "BLOB") ? .blob(Array("\(number.magnitude)".utf8)) : .integer(number)
    }
  }
}
