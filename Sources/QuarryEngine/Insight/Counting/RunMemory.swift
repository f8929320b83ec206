internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Bytes that are written once and then only read: in memory, or in a temporary file that is mapped.
final class RunMemory: @unchecked Sendable {
  // Sendable because nothing changes the bytes after they have been put there.
  let bytes: UnsafeRawBufferPointer
  /// Whether the bytes are those of a file, so that the system can read them again.
  private let isMapped: Bool

  /// Puts parts into memory one after the other.
  ///
  /// The memory is the system's own, so that all of it is given back.
  ///
  /// - Throws: `SQLITE_NOMEM`
  init(copying parts: [UnsafeRawBufferPointer]) throws {
    let count = parts.reduce(0) { $0 + $1.count }
    let region = try Self.map(count: count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, file: -1, offset: 0)
    var offset = 0
    for part in parts where part.count > 0 {
      UnsafeMutableRawBufferPointer(rebasing: region[offset...]).copyMemory(from: part)
      offset += part.count
    }
    bytes = UnsafeRawBufferPointer(region)
    isMapped = false
  }

  /// Lends a part of a file.
  fileprivate init(file: Int32, offset: Int, count: Int) throws {
    bytes = UnsafeRawBufferPointer(try Self.map(count: count, PROT_READ, MAP_SHARED, file: file, offset: offset))
    isMapped = true
  }

  /// Gives the memory of bytes that are in a file back to the system, which reads them again where they are looked at.
  ///
  /// The corresponding C function is `madvise`.
  func release() {
    guard isMapped, let start = bytes.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, MADV_DONTNEED)
  }

  deinit {
    if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
  }

  private static func map(
    count: Int, _ protection: Int32, _ flags: Int32, file: Int32, offset: Int
  ) throws -> UnsafeMutableRawBufferPointer {
    guard count > 0 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    guard let start = mmap(nil, count, protection, flags, file, off_t(offset)), start != MAP_FAILED else {
      throw DatabaseError(DatabaseError.SQLITE_NOMEM)
    }
    return UnsafeMutableRawBufferPointer(start: start, count: count)
  }
}

/// Where the runs of a count are kept: in memory up to a limit, beyond that in a temporary file, which goes with it.
final class RunStore: Sendable {
  /// How many bytes are kept in memory.
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var kept = 0
    var file: Int32?
    var fileSize = 0
  }

  init(limit: Int) {
    self.limit = limit
  }

  deinit {
    if let file = state.withLock(\.file) { close(file) }
  }

  /// Keeps parts one after the other.
  ///
  /// - Throws: `SQLITE_FULL` where the disk has no room for them, `SQLITE_CANTOPEN` where no temporary file can be made, `SQLITE_NOMEM`.
  func keep(_ parts: [UnsafeRawBufferPointer]) throws -> RunMemory {
    let count = parts.reduce(0) { $0 + $1.count }
    let fits = state.withLock { state in
      guard state.kept + count <= limit else { return false }
      state.kept += count
      return true
    }
    return fits ? try RunMemory(copying: parts) : try spill(parts, count)
  }

  private func spill(_ parts: [UnsafeRawBufferPointer], _ count: Int) throws -> RunMemory {
    guard count > 0 else { return try RunMemory(copying: []) }
    let (file, offset) = try state.withLock { state in
      let file = try state.file ?? Self.makeFile()
      defer { state.fileSize += (count + Self.pageSize - 1) / Self.pageSize * Self.pageSize }
      state.file = file
      return (file, state.fileSize)
    }
    var end = offset
    for part in parts {
      try Self.write(part, to: file, at: end)
      end += part.count
    }
    return try RunMemory(file: file, offset: offset, count: count)
  }

  /// The number of bytes that are written at a time.
  ///
  /// Linux keeps what is written at once as one piece in its cache, and maps all of it when any byte of it is looked at: 2 MiB of each run for
  /// a few values would be as much as all that was spilled.
  private static let pieceSize = 1 << 16

  private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int) throws {
    var written = 0
    while written < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(file, start + written, min(pieceSize, bytes.count - written), off_t(offset + written))
      guard count > 0 else {
        if errno == EINTR { continue }
        throw DatabaseError(DatabaseError.SQLITE_FULL, "the folder of temporary files has no room for what is counted")
      }
      written += count
    }
  }

  private static let pageSize = max(4096, Int(getpagesize()))

  /// Makes a file without a name in the folder that SQLite would take.
  private static func makeFile() throws -> Int32 {
    let names: [String] = ["SQLITE_TMPDIR", "TMPDIR"]
    let folders = names.compactMap { name in getenv(name).map { String(cString: $0) } } + ["/var/tmp", "/tmp", "."]
    for folder in folders {
      var path = Array("\(folder)/quarry-count-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { continue }
      unlink(path)
      return file
    }
    throw DatabaseError(DatabaseError.SQLITE_CANTOPEN, "no temporary file can be made for what is counted: set TMPDIR")
  }
}
