internal import Libc
internal import QuarryEngine

/// The system's limits on a process: where they are too low for the full screen, threads and queues would crash the program.
enum SystemLimits {
  /// The connections of one database, the terminal, and what queues and timers need.
  private static let descriptors = 40
  /// The stacks and the heaps of the threads, most of which is never touched.
  private static let addressSpace = 640 << 20

  /// Checks that the full screen can run.
  ///
  /// - Throws: `Failure` that says which limit is too low.
  static func checkForFullScreen() throws {
    raiseDescriptorLimit()
    guard canOpen(descriptors) else {
      throw Failure.refused(
        "the full screen opens up to \(descriptors) files at once, which `ulimit -n` does not allow: raise it, as by `ulimit -n 256`")
    }
    guard canReserveAddressSpace() else {
      throw Failure.refused(
        """
        the full screen reserves up to \(addressSpace >> 20) MB of addresses, which `ulimit -v` does not allow: raise it, \
        as by `ulimit -v unlimited`
        """
      )
    }
    do throws(ThreadError) { try checkThreads() } catch { throw Failure.refused("the full screen cannot run: \(error)") }
  }

  /// The descriptors that tasks, queues and timers need, and those that two connections may have opened before: a queue that gets none
  /// crashes the program.
  private static let descriptorsOfTasks = 8

  /// Checks that tasks can run.
  static func checkTasks() throws {
    guard canOpen(descriptorsOfTasks) else {
      throw Failure.refused("too few files can be opened at once for this: raise `ulimit -n`, as by `ulimit -n 256`")
    }
    try checkThreads()
  }

  /// Has all threads take their memory from one arena where the address space is limited: glibc reserves 64 MB of it for every other
  /// arena, and where Swift's own runtime finds no memory, it crashes the program.
  ///
  /// The corresponding C function is `mallopt`.
  static func saveAddressSpace() {
    #if canImport(Glibc)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < .max else { return }
      // The module of the C library leaves it out.
      guard let address = dlsym(nil, "mallopt") else { return }
      _ = unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)(greatestNumberOfArenas, 1)
    #endif
  }

  /// `M_ARENA_MAX`.
  private static let greatestNumberOfArenas: Int32 = -8

  private static func checkThreads() throws(ThreadError) {
    // Tasks use a thread for each processor; queues, timers and connections have their own.
    try WorkerThread.checkRoom(forThreads: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 4)
  }

  /// Raises the limit to what the system allows.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 1024, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(1024, limit.rlim_max)
    setrlimit(resource, &limit)
  }

  private static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    // Ends of pipes, since to close a descriptor of a file would release the locks on it.
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
