internal import Synchronization

/// A bounded cache of a connection's statements, by their SQL.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: Int
  }

  /// The maximum number of cached statements.
  static let capacity = 64

  private var entries: [String: Entry] = [:]
  private var clock = 0

  /// Returns the cached statement of this SQL; nil if it is not cached, or if it is being stepped.
  mutating func statement(_ sql: String) -> Statement? {
    guard let entry = entries[sql], !entry.statement.isRunning else { return nil }
    clock += 1
    entries[sql]?.lastUse = clock
    return entry.statement
  }

  /// Caches `statement` unless its SQL is already cached, and evicts the least recently used statement if necessary.
  mutating func insert(_ statement: Statement, for sql: String) {
    guard entries[sql] == nil else { return }
    if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    clock += 1
    entries[sql] = Entry(statement: statement, lastUse: clock)
    statement.cacheKey = sql
  }

  mutating func remove(_ statement: Statement) {
    guard let key = statement.cacheKey, entries[key]?.statement === statement else { return }
    entries[key] = nil
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}

/// C statements whose owners were released while another thread used the connection; the next access finalizes them.
final class PendingFinalizations: Sendable {
  private struct State {
    /// Addresses, because pointers may not be shared.
    var statements: [UInt] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let count = Atomic<Int>(0)

  func add(_ statement: OpaquePointer) {
    let address = UInt(bitPattern: statement)
    state.withLock { state in
      guard !state.isClosed else { return }
      state.statements.append(address)
      count.add(1, ordering: .relaxed)
    }
  }

  /// Removes and returns all statements, for a caller with exclusive use of the connection to finalize.
  func drain() -> [OpaquePointer] {
    guard count.load(ordering: .relaxed) > 0 else { return [] }
    let addresses = state.withLock { state in
      defer { state.statements.removeAll() }
      count.subtract(state.statements.count, ordering: .relaxed)
      return state.statements
    }
    return addresses.compactMap { OpaquePointer(bitPattern: $0) }
  }

  /// Accepts no more statements, because closing the connection finalizes all of them.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.statements.removeAll()
    }
  }
}
