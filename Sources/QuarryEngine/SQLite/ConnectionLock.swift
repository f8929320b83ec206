internal import CSQLite
internal import Libc
internal import Synchronization

/// A lock that serializes the use of a connection, and records the thread that holds it.
///
/// It is not `Mutex`, whose closure may only return sendable values. Here the caller's own thread enters, and leaves with the values it has
/// read.
final class ConnectionLock: @unchecked Sendable {
  // Sendable because the mutex never moves and may be shared by threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let owner = Atomic<UInt>(0)

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Whether the calling thread holds the lock.
  @inline(__always)
  var isHeldByThisThread: Bool {
    owner.load(ordering: .relaxed) == Self.thisThread
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    owner.store(Self.thisThread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  @inline(__always)
  private static var thisThread: UInt { UInt(quarry_this_thread()) }
}
