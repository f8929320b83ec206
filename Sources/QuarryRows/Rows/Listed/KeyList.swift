internal import QuarryEngine
internal import Synchronization

/// The keys of the rows of a set in its order, as far as they have been found, for finding rows by number.
final class KeyList: Sendable {
  /// The state that the foreground connection read before the list was started.
  let state: DataState
  /// The row whose neighbors are needed before the whole order is known.
  let focus: RowKey?
  private let contents: Mutex<Contents>
  /// The keys, unless they are rowids.
  private let spool: KeySpool?

  fileprivate struct Contents: Sendable {
    var ids = RowIDVector()
    var count = 0
    /// The number of rows, if it is known before all of them have been found.
    var total: Int?
    /// The number of rows read, and the approximate number of all rows.
    var read = (rows: 0, of: Int?.none)
    /// The time at which building began; nil before that.
    var beginning: ContinuousClock.Instant?
    var ending: Ending?
    /// Whether the rows are sorted outside SQLite, which provides the first rows early.
    var isSortedHere: Bool
    /// Runs of rows that are known before the preceding rows.
    var excerpts: [RowExcerpt] = []
    var waiters: [Int: Waiter] = [:]
    var observers: [Int: Observer] = [:]
    var lastNumber = 0
  }

  enum Ending: Sendable {
    case complete
    case cancelled
    /// Another connection has written meanwhile, and another list is being built.
    case replaced
    case failed(any Error)
  }

  /// A task that waits for rows.
  fileprivate struct Waiter: Sendable {
    var need: Need
    var continuation: CheckedContinuation<Void, Never>
  }

  /// The condition for which a task waits; it never waits beyond the end of building.
  enum Need: Sendable {
    /// A number of rows from the first on, or any other information about the order.
    case rows(Int)
    /// The number of rows.
    case total
    case end
  }

  /// A closure that receives the number of found rows.
  fileprivate struct Observer: Sendable {
    var reported = 0
    var report: @Sendable (RowNumber) -> Void
  }

  /// Creates an empty list for a state of the file.
  ///
  /// - Parameters:
  ///   - width: The number of values of a key; nil for rowids.
  ///   - isSortedHere: Whether the rows are sorted outside SQLite.
  ///   - focus: The row whose neighbors are needed first.
  init(state: DataState, width: Int?, isSortedHere: Bool = false, focus: RowKey? = nil) throws {
    self.state = state
    self.focus = focus
    spool = try width.map { try KeySpool(width: $0) }
    contents = Mutex(Contents(isSortedHere: isSortedHere))
  }

  var count: Int { contents.withLock(\.count) }
  var ending: Ending? { contents.withLock(\.ending) }
  /// Whether building has begun; it then reads one state of the file, no older than `state`.
  var isBegun: Bool { contents.withLock { $0.beginning != nil } }
  /// Whether the rows are being sorted outside SQLite.
  var isBeingSortedHere: Bool { contents.withLock { $0.isSortedHere && $0.ending == nil } }

  var isReplaced: Bool {
    if case .replaced? = ending { true } else { false }
  }

  var isComplete: Bool {
    if case .complete? = ending { true } else { false }
  }

  /// The number of rows of the set, exact or as a lower bound.
  var total: RowNumber {
    contents.withLock { contents in
      if case .complete? = contents.ending { return .exact(contents.count) }
      return contents.total.map { .exact($0) } ?? .atLeast(contents.count)
    }
  }
}

extension KeyList {
  /// The progress of building: all rows must be read, for sorting as well as for filtering.
  var progress: RowProgress {
    contents.withLock { contents in
      guard let total = contents.read.of ?? contents.total else { return RowProgress(rows: max(contents.count, contents.read.rows)) }
      let rows = contents.read.rows > 0 ? contents.read.rows : contents.count
      let elapsed = contents.beginning.map { ContinuousClock.now - $0 }
      return RowProgress(rows: rows, total: total, elapsed: elapsed)
    }
  }
}

// MARK: - Building

extension KeyList {
  func begin() {
    finish { $0.beginning = .now }
  }

  func set(total: Int) {
    finish { $0.total = total }
  }

  /// Sets the progress of reading.
  ///
  /// - Parameters:
  ///   - read: The number of rows read.
  ///   - total: The approximate number of rows to read; nil if it is unknown.
  func set(read: Int, of total: Int? = nil) {
    contents.withLock { $0.read = (read, total) }
  }

  /// Records that SQLite sorts the rows after all.
  func leaveToSQLite() {
    finish(isLearned: true) {
      $0.isSortedHere = false
      $0.read = (0, nil)
    }
  }

  /// Sets the number of rows, and some of them, before the whole order is known.
  func set(total: Int, excerpts: [RowExcerpt]) {
    finish(isLearned: true) {
      $0.total = total
      $0.excerpts = excerpts
    }
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
    finish {
      $0.ending = ending
      $0.excerpts = []
    }
  }

  /// Changes the contents, resumes the tasks that wait for the change, and calls the observers.
  ///
  /// - Parameter isLearned: Whether more is known about the order than the number of rows from the first on.
  private func finish(isLearned: Bool = false, _ change: (inout Contents) -> Void) {
    let (waiters, observers, count) = contents.withLock { contents in
      change(&contents)
      return (contents.removeServedWaiters(isLearned: isLearned), contents.removeDueObservers(), contents.count)
    }
    for waiter in waiters { waiter.continuation.resume() }
    for observer in observers { observer.report(.atLeast(count)) }
  }

  /// Calls `report` on the thread that finds the rows, after every 10,000 rows.
  ///
  /// - Returns: A closure that ends the calls.
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

extension KeyList.Contents {
  fileprivate func isEnough(_ need: KeyList.Need) -> Bool {
    if ending != nil { return true }
    return switch need {
    case .rows(let wanted): beginning != nil && count >= wanted
    case .total: total != nil
    case .end: false
    }
  }

  fileprivate mutating func removeServedWaiters(isLearned: Bool) -> [KeyList.Waiter] {
    let served = waiters.filter { _, waiter in
      if isLearned, case .rows = waiter.need { true } else { isEnough(waiter.need) }
    }
    for number in served.keys { waiters[number] = nil }
    return Array(served.values)
  }

  fileprivate mutating func removeDueObservers() -> [KeyList.Observer] {
    let due = observers.filter { count - $0.value.reported >= KeyList.reportStride }
    for number in due.keys { observers[number]?.reported = count }
    return Array(due.values)
  }
}

// MARK: - Waiting

extension KeyList {
  /// Waits until the need is met, building has ended, or a deadline has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, and the error that ended the list.
  func wait(for need: Need, until deadline: ContinuousClock.Instant) async throws {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
    let timer = Task(executorPreference: TaskThreads.shared) {
      try await Task.pause(until: deadline)
      self.release(number)
    }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { add(Waiter(need: need, continuation: $0), as: number, until: deadline) }
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
      // The event that ends the waiting may precede the registration of the waiter.
      if Task.isCancelled || ContinuousClock.now >= deadline || contents.isEnough(waiter.need) { return true }
      contents.waiters[number] = waiter
      return false
    }
    if goesOn { waiter.continuation.resume() }
  }
}

// MARK: - Reading

/// Consecutive rows of an order, with the number of the first.
struct RowExcerpt: Hashable, Sendable {
  var first: Int
  var ids: [Int64]

  var range: Range<Int> { first..<first + ids.count }
}

extension KeyList {
  /// Returns the known part of a window, beginning with its first row; nil if that row is unknown.
  func known(_ window: Range<Int>) -> Range<Int>? {
    contents.withLock { contents in
      let runs = [0..<contents.count] + contents.excerpts.map(\.range)
      guard let run = runs.first(where: { $0.contains(window.lowerBound) }) else { return nil }
      return window.clamped(to: run)
    }
  }

  /// Returns the known keys of rows by their numbers.
  func keys(_ range: Range<Int>, of rows: KeysetRows) throws -> [RowKey] {
    if let spool { return try spool.keys(range).map(rows.key) }
    return contents.withLock { contents in
      if range.upperBound > contents.count, let excerpt = contents.excerpts.first(where: { $0.range.contains(range.lowerBound) }) {
        return range.clamped(to: excerpt.range).map { .rowID(excerpt.ids[$0 - excerpt.first]) }
      }
      return range.clamped(to: 0..<contents.count).map { .rowID(contents.ids[$0]) }
    }
  }

  /// Returns the number of a row; nil if it has not been found.
  func number(of key: RowKey) throws -> Int? {
    switch (spool, key) {
    case (nil, .rowID(let id)):
      contents.withLock { contents in
        for excerpt in contents.excerpts {
          if let index = excerpt.ids.firstIndex(of: id) { return excerpt.first + index }
        }
        return contents.ids.firstIndex(of: id)
      }
    case (let spool?, .values(let values)): try spool.firstIndex(of: values)
    default: nil
    }
  }
}
