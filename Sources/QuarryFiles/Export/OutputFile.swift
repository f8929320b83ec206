internal import Libc
internal import QuarryEngine

/// A file that is written completely or not at all.
///
/// ```swift
/// let file = try OutputFile(path: "tracks.csv", databases: ["chinook.db"])
/// try file.write(bytes)
/// try file.finish()
/// ```
///
/// Output goes to a draft in the same folder. ``finish()`` moves the draft to its path once it is on the disk. Until then, an existing file
/// is unchanged. An existing file is replaced and its permissions are preserved. Without ``finish()`` nothing remains, even if the program
/// is killed. Pipes, terminals and devices are written directly.
public final class OutputFile {
  /// The path of the file.
  public let path: String
  /// The number of bytes written.
  public private(set) var count = 0
  private var destination: Destination
  /// Whether ``finish()`` has moved the file to its path.
  private var isInPlace = false
  private let onInterruption: () throws -> Void

  private enum Destination {
    /// A pipe, terminal or device, which is written directly.
    case device(OpenFile)
    case draft(FileDraft)
    case none
  }

  /// Begins writing a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file. `/dev/stdout` and `/dev/fd/3` mean the program's open file with that number.
  ///   - databases: The paths of the open databases. The file must not replace them or their journal files.
  ///   - isReplacing: Whether an existing file may be replaced.
  ///   - isPlain: Whether pipes and devices are rejected, because a write to them may block forever.
  ///   - onInterruption: Called when a signal interrupts a blocked write. An error that it throws ends the write.
  /// - Throws: ``OutputFileError`` if the file cannot be written.
  public init(
    path: String, databases: [String] = [], isReplacing: Bool = true, isPlain: Bool = false,
    onInterruption: @escaping () throws -> Void = {}
  ) throws {
    self.path = path
    self.onInterruption = onInterruption
    if let number = Self.openNumber(path) {
      if isPlain { throw OutputFileError(path, .isNoFile) }
      let descriptor = dup(number)
      guard descriptor >= 0 else { throw OutputFileError(path, .failed(errno)) }
      destination = .device(OpenFile(owning: descriptor))
      return
    }
    let target = try OutputTarget(path: path, databases: databases)
    switch target.kind {
    case .device where isPlain: throw OutputFileError(path, .isNoFile)
    case .device:
      destination = .device(try Self.open(target.path, path, onInterruption))
    case .file where !isReplacing:
      throw OutputFileError(path, .isThere)
    case .nothing, .file:
      destination = .draft(try FileDraft(for: target, isReplacing: isReplacing))
    }
  }

  deinit {
    discard()
  }

  /// Appends bytes.
  ///
  /// - Throws: ``OutputFileError``, for example if the disk is full, and any error thrown by the interruption handler.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = Libc.write(descriptor, part.baseAddress, part.count)
      if written < 0 {
        let code = errno
        guard code == EINTR else { throw OutputFileError(path, .failed(code)) }
        try onInterruption()
      } else {
        rest = rest.dropFirst(written)
        count += written
      }
    }
  }

  /// Reads back bytes that have been written, or returns nil for a pipe or a device.
  ///
  /// - Throws: ``OutputFileError``
  func bytes(_ range: Range<Int>) throws -> [UInt8]? {
    guard case .draft(let draft) = destination else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
      while count < range.count {
        let read = pread(draft.descriptor, room.baseAddress.map { $0 + count }, range.count - count, off_t(range.lowerBound + count))
        if read <= 0 { break }
        count += read
      }
    }
    guard bytes.count == range.count else { throw OutputFileError(path, .failed(errno)) }
    return bytes
  }

  /// Moves the file to its path once it is on the disk.
  ///
  /// Nothing may be written afterwards.
  ///
  /// The corresponding C functions are `fsync` and `rename`, or `linkat` if no file may be replaced.
  ///
  /// - Throws: ``OutputFileError``. The draft is then removed.
  public func finish() throws {
    defer { discard() }
    switch destination {
    case .draft(let draft):
      try draft.finish()
      isInPlace = true
    // Writes have already reported a broken pipe or a full disk.
    case .device, .none: break
    }
  }

  /// Removes a new file that ``finish()`` has moved to its path.
  ///
  /// Pipes and devices are not removed.
  ///
  /// - Throws: ``SystemError`` if the file cannot be removed.
  func remove() throws(SystemError) {
    guard isInPlace else { return }
    guard PathText.withPath(path, { unlink($0) == 0 }) else { throw .last }
    isInPlace = false
  }

  /// Discards the draft.
  ///
  /// An existing file stays unchanged.
  public func discard() {
    switch destination {
    case .draft(let draft): draft.discard()
    case .device, .none: break
    }
    destination = .none
  }

  private var descriptor: Int32 {
    switch destination {
    case .draft(let draft): draft.descriptor
    case .device(let file): file.descriptor
    case .none: -1
    }
  }

  /// Returns the file descriptor that a path denotes, or nil for any other path.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folders = ["/dev/fd/", "/proc/self/fd/"]
      return folders.first { path.hasPrefix($0) }.flatMap { Int32(path.dropFirst($0.utf8.count)) }
    }
  }

  /// Opens a pipe, terminal or device.
  ///
  /// Opening a pipe waits for its reader.
  private static func open(_ target: String, _ path: String, _ onInterruption: () throws -> Void) throws -> OpenFile {
    while true {
      do throws(SystemError) {
        return try OpenFile(target, .writing)
      } catch {
        guard error.code == EINTR else { throw OutputFileError(path, .failed(error.code)) }
      }
      try onInterruption()
    }
  }
}

/// The reason why a file cannot be written.
public struct OutputFileError: Error, Hashable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Kind: Hashable, Sendable {
    /// The path is empty.
    case noName
    case isFolder
    case noFolder
    /// The path is that of an open database or of one of its journal files.
    case isOpenDatabase
    /// The existing file is a database.
    case isDatabase
    /// The path is that of a pipe or a device, but a database must be a file.
    case isNoFile
    /// The existing database is in use by another program.
    case isInUse
    /// A file exists and may not be replaced.
    case isThere
    /// A journal of another database exists beside the path of a new one.
    case hasJournal
    /// The existing file is not writable.
    case isProtected
    /// The path is a symbolic link to a missing file.
    case isDeadLink
    /// The system reported an error with this `errno` value.
    case failed(Int32)
  }

  /// The requested path.
  public let path: String
  /// The kind of reason.
  public let kind: Kind

  init(_ path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// Whether choosing another path could help.
  ///
  /// If false, the state of the system must change.
  public var isOfPath: Bool {
    switch kind {
    case .failed(ENOSPC), .failed(EDQUOT), .failed(EFBIG), .failed(EIO), .failed(EPIPE): false
    default: true
    }
  }

  /// A sentence for the user, with a suggested solution.
  public var description: String {
    let name = "“\(PathText.shown(path))”"
    switch kind {
    case .noName: return "the path of the file to write is empty: name a file"
    case .isFolder: return "\(name) is a folder: name a file in it"
    case .noFolder: return "the folder of \(name) does not exist: create it, or name another file"
    case .isOpenDatabase: return "\(name) belongs to the database that is read: name another file"
    case .isDatabase: return "\(name) is a database, which would be lost: name another file, or remove it first"
    case .isNoFile: return "\(name) is a pipe or a device: name a file"
    case .isInUse: return "\(name) is in use by another program, or has a log file next to it: close the program, or name another file"
    case .hasJournal:
      return "\(name) has a journal file of another database next to it (-journal, -wal or -shm): remove that, or name another file"
    case .isThere: return "\(name) already exists: name another file, or remove it first"
    case .isProtected: return "\(name) is not writable: name another file, or change its permissions"
    case .isDeadLink: return "\(name) is a broken link: name another file, or remove the link"
    case .failed(ENOSPC):
      return "\(name) cannot be written: the disk is full, and nothing there was changed. Free space, or name a file on another disk."
    case .failed(EFBIG):
      return
        "\(name) cannot be written: it would be larger than the system allows, and nothing there was changed. Raise `ulimit -f`, or name another file."
    case .failed(EACCES): return "\(name) cannot be written: its folder is not writable: name another file, or change the permissions"
    case .failed(EROFS): return "\(name) cannot be written: its disk is read-only: name a file on another disk"
    case .failed(let code):
      let error = SystemError(code: code)
      return "\(name) cannot be written: \(error)" + (error.advice.map { ". \($0)" } ?? "")
    }
  }
}
