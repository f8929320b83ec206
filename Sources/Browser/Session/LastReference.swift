import QuarryEngine
import Synchronization

/// A value that may be the last reference to a connection.
///
/// Closing a connection can write a complete log into its file, and the thread of the main loop must not wait for that.
final class LastReference<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming Value) {
    self.value = Mutex(value)
  }

  /// Calls `body` with the value, unless the value has been dropped.
  func use(_ body: (borrowing Value) -> Void) {
    value.withLock { value in
      if let value { body(value) }
    }
  }

  /// Drops the value on another thread.
  ///
  /// The other thread takes the value out of this object, so that releasing the object in the meantime releases nothing else.
  func dropElsewhere() {
    Task.detached(executorPreference: TaskThreads.shared) {
      let value = self.value.withLock { value in
        defer { value = nil }
        return value
      }
      withExtendedLifetime(value) {}
    }
  }
}
