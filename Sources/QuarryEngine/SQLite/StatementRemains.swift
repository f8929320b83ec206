internal import CSQLite
internal import Synchronization

/// C statements whose owners were released while another thread used the connection; they wait for the next access to be finalized.
final class StatementRemains: Sendable {
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

  /// Finalizes all; the caller has the connection to itself.
  func finalizeAll() {
    guard count.load(ordering: .relaxed) > 0 else { return }
    state.withLock { state in
      for statement in state.statements { sqlite3_finalize(OpaquePointer(bitPattern: statement)) }
      count.subtract(state.statements.count, ordering: .relaxed)
      state.statements.removeAll()
    }
  }

  /// Takes no more from now on: closing the connection finalizes every statement that it has.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.statements.removeAll()
    }
  }
}
