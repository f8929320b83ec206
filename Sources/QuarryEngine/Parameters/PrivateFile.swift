#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Why a file was not written.
struct PrivateFileError: Error {
  var path: String
  var reason: String

  /// Takes the reason from `errno`.
  init(path: String) {
    self.path = path
    reason = String(cString: strerror(errno))
  }
}

/// Files that nobody but their owner may read, written whole or not at all.
enum PrivateFile {
  /// Makes a folder and those above it, where they are not there.
  ///
  /// The corresponding C function is `mkdir`.
  static func makeFolder(_ path: String) throws(PrivateFileError) {
    var status = stat()
    if stat(path, &status) == 0 { return }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFileError(path: path) }
  }

  /// Writes a file; false where there is one that is not to be replaced.
  ///
  /// It is written beside its place first. The corresponding C functions are `rename` and, where nothing is to be replaced, `link`.
  static func save(_ bytes: [UInt8], to path: String, replacing: Bool) throws(PrivateFileError) -> Bool {
    let target = replacing ? resolved(path) : path
    let draft = try writeDraft(bytes, beside: target)
    defer { unlink(draft) }
    if (replacing ? rename(draft, target) : link(draft, target)) == 0 { return true }
    if !replacing, errno == EEXIST { return false }
    throw PrivateFileError(path: path)
  }

  /// The file that a symbolic link leads to, so that the link stays.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func writeDraft(_ bytes: [UInt8], beside path: String) throws(PrivateFileError) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let draft = "\(folder).quarry-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFileError(path: path) }
    let isWritten = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    // Before anything else is called that has an error of its own.
    let error = PrivateFileError(path: path)
    close(descriptor)
    if isWritten { return draft }
    unlink(draft)
    throw error
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
