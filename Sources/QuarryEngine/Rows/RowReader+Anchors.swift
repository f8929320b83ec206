internal import Synchronization

extension RowReader {
  /// The number of rows that are passed before others get their turn on the background connection.
  private static let chunk = 100 * Anchors.stride

  /// Begins to note the places of every thousandth row, unless that is done or under way for this state of the file.
  func startAnchors(for table: TableRows) {
    state.withLock { state in
      guard state.numbers.wantsAnchors else { return }
      state.anchoring?.cancel()
      // The reader is held for one step at a time only: when nobody else holds it, there is nobody to make anchors for.
      state.anchoring = Task { [weak self] in
        guard await (try? self?.linkStates(of: table)) == true, await (try? self?.needsAnchors(table)) == true else { return }
        while !Task.isCancelled, await (try? self?.makeNextAnchors(of: table)) == true {}
      }
    }
  }

  /// Waits until all is known, or given up, that the number of any row is told from.
  public func numbersAreKnown() async {
    if case .ordered(let table)? = state.withLock(\.source) { try? await table.listIsMade() }
    await state.withLock(\.anchoring)?.value
  }

  /// Finds what the two connections call one state of the file; false where others write without a pause.
  ///
  /// The version that one connection sees does not change between two looks; what the other sees between them is the same state.
  private func linkStates(of table: TableRows) async throws -> Bool {
    let name = table.rows.reference.database
    return try await backgroundWork.run { [self] in
      var before = try await foreground.read { try $0.dataState(of: name) }
      for _ in 0..<3 {
        let between = try await background.read { try $0.dataState(of: name) }
        let after = try await foreground.read { try $0.dataState(of: name) }
        if before == after {
          state.withLock { $0.numbers.link(foreground: after, background: between) }
          return true
        }
        before = after
      }
      return false
    }
  }

  /// Whether the rowids do not tell the numbers of the rows by themselves.
  private func needsAnchors(_ table: TableRows) async throws -> Bool {
    try await backgroundWork.run { [self] in
      try await background.read { database in
        let count = self.state.withLock { $0.numbers.count?.rows }
        return try table.rows.rowIDBounds(in: database)?.isDense(count: count) != true
      }
    }
  }

  /// Notes some more places; false when all are made, and when the file has changed, so that they would be of no use.
  private func makeNextAnchors(of table: TableRows) async throws -> Bool {
    try await backgroundWork.run { [self] in
      try await background.read { database in
        let current = try database.dataState(of: table.rows.reference.database)
        var anchors = self.state.withLock { $0.numbers.anchorsToExtend(in: current) }
        guard let count = self.state.withLock({ $0.numbers.count(in: current) }), !anchors.isComplete else { return false }
        // A set that is shorter than a stride has no anchor but its first row.
        try table.rows.extend(&anchors, by: count > Anchors.stride ? Self.chunk : 1, in: database)
        anchors.isComplete = anchors.isComplete || count <= Anchors.stride
        let made = anchors
        self.state.withLock { $0.numbers.set(anchors: made, in: current) }
        return !made.isComplete
      }
    }
  }
}
