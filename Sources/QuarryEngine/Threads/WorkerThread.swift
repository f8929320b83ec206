#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A thread for work that blocks, which none of those that tasks share should do.
final class WorkerThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// The bytes of its stack, which libraries choose from 128 KB (musl) to 8 MB (glibc).
  private static let stackSize = 8 << 20

  private let isDone = Monitor(false)

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) {
    let isDone = isDone
    let work = Work {
      body()
      isDone.change { $0 = true }
    }
    let context = Unmanaged.passRetained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
        Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body()
        return nil
      }
    #else
      var thread = pthread_t()
      let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        if let context = $0 { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    defer { pthread_attr_destroy(&attributes) }
    let code = pthread_create(&thread, &attributes, run, context)
    precondition(code == 0, "no thread could be made: error \(code)")
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Waits until the work is done.
  func wait() {
    isDone.wait { $0 ? () : nil }
  }
}
