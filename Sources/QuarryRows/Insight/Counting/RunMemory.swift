internal import Libc
internal import QuarryEngine
internal import Synchronization

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

/// How much room is taken for what is counted.
package struct SpillBudget: Hashable, Sendable {
  /// How many bytes are kept in memory.
  var memory = 48 << 20
  /// How many bytes of a temporary file are taken besides; nil for as many as its disk has.
  var file: Int?

  package init(memory: Int = 48 << 20, file: Int? = nil) {
    (self.memory, self.file) = (memory, file)
  }

  /// The room for rows of which nobody knows whether they end: at most half of what the disk has left.
  static var forEndlessRows: SpillBudget { SpillBudget(file: min(8 << 30, RunStore.bytesLeft / 2)) }
}

/// Where the runs of a count are kept: in memory up to a limit, beyond that in a temporary file, which goes with it.
package final class RunStore: Sendable {
  private let room: SpillBudget
  private let state = Mutex(State())

  private struct State {
    var kept = 0
    var file: OpenFile?
    var fileSize = 0
    var isFull = false
  }

  package init(_ room: SpillBudget) {
    self.room = room
  }

  /// Whether there was no more room for something: what was kept before is all there is.
  var isFull: Bool { state.withLock(\.isFull) }

  /// Keeps parts one after the other.
  ///
  /// - Throws: `SQLITE_FULL` where the disk has no room for them, `SQLITE_ABORT` where they take more than they may, `SQLITE_CANTOPEN`
  ///   where no temporary file can be made, `SQLITE_NOMEM`.
  func keep(_ parts: [UnsafeRawBufferPointer]) throws -> RunMemory {
    let count = parts.reduce(0) { $0 + $1.count }
    let fits = state.withLock { state in
      guard state.kept + count <= room.memory else { return false }
      state.kept += count
      return true
    }
    return fits ? try RunMemory(copying: parts) : try spill(parts, count)
  }

  private static func tooLarge(_ limit: Int) -> DatabaseError {
    let size = limit >= 1 << 30 ? "\(limit >> 30) GiB" : "\(limit >> 20) MiB"
    return DatabaseError(DatabaseError.SQLITE_ABORT, "the values take more than the \(size) of temporary files that they may take")
  }

  private func spill(_ parts: [UnsafeRawBufferPointer], _ count: Int) throws -> RunMemory {
    guard count > 0 else { return try RunMemory(copying: []) }
    let size = (count + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    let (file, offset) = try state.withLock { state in
      if let limit = room.file, state.fileSize + size > limit {
        state.isFull = true
        throw Self.tooLarge(limit)
      }
      let file = try state.file ?? Self.makeFile()
      defer { state.fileSize += size }
      state.file = file
      return (file, state.fileSize)
    }
    var end = offset
    for part in parts {
      try Self.write(part, to: file.descriptor, at: end)
      end += part.count
    }
    return try RunMemory(file: file.descriptor, offset: offset, count: count)
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
        if count < 0, errno == EINTR { continue }
        throw DatabaseError(DatabaseError.SQLITE_FULL, "the folder of temporary files has no room for what is counted")
      }
      written += count
    }
  }

  private static let pageSize = max(4096, Int(getpagesize()))

  /// The folders in which SQLite would make a temporary file, the first that will do.
  private static var folders: [String] {
    let names: [String] = ["SQLITE_TMPDIR", "TMPDIR"]
    return names.compactMap { name in getenv(name).map { String(cString: $0) } } + ["/var/tmp", "/tmp", "."]
  }

  /// How many bytes are left for temporary files.
  ///
  /// The corresponding C function is `statvfs`.
  fileprivate static var bytesLeft: Int {
    var disk = statvfs()
    guard let folder = folders.first(where: { access($0, W_OK) == 0 }), statvfs(folder, &disk) == 0 else { return 0 }
    return Int(clamping: UInt64(disk.f_bavail)) * Int(clamping: UInt64(disk.f_frsize))
  }

  /// Makes a file without a name.
  private static func makeFile() throws -> OpenFile {
    var reason: SystemError?
    for folder in folders {
      do throws(SystemError) {
        return try OpenFile.temporary(in: folder)
      } catch {
        reason = reason ?? error
      }
    }
    let words = reason.map { " (\($0))" } ?? ""
    throw DatabaseError(DatabaseError.SQLITE_CANTOPEN, "no temporary file can be made for what is counted\(words): set TMPDIR")
  }
}
