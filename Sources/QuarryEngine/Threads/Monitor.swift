internal import Libc

/// A lock on a value, on whose changes threads can wait.
///
/// ```swift
/// let queue = Monitor<[Job]>([])
/// queue.change { $0.append(job) }
/// let job = queue.wait(upTo: .milliseconds(50)) { $0.popLast() }
/// ```
///
/// The corresponding C functions are `pthread_mutex_lock` and `pthread_cond_wait`.
package final class Monitor<Value>: @unchecked Sendable {
  // Sendable because the mutex guards the value.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // The limit is a duration, which must not depend on changes of the wall clock.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads the value.
  package func read<Result>(_ body: (Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// Changes the value, and wakes the waiting threads.
  @discardableResult
  package func change<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    // Outside the lock, so that a woken thread does not wait for it.
    defer { pthread_cond_broadcast(condition) }
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Waits until `body` returns a result; `body` may change the value.
  package func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
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

  /// Waits until `body` returns a result; nil if that takes longer than the limit.
  package func wait<Result>(upTo limit: Duration, _ body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let end = ContinuousClock.now + limit
    while true {
      if let result = body(&value) {
        pthread_cond_broadcast(condition)
        return result
      }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return nil }
      wait(atMost: left)
    }
  }

  /// Waits until the value changes, or for some time.
  private func wait(atMost limit: Duration) {
    var time = timespec()
    #if !canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    let (seconds, attoseconds) = limit.components
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(min(seconds, 1 << 31)) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    #if canImport(Darwin)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
