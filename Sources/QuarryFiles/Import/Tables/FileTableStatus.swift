internal import QuarryEngine

/// What is known of tables that are made of files, for those who do not make them.
package final class FileTableStatus: Sendable {
  package init() {}

  private struct State {
    var tables: [FileTable] = []
    var changeCount = 0
    var names: Set<String> = []
    var start = ContinuousClock.now
    var end: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastListener = 0
  }

  private let state = Monitor(State())

  /// The tables, in the order in which they were made.
  var tables: [FileTable] { state.read(\.tables) }

  /// How many times what is known of a table has changed.
  var changeCount: Int { state.read(\.changeCount) }

  /// Returns how far the reading of files has come.
  func progress(of loads: [FileLoad]) -> ImportProgress {
    let sizes = loads.map(\.byteCount)
    let bytes = loads.reduce(0) { $0 + $1.bytesRead }
    return state.read { state in
      ImportProgress(
        bytes: bytes, byteCount: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) },
        rows: state.tables.reduce(0) { $0 + $1.rows }, rejected: state.tables.reduce(0) { $0 + $1.rejected },
        elapsed: (state.end ?? .now) - state.start)
    }
  }

  /// Takes a name that no other table has.
  func takeName(_ name: String) -> String {
    state.change { state in
      let free = NumberedNames.free(name, among: state.names)
      state.names.insert(free.asciiLowercased)
      return free
    }
  }

  /// Adds a table, and returns its number.
  func add(_ table: FileTable) -> Int {
    state.change { state in
      state.tables.append(table)
      return state.tables.count - 1
    }
  }

  /// Changes what is known of a table.
  func change(_ index: Int, _ body: (inout FileTable) -> Void) {
    state.change { state in
      state.changeCount += 1
      body(&state.tables[index])
    }
  }

  /// Notes that the reading has ended.
  package func end() {
    state.change { $0.end = .now }
    notify()
  }

  /// Returns an element at once, and another one after each change; several changes that nobody has waited for make one.
  package func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.change { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = continuation
        return state.lastListener
      }
      continuation.onTermination = { [state] _ in state.change { _ = $0.listeners.removeValue(forKey: number) } }
      // The last change may have come before anybody listened.
      continuation.yield()
    }
  }

  func notify() {
    for listener in state.read(\.listeners).values { listener.yield() }
  }
}
