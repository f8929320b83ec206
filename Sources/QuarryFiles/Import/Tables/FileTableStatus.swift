internal import QuarryEngine

/// The shared status of the tables loaded from files.
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

  /// The tables, in the order of their creation.
  var tables: [FileTable] { state.read(\.tables) }

  /// The number of changes of the table descriptions.
  var changeCount: Int { state.read(\.changeCount) }

  /// Returns the progress of reading files.
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

  /// Reserves a unique table name.
  func takeName(_ name: String) -> String {
    state.change { state in
      let free = NumberedNames.free(name, among: state.names)
      state.names.insert(free.asciiLowercased)
      return free
    }
  }

  /// Adds a table, and returns its index.
  func add(_ table: FileTable) -> Int {
    state.change { state in
      state.tables.append(table)
      return state.tables.count - 1
    }
  }

  /// Changes the description of a table.
  func change(_ index: Int, _ body: (inout FileTable) -> Void) {
    state.change { state in
      state.changeCount += 1
      body(&state.tables[index])
    }
  }

  /// Notes that reading has ended.
  package func end() {
    state.change { $0.end = .now }
    notify()
  }

  /// Returns a stream with an immediate element, and another one after each change.
  ///
  /// Several changes between two reads of the stream are combined.
  package func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.change { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = continuation
        return state.lastListener
      }
      continuation.onTermination = { [state] _ in state.change { _ = $0.listeners.removeValue(forKey: number) } }
      // The last change may have been made before the stream was created.
      continuation.yield()
    }
  }

  func notify() {
    for listener in state.read(\.listeners).values { listener.yield() }
  }
}
