internal import Libc
internal import QuarryEngine

/// The system's limits of a process.
///
/// If they are too low for the full screen, threads and queues would crash the program.
enum SystemLimits {
  /// The number of descriptors for the connections of one database, the terminal, queues and timers.
  private static let descriptors = 40
  /// The address space for the stacks and heaps of the threads in bytes, most of which is never used.
  private static let addressSpace = 640 << 20

  /// The number of connections that run at once, each of which has a thread.
  private static let connections = 4

  /// Checks that the full screen can run.
  ///
  /// - Throws: `Failure` with the limit that is too low.
  static func checkForFullScreen() throws {
    raiseDescriptorLimit()
    guard canOpen(descriptors) else {
      throw Failure.refused(
        """
        the full screen opens up to \(descriptors) files at once, which `ulimit -n` does not allow: raise it, \
        for example with `ulimit -n 256`
        """
      )
    }
    guard canReserveAddressSpace() else {
      throw Failure.refused(
        """
        the full screen reserves up to \(addressSpace >> 20) MB of addresses, which `ulimit -v` does not allow: raise it, \
        for example with `ulimit -v unlimited`
        """
      )
    }
    do throws(ThreadError) { try checkThreads() } catch { throw Failure.refused("the full screen cannot run: \(error)") }
  }

  /// The number of descriptors for tasks, queues and timers, and for two connections.
  ///
  /// A queue without a descriptor crashes the program.
  private static let descriptorsOfTasks = 8

  /// Checks that tasks can run.
  static func checkTasks() throws {
    guard canOpen(descriptorsOfTasks) else {
      throw Failure.refused("too few files can be opened at once for this: raise the limit, for example with `ulimit -n 256`")
    }
    try checkThreads()
  }

  /// Makes all threads use one memory arena if the address space is limited.
  ///
  /// glibc reserves 64 MB of address space for every other arena. If Swift's runtime gets no memory, it crashes the program.
  ///
  /// The corresponding C function is `mallopt`.
  static func saveAddressSpace() {
    #if canImport(Glibc)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < .max else { return }
      // The module of the C library does not contain it.
      guard let address = dlsym(nil, "mallopt") else { return }
      _ = unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)(greatestNumberOfArenas, 1)
    #endif
  }

  /// `M_ARENA_MAX`.
  private static let greatestNumberOfArenas: Int32 = -8

  private static func checkThreads() throws(ThreadError) {
    try TaskThreads.start()
    try WorkerThread.checkRoom(forThreads: connections)
  }

  /// Raises the limit up to the system's maximum.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 1024, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(1024, limit.rlim_max)
    setrlimit(resource, &limit)
  }

  private static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    // Pipes, because closing a descriptor of a file would release the locks on it.
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return false }
      opened += ends
    }
    return true
  }

  private static func canReserveAddressSpace() -> Bool {
    guard let start = mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED else { return false }
    munmap(start, addressSpace)
    return true
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
