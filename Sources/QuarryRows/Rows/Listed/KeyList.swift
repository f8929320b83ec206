internal import QuarryEngine
internal import Synchronization

/// The keys of all rows of a set in its order, as far as they have been found, so that a row can be found by its number.
final class KeyList: Sendable {
  /// The state that the foreground connection read before the list was begun.
  let state: DataState
  /// The row whose neighbours are needed before the whole order is known.
  let focus: RowKey?
  private let contents: Mutex<Contents>
  /// The keys, where they are not rowids.
  private let spool: KeySpool?

  fileprivate struct Contents: Sendable {
    var ids = RowIDVector()
    var count = 0
    /// The number of rows, where it is known before all of them have been found.
    var total: Int?
    /// The number of rows that have been looked at, of about how many.
    var read = (rows: 0, of: Int?.none)
    /// When the making began; nil before that.
    var beginning: ContinuousClock.Instant?
    var ending: Ending?
    /// Whether the rows are sorted outside of SQLite, which makes the first ones known early.
    var isSortedHere: Bool
    /// Runs of rows that are known before the ones ahead of them.
    var excerpts: [RowExcerpt] = []
    var waiters: [Int: Waiter] = [:]
    var observers: [Int: Observer] = [:]
    var lastNumber = 0
  }

  enum Ending: Sendable {
    case complete
    case cancelled
    /// Another connection has written meanwhile, and another list is being made.
    case replaced
    case failed(any Error)
  }

  /// A task that waits for rows.
  fileprivate struct Waiter: Sendable {
    var need: Need
    var continuation: CheckedContinuation<Void, Never>
  }

  /// What a task waits for; it never waits beyond the end of the making.
  enum Need: Sendable {
    /// A number of rows from the first on, or anything else that is learned of the order.
    case rows(Int)
    /// The number of rows.
    case total
    case end
  }

  /// A closure that is called with the number of rows that have been found.
  fileprivate struct Observer: Sendable {
    var reported = 0
    var report: @Sendable (RowNumber) -> Void
  }

  /// Makes an empty list of a state of the file.
  ///
  /// - Parameters:
  ///   - width: the number of values of a key; nil for rowids.
  ///   - isSortedHere: whether the rows are to be sorted outside of SQLite.
  ///   - focus: the row whose neighbours are wanted first.
  init(state: DataState, width: Int?, isSortedHere: Bool = false, focus: RowKey? = nil) throws {
    self.state = state
    self.focus = focus
    spool = try width.map { try KeySpool(width: $0) }
    contents = Mutex(Contents(isSortedHere: isSortedHere))
  }

  var count: Int { contents.withLock(\.count) }
  var ending: Ending? { contents.withLock(\.ending) }
  /// Whether the making has begun: from then on it reads one state of the file, no older than `state`.
  var isBegun: Bool { contents.withLock { $0.beginning != nil } }
  /// Whether the rows are being sorted outside of SQLite.
  var isBeingSortedHere: Bool { contents.withLock { $0.isSortedHere && $0.ending == nil } }

  var isReplaced: Bool {
    if case .replaced? = ending { true } else { false }
  }

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

extension KeyList {
  /// How far the making is: all rows have to be read, whether they are sorted or only some are kept.
  var progress: RowProgress {
    contents.withLock { contents in
      guard let total = contents.read.of ?? contents.total else { return RowProgress(rows: max(contents.count, contents.read.rows)) }
      let rows = contents.read.rows > 0 ? contents.read.rows : contents.count
      let elapsed = contents.beginning.map { ContinuousClock.now - $0 }
      return RowProgress(rows: rows, total: total, elapsed: elapsed)
    }
  }
}

// MARK: - Making

extension KeyList {
  func begin() {
    finish { $0.beginning = .now }
  }

  func set(total: Int) {
    finish { $0.total = total }
  }

  /// Sets how far the reading is.
  ///
  /// - Parameters:
  ///   - read: the number of rows that have been looked at.
  ///   - total: about how many there are to look at; nil where that is not known.
  func set(read: Int, of total: Int? = nil) {
    contents.withLock { $0.read = (read, total) }
  }

  /// Notes that the rows are sorted by SQLite after all.
  func leaveToSQLite() {
    finish(isLearned: true) {
      $0.isSortedHere = false
      $0.read = (0, nil)
    }
  }

  /// Notes the number of rows, and some of them, before the whole order is known.
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

  /// Changes what is known, resumes the tasks that wait for it, and calls the observers.
  ///
  /// - Parameter isLearned: whether more is known of the order than the number of rows from the first on.
  private func finish(isLearned: Bool = false, _ change: (inout Contents) -> Void) {
    let (waiters, observers, count) = contents.withLock { contents in
      change(&contents)
      return (contents.removeServedWaiters(isLearned: isLearned), contents.removeDueObservers(), contents.count)
    }
    for waiter in waiters { waiter.continuation.resume() }
    for observer in observers { observer.report(.atLeast(count)) }
  }

  /// Calls `report` on the thread that finds the rows, after every 10,000 of them.
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
  /// Waits until what is needed is known, the making has ended, or a point of time has come.
  ///
  /// - Throws: `CancellationError` where the task is cancelled, and the error with which the list has ended.
  func wait(for need: Need, until deadline: ContinuousClock.Instant) async throws {
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
      // What ends the waiting may have happened before the waiter was added.
      if Task.isCancelled || ContinuousClock.now >= deadline || contents.isEnough(waiter.need) { return true }
      contents.waiters[number] = waiter
      return false
    }
    if goesOn { waiter.continuation.resume() }
  }
}

// MARK: - Reading

/// Rows that follow one another in an order, and the number of the first.
struct RowExcerpt: Hashable, Sendable {
  var first: Int
  var ids: [Int64]

  var range: Range<Int> { first..<first + ids.count }
}

extension KeyList {
  /// Returns the part of a window that is known, beginning with its first row; nil where that row is not known.
  func known(_ window: Range<Int>) -> Range<Int>? {
    contents.withLock { contents in
      let runs = [0..<contents.count] + contents.excerpts.map(\.range)
      guard let run = runs.first(where: { $0.contains(window.lowerBound) }) else { return nil }
      return window.clamped(to: run)
    }
  }

  /// Returns the keys of some rows by their numbers, as far as they are known.
  func keys(_ range: Range<Int>, of rows: KeysetRows) throws -> [RowKey] {
    if let spool { return try spool.keys(range).map(rows.key) }
    return contents.withLock { contents in
      if range.upperBound > contents.count, let excerpt = contents.excerpts.first(where: { $0.range.contains(range.lowerBound) }) {
        return range.clamped(to: excerpt.range).map { .rowID(excerpt.ids[$0 - excerpt.first]) }
      }
      return range.clamped(to: 0..<contents.count).map { .rowID(contents.ids[$0]) }
    }
  }

  /// Returns the number of a row; nil where it has not been found.
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
