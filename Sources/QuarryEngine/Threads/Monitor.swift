#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A lock on a value that threads wait for to change.
///
/// ```swift
/// let queue = Monitor<[Job]>([])
/// queue.change { $0.append(job) }
/// let job = queue.wait(upTo: .milliseconds(50)) { $0.popLast() }
/// ```
///
/// The corresponding C functions are `pthread_mutex_lock` and `pthread_cond_wait`.
final class Monitor<Value>: @unchecked Sendable {
  // Sendable because the mutex guards the value.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads the value.
  func read<Result>(_ body: (Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// Changes the value, and wakes those who wait for it.
  @discardableResult
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    defer { pthread_cond_broadcast(condition) }
    return body(&value)
  }

  /// Waits until `body` returns something, which may have changed the value.
  func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) {
        pthread_cond_broadcast(condition)
        return result
      }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits until `body` returns something; nil where that takes longer than the limit.
  func wait<Result>(upTo limit: Duration, _ body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var end = Self.time(after: limit)
    while true {
      if let result = body(&value) {
        pthread_cond_broadcast(condition)
        return result
      }
      if pthread_cond_timedwait(condition, mutex, &end) != 0 { return nil }
    }
  }

  private static func time(after limit: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = now.tv_nsec + Int(limit / .nanoseconds(1))
    now.tv_sec += nanoseconds / 1_000_000_000
    now.tv_nsec = nanoseconds % 1_000_000_000
    return now
  }
}
