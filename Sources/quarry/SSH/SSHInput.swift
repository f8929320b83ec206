internal import Libc
internal import QuarryEngine
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Standard input of a verb that ssh has started: frames, of which the data becomes its standard input, and an interrupt a signal.
///
/// What ends without saying so was cut: then the verb is hung up on, as by a terminal that goes, and the end of its data is never
/// reached, so that half a file is not taken for a whole one.
enum SSHInput {
  /// The frames, and the pipe to what is standard input from now on.
  private struct Pump {
    let frames: Int32
    let data: Int32
    var received: ArraySlice<UInt8>
    var unwritten: ArraySlice<UInt8> = []
    var hasEnd = false
    var isDataClosed = false
    var isCut = false
  }

  /// What waits for its reader; more is not taken from ssh meanwhile.
  private static let capacity = 8 << 20

  /// Reads the request, and leaves what follows it to a thread.
  ///
  /// - Throws: `Failure` where there is none.
  static func readRequest() throws -> Data {
    var received: ArraySlice<UInt8> = []
    while true {
      if let frame = try? SSHFrame.take(from: &received) {
        guard frame.kind == .request else { break }
        try start(received)
        return Data(frame.payload)
      }
      guard let bytes = read(STDIN_FILENO), !bytes.isEmpty else { break }
      received += bytes
    }
    throw Failure(status: .interrupted, message: nil)
  }

  private static func start(_ received: ArraySlice<UInt8>) throws {
    var ends: [Int32] = [-1, -1]
    let frames = dup(STDIN_FILENO)
    guard frames >= 0, pipe(&ends) == 0, dup2(ends[0], STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("standard input cannot be read: \(SystemError(code: errno))")
    }
    close(ends[0])
    for end in [frames, ends[1]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    pump.withLock { [ends] in $0 = Pump(frames: frames, data: ends[1], received: received) }
    // The signals that the thread sends are for the others.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    _ = try WorkerThread { SSHInput.run() }
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
      while pump.unwritten.count < capacity, let frame = try SSHFrame.take(from: &pump.received) {
        switch frame.kind {
        case .data: if !pump.isDataClosed { pump.unwritten += frame.payload }
        case .end: pump.hasEnd = true
        case .interrupt: kill(getpid(), SIGINT)
        case .request: pump.isCut = true
        }
      }
    } catch {
      pump.isCut = true
    }
  }

  /// Writes what the pipe takes, and closes it after the last.
  private static func write(_ pump: inout Pump) {
    while !pump.isDataClosed, !pump.unwritten.isEmpty {
      let result = pump.unwritten.withUnsafeBytes { Descriptor.write($0, to: pump.data) }
      switch result {
      case .success(let count): pump.unwritten = pump.unwritten.dropFirst(count)
      case .failure(let error) where error.code == EAGAIN || error.code == EINTR: return
      case .failure: closeData(&pump)
      }
    }
    if pump.hasEnd, !pump.isDataClosed { closeData(&pump) }
  }

  private static func closeData(_ pump: inout Pump) {
    close(pump.data)
    (pump.isDataClosed, pump.unwritten) = (true, [])
  }

  /// Waits for frames, for room in the pipe, and for the end of the connection, which closes both outputs.
  private static func wait(_ pump: inout Pump) {
    let wantsFrames = pump.unwritten.count < capacity
    var events = [
      pollfd(fd: wantsFrames ? pump.frames : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pump.unwritten.isEmpty ? -1 : pump.data, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0), pollfd(fd: STDERR_FILENO, events: 0, revents: 0),
    ]
    // An output that its reader has closed is reported at once, again and again: the other one is then asked now and then.
    guard poll(&events, nfds_t(events.count), -1) > 0 else { return }
    if events[2].revents != 0, events[3].revents != 0 { return pump.isCut = true }
    if events[0].revents != 0 {
      guard let bytes = read(pump.frames), !bytes.isEmpty else { return pump.isCut = true }
      pump.received += bytes
    } else if events[2].revents != 0 || events[3].revents != 0, events[1].revents == 0 {
      usleep(100_000)
    }
  }

  /// Reads what is there; nil where that fails.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count >= 0 { return Array(chunk[..<count]) }
      if errno != EINTR { return nil }
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
