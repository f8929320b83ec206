internal import Libc

/// The error of a thread that cannot be started, because of a limit on the program's threads or address space.
package struct ThreadError: Error, Hashable, CustomStringConvertible {
  /// The system's error number.
  package let code: Int32

  /// The reason and a remedy.
  package var description: String {
    "no thread can be started (\(String(cString: strerror(code)))): raise the limits of `ulimit -u` and `ulimit -v`"
  }
}

/// A thread for blocking work, which must not run on threads shared by tasks.
package final class WorkerThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// The size of its stack in bytes; the defaults of libraries vary from 128 KB (musl) to 8 MB (glibc).
  private static let stackSize = 8 << 20

  private let isDone = Monitor(false)

  /// Starts the thread.
  ///
  /// The corresponding C function is `pthread_create`.
  package init(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
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
    guard code == 0 else {
      Unmanaged<Work>.fromOpaque(context).release()
      throw ThreadError(code: code)
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Checks that `count` more threads can run at once.
  package static func checkRoom(forThreads count: Int) throws(ThreadError) {
    let mayEnd = Monitor(false)
    defer { mayEnd.change { $0 = true } }
    for _ in 0..<count { _ = try WorkerThread { mayEnd.wait { $0 ? () : nil } } }
  }

  /// Waits until the work is done.
  package func wait() {
    isDone.wait { $0 ? () : nil }
  }
}
