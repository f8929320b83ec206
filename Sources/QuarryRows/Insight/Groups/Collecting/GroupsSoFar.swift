internal import QuarryEngine
internal import Synchronization

/// The groups found so far, to which the threads that read the rows contribute from time to time.
///
/// The list of groups only grows, up to a limit. A contribution costs as much as the list is long, however many groups there are.
final class GroupsSoFar: Sendable {
  /// The contribution of a thread.
  private struct Part: Sendable {
    /// The listed groups with the values of the thread's rows.
    let groups: GroupTable
    /// The number of groups that the thread has found.
    let found: Int
    /// The number of rows that the thread has read.
    let rows: Int
  }

  private struct State: Sendable {
    /// The groups, in the order in which they were listed; their values are not used.
    let list: GroupTable
    /// The last contribution of each thread.
    var parts: [Part?] = []
    /// The threads that have not contributed since the last snapshot.
    var waiting: Set<Int> = []
    /// The time of the next snapshot.
    var next: ContinuousClock.Instant
  }

  private let state: Mutex<State>
  private let limit: Int
  private let interval: Duration

  /// The usual time between two snapshots.
  static let interval = Duration.milliseconds(250)
  /// The maximum number of listed groups without a pivot; with a pivot, that of their cells for each aggregate.
  private static let most = 2000
  private static let mostOfPivot = 100

  init(_ collection: GroupCollection, every interval: Duration) {
    self.interval = interval
    limit = max(Self.mostOfPivot, Self.most / collection.slotCount)
    state = Mutex(State(list: GroupTable(collection), next: .now + interval))
  }

  /// Returns the number of a new thread.
  func join() -> Int {
    state.withLock { state in
      state.parts.append(nil)
      state.waiting.insert(state.parts.count - 1)
      return state.parts.count - 1
    }
  }

  /// Returns whether a thread should contribute.
  func awaits(_ thread: Int) -> Bool {
    state.withLock { $0.waiting.contains(thread) || .now >= $0.next }
  }

  /// Takes the values of a thread's rows.
  ///
  /// - Throws: ``UncollectableGroups`` if the memory is full.
  func take(_ table: GroupTable, after rows: Int, from thread: Int) throws {
    try state.withLock { state in
      let groups = try table.excerpt(extending: state.list, upTo: limit)
      state.parts[thread] = Part(groups: groups, found: table.count, rows: rows)
      state.waiting.remove(thread)
    }
  }

  /// Returns the groups so far; nil if the last snapshot is too new, or there are none.
  func snapshot() -> RowsSoFar? {
    state.withLock { state in
      let parts = state.parts.compactMap(\.self)
      guard .now >= state.next, !parts.isEmpty else { return nil }
      state.next = .now + interval
      state.waiting = Set(state.parts.indices)
      let count = max(state.list.count, parts.map(\.found).max() ?? 0)
      return RowsSoFar(count: count, read: parts.reduce(0) { $0 + $1.rows }) {
        // The groups of the longest list are in its order.
        let tables = parts.map(\.groups).sorted { $0.count > $1.count }
        return try GroupTable.combining(tables).rows()
      }
    }
  }
}
