internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The bytes of a file, a pipe or a device, read sequentially.
///
/// A regular file is read with `pread` up to its size when it was opened. It is not memory-mapped, because truncation by another program
/// would end this program by `SIGBUS`. One thread reads. Any thread may cancel.
package final class ByteSource: @unchecked Sendable {
  // Sendable because only the reading thread changes its state. `isCancelled` and the pipe are thread-safe.

  /// The path as given, or `-` for standard input.
  let path: String
  /// The size of a regular file when it was opened, or nil for any other.
  let byteCount: Int?
  /// Whether the source is a file whose bytes can be read again.
  let isPlainFile: Bool
  /// The number of bytes read from the file.
  private(set) var offset = 0

  private let file: OpenFile
  /// The start offset in a regular file, because standard input may have been partly read.
  private let start: Int
  /// The version of a regular file, which differs after a write or a replacement.
  let version: FileVersion
  /// The maximum number of bytes of one read.
  private let chunkLength: Int
  private let isCancelled = Atomic(false)
  /// A pipe that wakes a thread waiting for input.
  private let wake: (read: Int32, write: Int32)
  /// The bytes read ahead by ``peek(_:)``.
  private var head: [UInt8] = []
  private var headUsed = 0
  private var isAtEnd = false

  /// Opens a file, or standard input for `-`.
  ///
  /// - Parameter chunkLength: The maximum number of bytes of one read.
  /// - Throws: ``FileReadError``
  package convenience init(path: String, chunkLength: Int = .max) throws(FileReadError) {
    guard path != "-" else {
      // Duplicate the descriptor, so that the data remains available when the keyboard replaces standard input.
      let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      guard input >= 0 else { throw FileReadError(kind: .system(errno), path: path) }
      try self.init(OpenFile(owning: input), path: path, isShared: true, chunkLength: chunkLength)
      return
    }
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(path, .readingAtOnce)
    } catch {
      throw FileReadError(kind: [ENOENT, ENOTDIR].contains(error.code) ? .noSuchFile : .system(error.code), path: path)
    }
    try self.init(file, path: path, isShared: false, chunkLength: chunkLength)
  }

  private init(_ file: OpenFile, path: String, isShared: Bool, chunkLength: Int) throws(FileReadError) {
    (self.file, self.path, self.chunkLength) = (file, path, chunkLength)
    let descriptor = file.descriptor
    var status = stat()
    var ends: [Int32] = [-1, -1]
    var failure: FileReadError.Kind?
    if fstat(descriptor, &status) != 0 || pipe(&ends) != 0 { failure = .system(errno) }
    if status.st_mode & S_IFMT == S_IFDIR { failure = .isFolder }
    wake = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    version = FileVersion(status)
    // The files of /proc are regular, and have a size of 0 regardless of their contents.
    isPlainFile = status.st_mode & S_IFMT == S_IFREG
    let hasSize = isPlainFile && status.st_size > 0
    start = hasSize && isShared ? max(0, Int(lseek(descriptor, 0, SEEK_CUR))) : 0
    byteCount = hasSize ? max(0, Int(status.st_size) - start) : nil
    if let failure { throw FileReadError(kind: failure, path: path) }
  }

  private var descriptor: Int32 { file.descriptor }

  deinit {
    if wake.read >= 0 { close(wake.read) }
    if wake.write >= 0 { close(wake.write) }
  }

  /// Whether ``cancel()`` was called.
  var hasBeenCancelled: Bool { isCancelled.load(ordering: .acquiring) }

  /// Makes ``read(into:)`` throw `CancellationError`, even while it waits.
  package func cancel() {
    isCancelled.store(true, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wake.write, &byte, 1)
  }

  /// Reads available bytes and returns their number, or 0 at the end.
  ///
  /// - Throws: ``FileReadError`` if the system reports an error, or a regular file has changed since it was opened. `CancellationError`
  ///   after ``cancel()``.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    if headUsed < head.count {
      let count = min(room.count, head.count - headUsed)
      room.copyBytes(from: head[headUsed..<headUsed + count])
      headUsed += count
      return count
    }
    return try readFile(into: room)
  }

  /// Waits until bytes or the end can be read, and returns whether they can.
  ///
  /// Returns true at once for a regular file.
  func hasMore(within limit: Duration) -> Bool {
    guard byteCount == nil, headUsed == head.count, !isAtEnd else { return true }
    var waited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
    return poll(&waited, 2, Int32(limit / .milliseconds(1))) != 0
  }

  /// Returns the next `count` bytes, or fewer at the end of the file, without consuming them.
  ///
  /// - Throws: The errors of ``read(into:)``.
  package func peek(_ count: Int) throws -> [UInt8] {
    while head.count - headUsed < count {
      let wanted = count - (head.count - headUsed)
      let bytes = try withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 1) { room in
        Array(UnsafeRawBufferPointer(rebasing: room[..<(try readFile(into: room))]))
      }
      if bytes.isEmpty { break }
      head += bytes
    }
    return Array(head[headUsed...].prefix(count))
  }

  private func readFile(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
    guard !isAtEnd, let address = room.baseAddress, room.count > 0 else { return 0 }
    let most = min(room.count, chunkLength)
    let count = try byteCount.map { try readPlainFile(address, min(most, $0 - offset)) } ?? readStream(address, most)
    if count == 0 { isAtEnd = true }
    offset += count
    return count
  }

  private func readPlainFile(_ address: UnsafeMutableRawPointer, _ count: Int) throws -> Int {
    let read = count > 0 ? try retry { pread(descriptor, address, count, off_t(start + offset)) } : 0
    if read == 0 { try checkUnchanged() }
    return read
  }

  private func readStream(_ address: UnsafeMutableRawPointer, _ count: Int) throws -> Int {
    while true {
      var waited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
      _ = try retry { Int(poll(&waited, 2, -1)) }
      if waited[1].revents != 0 { throw CancellationError() }
      let read = Libc.read(descriptor, address, count)
      if read >= 0 { return read }
      guard errno == EAGAIN || errno == EINTR else { throw FileReadError(kind: .system(errno), path: path) }
    }
  }

  private func retry(_ call: () -> Int) throws -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw FileReadError(kind: .system(errno), path: path) }
    }
  }

  private func checkUnchanged() throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileReadError(kind: .system(errno), path: path) }
    let now = FileVersion(status)
    if now != version { throw FileReadError(kind: .changed(from: version.size, to: now.size), path: path) }
  }
}

/// The version of a regular file, which differs after a write or a replacement.
struct FileVersion: Equatable {
  let size: Int
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    number = UInt64(status.st_ino)
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }
}
