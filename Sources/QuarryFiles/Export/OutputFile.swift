internal import Libc
internal import QuarryEngine

/// A file that is written whole or not at all.
///
/// ```swift
/// let file = try OutputFile(path: "tracks.csv", databases: ["chinook.db"])
/// try file.write(bytes)
/// try file.finish()
/// ```
///
/// What is written goes to a draft beside the file's place, and ``finish()`` puts that there once it is on the disk; until then the place
/// is as it was. A file that is there is replaced, and its permissions are kept. Without ``finish()`` nothing is left, also where the program
/// is killed. A pipe, a terminal or a device is written directly.
public final class OutputFile {
  /// The path of the file.
  public let path: String
  /// The number of bytes that have been written.
  public private(set) var count = 0
  private var destination: Destination
  /// Whether ``finish()`` has put a file in its place.
  private var isInPlace = false
  private let onInterruption: () throws -> Void

  private enum Destination {
    /// What is not replaced, because it is no plain file.
    case device(OpenFile)
    case draft(FileDraft)
    case none
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: Where the file is to be. `/dev/stdout` and `/dev/fd/3` are what the program has open under that number.
  ///   - databases: The paths of the databases that are read, which the file must not replace, nor what SQLite keeps beside them.
  ///   - isReplacing: Whether a file that is there may be replaced.
  ///   - isPlain: Whether pipes and devices are refused, which may let a write wait for ever.
  ///   - onInterruption: Is called where a signal interrupts a write that waits; what it throws ends the write.
  /// - Throws: ``OutputFileError``, which says what stands against it.
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

  /// Writes bytes at the end.
  ///
  /// - Throws: ``OutputFileError`` where the disk is full, for instance, and what the interruption throws.
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

  /// Reads bytes again that have been written; nil where they went to a pipe or a device.
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

  /// Puts the file in its place, once it is on the disk; nothing may be written afterwards.
  ///
  /// The corresponding C functions are `fsync` and `rename`, and `linkat` where nothing is to be replaced.
  ///
  /// - Throws: ``OutputFileError``; then nothing is left of it.
  public func finish() throws {
    defer { discard() }
    switch destination {
    case .draft(let draft):
      try draft.finish()
      isInPlace = true
    // Where a pipe is broken or a disk is full is told by the writes.
    case .device, .none: break
    }
  }

  /// Removes a new file that ``finish()`` has put in its place, and nothing else: a pipe or a device was there before.
  ///
  /// - Throws: ``SystemError`` where it is there still.
  func remove() throws(SystemError) {
    guard isInPlace else { return }
    guard PathText.withPath(path, { unlink($0) == 0 }) else { throw .last }
    isInPlace = false
  }

  /// Gives the file up: its place stays as it was.
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

  /// Returns the number of the open file that a path is another name of; nil for any other path.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folders = ["/dev/fd/", "/proc/self/fd/"]
      return folders.first { path.hasPrefix($0) }.flatMap { Int32(path.dropFirst($0.utf8.count)) }
    }
  }

  /// Opens what is no plain file; a pipe waits for its reader.
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

/// Why a file is not written.
public struct OutputFileError: Error, Hashable, CustomStringConvertible {
  /// What stands against it.
  public enum Kind: Hashable, Sendable {
    /// The path is empty.
    case noName
    case isFolder
    case noFolder
    /// The path is that of a database that is read, or of what SQLite keeps beside it.
    case isOpenDatabase
    /// The file that is there is a database.
    case isDatabase
    /// What is there is a pipe or a device, and a database has to be a file.
    case isNoFile
    /// The database that is there is used by another program.
    case isInUse
    /// There is a file, which is not to be replaced.
    case isThere
    /// The file that is there may not be written.
    case isProtected
    /// The path is a link that leads to nothing.
    case isDeadLink
    /// The system says no, with the number of its error.
    case failed(Int32)
  }

  /// The path that was asked for.
  public let path: String
  /// What stands against it.
  public let kind: Kind

  init(_ path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// Whether another path would help, rather than another state of the system.
  public var isOfPath: Bool {
    switch kind {
    case .failed(ENOSPC), .failed(EDQUOT), .failed(EFBIG), .failed(EIO), .failed(EPIPE): false
    default: true
    }
  }

  /// A sentence for a person, with the way out.
  public var description: String {
    let name = "“\(PathText.shown(path))”"
    switch kind {
    case .noName: return "the path of the file to write is empty: name a file"
    case .isFolder: return "\(name) is a folder: name a file in it"
    case .noFolder: return "the folder of \(name) is not there: make it, or name another file"
    case .isOpenDatabase: return "\(name) belongs to the database that is read: name another file"
    case .isDatabase: return "\(name) is a database, which would be lost: name another file, or remove it first"
    case .isNoFile: return "\(name) is a pipe or a device: name a file"
    case .isInUse: return "\(name) is in use by another program, or has a log beside it: close the program, or name another file"
    case .isThere: return "\(name) is there already: name another file, or remove it first"
    case .isProtected: return "\(name) may not be written: name another file, or change its permissions"
    case .isDeadLink: return "\(name) is a link that leads to nothing: name another file, or remove the link"
    case .failed(ENOSPC): return "\(name) cannot be written: the disk is full; nothing was left there"
    case .failed(EFBIG): return "\(name) cannot be written: it would be larger than the system allows; nothing was left there"
    case .failed(let code):
      let error = SystemError(code: code)
      return "\(name) cannot be written: \(error)" + (error.advice.map { ". \($0)" } ?? "")
    }
  }
}
