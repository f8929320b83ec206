internal import Libc
internal import QuarryEngine
internal import Synchronization

/// Bytes that are written once and then only read: in memory, or in a mapped temporary file.
final class RunMemory: @unchecked Sendable {
  // Sendable because the bytes never change after they have been written.
  let bytes: UnsafeRawBufferPointer
  /// Whether the bytes are in a file, so that the system can read them again.
  private let isMapped: Bool

  /// Copies parts into memory one after the other.
  ///
  /// The memory comes from the system directly, so that all of it is released to the system.
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

  /// Maps a part of a file.
  fileprivate init(file: Int32, offset: Int, count: Int) throws {
    bytes = UnsafeRawBufferPointer(try Self.map(count: count, PROT_READ, MAP_SHARED, file: file, offset: offset))
    isMapped = true
  }

  /// Releases the memory of mapped bytes to the system, which reads them again on access.
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

/// The memory and disk space available to a count.
package struct SpillBudget: Hashable, Sendable {
  /// The maximum number of bytes in memory.
  var memory = 48 << 20
  /// The maximum number of bytes in a temporary file; nil for all free space of the disk.
  var file: Int?

  package init(memory: Int = 48 << 20, file: Int? = nil) {
    (self.memory, self.file) = (memory, file)
  }

  /// The budget for rows that may never end: at most half of the free space of the disk.
  static var forEndlessRows: SpillBudget { SpillBudget(file: min(8 << 30, RunStore.bytesLeft / 2)) }
}

/// The storage of a count's runs: in memory up to a limit, then in a temporary file, which is deleted with the store.
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

  /// Whether space has run out, so that later parts were not stored.
  var isFull: Bool { state.withLock(\.isFull) }

  /// Stores parts one after the other.
  ///
  /// - Throws: `SQLITE_FULL` if the disk is full, `SQLITE_ABORT` if the limit is exceeded, `SQLITE_CANTOPEN` if no temporary file can be
  ///   created, `SQLITE_NOMEM`.
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
    return DatabaseError(DatabaseError.SQLITE_ABORT, "the values need more than the \(size) allowed for temporary files")
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

  /// The maximum number of bytes of one write.
  ///
  /// Linux caches the bytes of one write as one piece, and maps the whole piece when any of its bytes is accessed. Mapping 2 MiB of each
  /// run for a few values would use as much memory as was spilled.
  private static let pieceSize = 1 << 16

  private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int) throws {
    var written = 0
    while written < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(file, start + written, min(pieceSize, bytes.count - written), off_t(offset + written))
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw DatabaseError(DatabaseError.SQLITE_FULL, "the temporary folder has no space left for counting the values")
      }
      written += count
    }
  }

  private static let pageSize = max(4096, Int(getpagesize()))

  /// The folders in which SQLite would create a temporary file; the first usable one is chosen.
  private static var folders: [String] {
    let names: [String] = ["SQLITE_TMPDIR", "TMPDIR"]
    return names.compactMap { name in getenv(name).map { String(cString: $0) } } + ["/var/tmp", "/tmp", "."]
  }

  /// The number of free bytes for temporary files.
  ///
  /// The corresponding C function is `statvfs`.
  fileprivate static var bytesLeft: Int {
    var disk = statvfs()
    guard let folder = folders.first(where: { access($0, W_OK) == 0 }), statvfs(folder, &disk) == 0 else { return 0 }
    return Int(clamping: UInt64(disk.f_bavail)) * Int(clamping: UInt64(disk.f_frsize))
  }

  /// Creates a file without a name.
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
    throw DatabaseError(DatabaseError.SQLITE_CANTOPEN, "cannot create a temporary file to count the values\(words): set TMPDIR")
  }
}
