internal import Synchronization

/// The keys of all rows of a set in its order, as far as they have been found: by it any row is found by its number.
final class RowList: Sendable {
  /// The state that the foreground connection read before the list was begun.
  let state: DataState
  private let contents: Mutex<Contents>
  /// The keys that are no rowids.
  private let spool: KeySpool?

  fileprivate struct Contents: Sendable {
    var ids = RowIDVector()
    var count = 0
    /// The number of rows, where it is known before all of them have been found.
    var total: Int?
    /// The number of rows that have been read to be sorted.
    var read = 0
    var isBegun = false
    var ending: Ending?
    var waiters: [Int: Waiter] = [:]
    var observers: [Int: Observer] = [:]
    var lastNumber = 0
  }

  enum Ending: Sendable {
    case complete
    case cancelled
    case failed(any Error)
  }

  /// Somebody who waits for rows.
  fileprivate struct Waiter: Sendable {
    var wanted: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  /// Somebody who is told how many rows have been found.
  fileprivate struct Observer: Sendable {
    var told = 0
    var report: @Sendable (RowNumber) -> Void
  }

  /// - Parameter width: the number of values of a key; nil for rowids.
  init(state: DataState, width: Int?) throws {
    self.state = state
    spool = try width.map { try KeySpool(width: $0) }
    contents = Mutex(Contents())
  }

  var count: Int { contents.withLock(\.count) }
  var ending: Ending? { contents.withLock(\.ending) }
  /// Whether what the list is made from is one state of the file, no older than `state`.
  var isBegun: Bool { contents.withLock(\.isBegun) }

  var isComplete: Bool {
    if case .complete? = ending { true } else { false }
  }

  /// The number of rows of the set, as far as it is known.
  var total: RowNumber {
    contents.withLock { contents in
      if case .complete? = contents.ending { return .exact(contents.count) }
      return contents.total.map { .exact($0) } ?? .atLeast(contents.count)
    }
  }
}

extension RowList {
  /// How far the making is: rows that are sorted are read first.
  var progress: RowProgress {
    contents.withLock { RowProgress(rows: max($0.count, $0.read), total: $0.total) }
  }
}

// MARK: - Making

extension RowList {
  func begin() {
    finish { $0.isBegun = true }
  }

  func set(total: Int) {
    finish { $0.total = total }
  }

  func set(read: Int) {
    contents.withLock { $0.read = read }
  }

  func append(_ ids: [Int64]) {
    finish {
      $0.ids.append(ids)
      $0.count += ids.count
    }
  }

  func append(_ keys: [[DatabaseValue]]) throws {
    try spool?.append(keys)
    finish { $0.count += keys.count }
  }

  func end(_ ending: Ending) {
    finish { $0.ending = ending }
  }

  /// Changes what is known, and lets those know who wait for it.
  private func finish(_ change: (inout Contents) -> Void) {
    let (waiters, observers, count) = contents.withLock { contents in
      change(&contents)
      return (contents.takeServedWaiters(), contents.takeDueObservers(), contents.count)
    }
    for waiter in waiters { waiter.continuation.resume() }
    for observer in observers { observer.report(.atLeast(count)) }
  }

  /// Calls `report`, on the thread that finds the rows, each time that there are so many more.
  ///
  /// - Returns: what ends it.
  func observe(_ report: @escaping @Sendable (RowNumber) -> Void) -> @Sendable () -> Void {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      contents.observers[contents.lastNumber] = Observer(report: report)
      return contents.lastNumber
    }
    return { [self] in contents.withLock { _ = $0.observers.removeValue(forKey: number) } }
  }

  /// The number of rows between two reports.
  fileprivate static let reportStride = 10_000
}

extension RowList.Contents {
  fileprivate func isEnough(_ wanted: Int) -> Bool {
    ending != nil || isBegun && count >= wanted
  }

  fileprivate mutating func takeServedWaiters() -> [RowList.Waiter] {
    let served = waiters.filter { isEnough($0.value.wanted) }
    for number in served.keys { waiters[number] = nil }
    return Array(served.values)
  }

  fileprivate mutating func takeDueObservers() -> [RowList.Observer] {
    let due = observers.filter { count - $0.value.told >= RowList.reportStride }
    for number in due.keys { observers[number]?.told = count }
    return Array(due.values)
  }
}

// MARK: - Waiting

extension RowList {
  /// Waits until there are so many rows, until the list has ended, or until a point of time.
  ///
  /// - Throws: `CancellationError` where the task is cancelled, and the error with which the list has ended.
  func wait(for wanted: Int, until deadline: ContinuousClock.Instant) async throws {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
    let timer = Task {
      try await Task.sleep(until: deadline)
      release(number)
    }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { add(Waiter(wanted: wanted, continuation: $0), as: number, until: deadline) }
    } onCancel: {
      release(number)
    }
    try Task.checkCancellation()
    if case .failed(let error)? = ending { throw error }
  }

  private func release(_ number: Int) {
    contents.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
  }

  private func add(_ waiter: Waiter, as number: Int, until deadline: ContinuousClock.Instant) {
    let goesOn = contents.withLock { contents in
      // What ends the waiting may have come before there was anybody to be let go.
      if Task.isCancelled || ContinuousClock.now >= deadline || contents.isEnough(waiter.wanted) { return true }
      contents.waiters[number] = waiter
      return false
    }
    if goesOn { waiter.continuation.resume() }
  }
}

// MARK: - Reading

extension RowList {
  /// The keys of some rows by their numbers, as far as they have been found.
  func keys(_ range: Range<Int>, of rows: KeysetRows) throws -> [RowKey] {
    if let spool { return try spool.keys(range).map(rows.key) }
    return contents.withLock { contents in
      range.clamped(to: 0..<contents.count).map { .rowID(contents.ids[$0]) }
    }
  }

  /// The number of a row; nil where it has not been found.
  func number(of key: RowKey) throws -> Int? {
    switch (spool, key) {
    case (nil, .rowID(let id)): contents.withLock { $0.ids.firstIndex(of: id) }
    case (let spool?, .values(let values)): try spool.firstIndex(of: values)
    default: nil
    }
  }
}
