#if canImport(Glibc)
  import Glibc
  import QuarryEngine
  import Synchronization
  import Testing

  /// Calls of the C library that Swift does not import.
  private typealias SetDefault = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
  private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

  extension ExitTests {
    @Suite struct WorkerThreadTests {
      @Test func `a worker thread has a stack of 8 MB, whatever the C library chooses`() async {
        await #expect(processExitsWith: .success) {
          let setDefault = unsafeBitCast(try #require(dlsym(nil, "pthread_setattr_default_np")), to: SetDefault.self)
          let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
          pthread_attr_init(attributes)
          pthread_attr_setstacksize(attributes, 256 << 10)
          #expect(setDefault(attributes) == 0)
          let size = Mutex(0)
          let (isDone, done) = AsyncStream.makeStream(of: Void.self)
          let getAttributes = unsafeBitCast(try #require(dlsym(nil, "pthread_getattr_np")), to: GetAttributes.self)
          _ = try WorkerThread {
            let own = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
            var bytes = 0
            _ = getAttributes(pthread_self(), own)
            pthread_attr_getstacksize(own, &bytes)
            size.withLock { $0 = bytes }
            done.finish()
          }
          for await _ in isDone {}
          #expect(size.withLock(\.self) >= 8 << 20)
        }
      }
    }
  }
#endif
