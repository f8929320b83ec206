internal import Essentials
internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The standard input of a remote verb started by ssh: frames with the data of its standard input, and interrupts.
///
/// If the connection ends without a final frame, the verb is hung up like by a closed terminal. It never reaches the end of its data, so
/// that half a file is not read as a complete one. Several files to import become standard input one after another.
enum SSHInput {
  /// The source of frames, and the pipe that has become standard input.
  private struct Pump {
    let frames: Int32
    /// The pipe, or nil after its reader is gone or the last source has ended.
    var data: Int32?
    var received: ArraySlice<UInt8>
    /// The received data of the source in the pipe and of later sources that has not been written yet.
    var sources = [Source()]
    /// The number of sources after the one in the pipe.
    var laterCount: Int
    var isCut = false

    /// The number of bytes that have not been written yet.
    var waitingCount: Int { sources.reduce(0) { $0 + $1.unwritten.count } }
  }

  /// A source that has not been written to the pipe completely.
  private struct Source {
    var unwritten: ArraySlice<UInt8> = []
    var hasEnd = false
  }

  /// The maximum number of unwritten bytes.
  ///
  /// Beyond it, no more frames are read from ssh.
  private static let capacity = 8 << 20

  /// Reads the request and starts a thread for the following frames.
  ///
  /// - Returns: The request, or nil if it is malformed.
  /// - Throws: `Failure` if no request arrives.
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
    // Other threads must receive the signals that this thread sends.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    _ = try WorkerThread { SSHInput.run() }
  }

  /// Creates a pipe with a nonblocking writer, or returns nil if the system has none left.
  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  /// The pipes of the next sources.
  ///
  /// Each is created when the previous source has been written completely.
  private static let next = Monitor<[Int32]>([])

  /// Makes the next source standard input, after skipping the rest of the previous one.
  ///
  /// - Throws: `Failure` if that is not possible.
  static func beginNextSource() throws {
    while let rest = Descriptor.readPart(STDIN_FILENO), !rest.isEmpty {}
    let source = next.wait { $0.isEmpty ? nil : $0.removeFirst() }
    defer { close(source) }
    guard dup2(source, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("standard input cannot be read: \(SystemError(code: errno))")
    }
  }

  /// The initial state of the thread.
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

  /// Takes complete frames.
  private static func take(_ pump: inout Pump) {
    do {
      while pump.waitingCount < capacity, let frame = try SSHFrame.take(from: &pump.received) {
        let last = pump.sources.count - 1
        switch frame.kind {
        // Discard the data of a source whose reader is gone.
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

  /// Writes as much as the pipe accepts.
  ///
  /// Closes the pipe after the last byte of its source, and then begins the next source.
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

  /// Ends the source in the pipe and creates the pipe of the next one.
  ///
  /// Returns whether there is one.
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
    // poll reports an output closed by its reader at once every time, so pause before the other one is polled again.
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
