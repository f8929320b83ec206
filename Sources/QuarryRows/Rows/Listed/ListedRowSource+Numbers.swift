internal import QuarryEngine

extension ListedRowSource {
  /// Waits for the number of rows and returns it; returns the number known so far if building the list is cancelled.
  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber {
    // Rows read again after a change must come from the new list.
    try await currentList(progress: progress) { [self] in isSorted && hasOlderList(than: $0) ? .end : .total }.total
  }

  /// Waits until there is a list of the current rows, or until building it has ended.
  func numbersAreKnown() async {
    _ = try? await currentList { _ in .end }
  }

  /// Returns the list of the current state, once the need is met, or once building or the task has ended.
  private func currentList(
    progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void = { _, _ in }, _ need: (KeyList) -> KeyList.Need
  ) async throws -> KeyList {
    while true {
      let list = try await startedList(isCurrent: true)
      try await wait(for: list, need: need(list), progress: progress)
      if case .failed(let error)? = list.ending { throw error }
      guard list.isReplaced, !Task.isCancelled else { return list }
    }
  }

  /// Waits until a need of a list is met, or until the list or the task has ended.
  func wait(
    for list: KeyList, need: KeyList.Need, progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void = { _, _ in }
  ) async throws {
    let stop = list.observe { progress($0, nil) }
    defer { stop() }
    do {
      while list.ending == nil {
        if case .total = need, list.total.isExact { return }
        try await list.wait(for: need, until: .now + Self.reportInterval)
        if list.ending == nil { progress(list.total, list.progress) }
      }
    } catch is CancellationError {}
  }

  /// Returns the number of a row in the set, waiting for a list being built.
  ///
  /// For a row outside the set, it returns an estimate of the number of its position.
  func number(of key: RowKey) async throws -> RowNumber? {
    while true {
      let list = try await startedList()
      let isBegun = list.isBegun
      let isEnded = list.ending != nil
      let found = try await foreground.read { [self] database -> RowNumber? in
        let (query, current) = try checked(in: database)
        let source = ListedRows(query: query, list: list, isBegun: isBegun, reading: current)
        if let number = try self.number(of: key, in: source) { return source.isCurrent ? .exact(number) : .estimated(number) }
        return list.isComplete ? try nearestNumber(of: key, in: source, database) : nil
      }
      // The list is current only if building had begun before.
      if !isBegun, list.isBegun { continue }
      if found != nil || isEnded { return found }
      try await list.wait(for: .end, until: .now + Self.reportInterval)
      if case .cancelled? = list.ending { return nil }
    }
  }

  /// Returns the number of the row after the position of a row outside the set.
  private func nearestNumber(of key: RowKey, in source: ListedRows, _ database: Database) throws -> RowNumber? {
    guard try source.query.terms.isEmpty || source.query.place(of: key, in: database) != nil else { return nil }
    var (low, high) = (0, source.list.count)
    while low < high {
      let middle = (low + high) / 2
      guard let other = try source.list.keys(middle..<middle + 1, of: source.query.table).first else { return nil }
      if try source.query.precedes(other, key, in: database) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return .estimated(min(low, max(0, source.list.count - 1)))
  }
}
