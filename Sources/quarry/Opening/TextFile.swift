#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file of text that the command line names.
struct TextFile {
  private let bytes: [UInt8]

  /// The text; nil where the bytes are not UTF-8.
  var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Reads the file at `path`; nil where it cannot be read.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = Descriptor.readAll(from: descriptor) else { return nil }
    self.bytes = bytes
  }

  /// Reads standard input to its end; nil where that is a terminal or cannot be read.
  static var standardInput: TextFile? {
    guard isatty(STDIN_FILENO) == 0, let bytes = Descriptor.readAll(from: STDIN_FILENO) else { return nil }
    return TextFile(bytes: bytes)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
