internal import Synchronization

/// The statements of a connection that may be asked for again, by their SQL; no more than so many.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: Int
  }

  /// The greatest number of statements that are kept.
  static let capacity = 64

  private var entries: [String: Entry] = [:]
  private var clock = 0

  /// Returns the statement of that SQL; nil where there is none, or it is being stepped.
  mutating func statement(_ sql: String) -> Statement? {
    guard let entry = entries[sql], !entry.statement.isRunning else { return nil }
    clock += 1
    entries[sql]?.lastUse = clock
    return entry.statement
  }

  /// Keeps `statement`, where none of that SQL is kept, in the place of the one that was not used for longest.
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

/// C statements whose owners were released while another thread used the connection; they wait for the next access to be finalized.
final class PendingFinalizations: Sendable {
  private struct State {
    /// Addresses, since pointers may not be shared.
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

  /// Takes all out, to be finalized by a caller who has the connection to itself.
  func drain() -> [OpaquePointer] {
    guard count.load(ordering: .relaxed) > 0 else { return [] }
    let addresses = state.withLock { state in
      defer { state.statements.removeAll() }
      count.subtract(state.statements.count, ordering: .relaxed)
      return state.statements
    }
    return addresses.compactMap { OpaquePointer(bitPattern: $0) }
  }

  /// Takes no more from now on: closing the connection finalizes every statement that it has.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.statements.removeAll()
    }
  }
}
