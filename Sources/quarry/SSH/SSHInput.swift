internal import Essentials
internal import Libc
internal import QuarryEngine
internal import Synchronization

/// Standard input of a verb that ssh has started: frames, of which the data becomes its standard input, and an interrupt a signal.
///
/// What ends without saying so was cut: then the verb is hung up on, as by a terminal that goes, and the end of its data is never
/// reached, so that half a file is not taken for a whole one. Several files to import are standard input one after the other.
enum SSHInput {
  /// The frames, and the pipe to what is standard input from now on.
  private struct Pump {
    let frames: Int32
    /// The pipe; nil once its reader has gone, or after the end of the last source.
    var data: Int32?
    var received: ArraySlice<UInt8>
    /// What has come of the source in the pipe and of those after it, and waits.
    var sources = [Source()]
    /// How many sources come after the one in the pipe.
    var laterCount: Int
    var isCut = false

    /// The number of bytes that wait.
    var waitingCount: Int { sources.reduce(0) { $0 + $1.unwritten.count } }
  }

  /// A source of which not all is in the pipe yet.
  private struct Source {
    var unwritten: ArraySlice<UInt8> = []
    var hasEnd = false
  }

  /// What waits for its reader; more is not taken from ssh meanwhile.
  private static let capacity = 8 << 20

  /// Reads the request, and leaves what follows it to a thread.
  ///
  /// - Returns: The request; nil for what is none.
  /// - Throws: `Failure` where nothing comes.
  static func readRequest() throws -> SSHRequest? {
    var received: ArraySlice<UInt8> = []
    while true {
      if let frame = try? SSHFrame.take(from: &received) {
        guard frame.kind == .request else { break }
        guard let request = try? SSHRequest(json: Data(frame.payload)) else { return nil }
        try start(received, sourceCount: request.sourceCount ?? 1)
        return request
      }
      guard let bytes = Descriptor.readPart(STDIN_FILENO), !bytes.isEmpty else { break }
      received += bytes
    }
    throw Failure(status: .interrupted, message: nil)
  }

  private static func start(_ received: ArraySlice<UInt8>, sourceCount: Int) throws {
    let frames = dup(STDIN_FILENO)
    guard frames >= 0, let ends = makePipe(), dup2(ends.read, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("standard input cannot be read: \(SystemError(code: errno))")
    }
    close(ends.read)
    _ = fcntl(frames, F_SETFD, FD_CLOEXEC)
    pump.withLock { $0 = Pump(frames: frames, data: ends.write, received: received, laterCount: sourceCount - 1) }
    // The signals that the thread sends are for the others.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    _ = try WorkerThread { SSHInput.run() }
  }

  /// Makes a pipe whose writer does not wait; nil where the system has none left.
  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  /// The pipes of the next sources, each made once all of the one before it is in its own.
  private static let next = Monitor<[Int32]>([])

  /// Makes the next source standard input, after all of the one before it.
  ///
  /// - Throws: `Failure` where that is not possible.
  static func beginNextSource() throws {
    while let rest = Descriptor.readPart(STDIN_FILENO), !rest.isEmpty {}
    let source = next.wait { $0.isEmpty ? nil : $0.removeFirst() }
    defer { close(source) }
    guard dup2(source, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("standard input cannot be read: \(SystemError(code: errno))")
    }
  }

  /// What the thread begins with.
  private static let pump = Mutex<Pump?>(nil)

  private static func run() {
    guard var pump = pump.withLock(\.self) else { return }
    while !pump.isCut {
      take(&pump)
      write(&pump)
      wait(&pump)
    }
    kill(getpid(), SIGHUP)
  }

  /// Takes the frames that are whole.
  private static func take(_ pump: inout Pump) {
    do {
      while pump.waitingCount < capacity, let frame = try SSHFrame.take(from: &pump.received) {
        let last = pump.sources.count - 1
        switch frame.kind {
        // Of a source whose reader has gone nothing is kept.
        case .data: if last > 0 || pump.data != nil { pump.sources[last].unwritten += frame.payload }
        case .end:
          pump.sources[last].hasEnd = true
          pump.sources.append(Source())
        case .interrupt: kill(getpid(), SIGINT)
        case .request: pump.isCut = true
        }
      }
    } catch {
      pump.isCut = true
    }
  }

  /// Writes what the pipe takes, and closes it after the last byte of its source; then the next one gets its pipe.
  private static func write(_ pump: inout Pump) {
    repeat {
      while let data = pump.data, !pump.sources[0].unwritten.isEmpty {
        switch pump.sources[0].unwritten.withUnsafeBytes({ Descriptor.write($0, to: data) }) {
        case .success(let count): pump.sources[0].unwritten = pump.sources[0].unwritten.dropFirst(count)
        case .failure(let error) where error.code == EAGAIN || error.code == EINTR: return
        case .failure: closeData(&pump)
        }
      }
    } while pump.sources[0].hasEnd && beginSource(&pump)
  }

  private static func closeData(_ pump: inout Pump) {
    if let data = pump.data { close(data) }
    (pump.data, pump.sources[0].unwritten) = (nil, [])
  }

  /// Ends the source in the pipe, and makes the pipe of the next one; returns whether there is one.
  private static func beginSource(_ pump: inout Pump) -> Bool {
    closeData(&pump)
    pump.sources.removeFirst()
    guard pump.laterCount > 0 else { return false }
    pump.laterCount -= 1
    guard let ends = makePipe() else {
      pump.isCut = true
      return false
    }
    pump.data = ends.write
    next.change { $0.append(ends.read) }
    return true
  }

  /// Waits for frames, for room in the pipe, and for the end of the connection, which closes both outputs.
  private static func wait(_ pump: inout Pump) {
    let wantsFrames = pump.waitingCount < capacity
    let isDataWaiting = pump.data != nil && !pump.sources[0].unwritten.isEmpty
    var events = [
      pollfd(fd: wantsFrames ? pump.frames : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isDataWaiting ? pump.data ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0), pollfd(fd: STDERR_FILENO, events: 0, revents: 0),
    ]
    // An output that its reader has closed is reported at once, again and again: the other one is then asked now and then.
    guard poll(&events, nfds_t(events.count), -1) > 0 else { return }
    if events[2].revents != 0, events[3].revents != 0 { return pump.isCut = true }
    if events[0].revents != 0 {
      guard let bytes = Descriptor.readPart(pump.frames), !bytes.isEmpty else { return pump.isCut = true }
      pump.received += bytes
    } else if events[2].revents != 0 || events[3].revents != 0, events[1].revents == 0 {
      usleep(100_000)
    }
  }
}
