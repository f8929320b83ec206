internal import Synchronization

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
  func takeAll() -> [OpaquePointer] {
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
