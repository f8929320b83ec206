internal import Libc
internal import QuarryEngine
internal import Synchronization
internal import Terminal

/// Standard output, which carries only data.
///
/// Pipes and files receive data unchanged. On a terminal, control characters are shown as pictures, because a database may contain control
/// sequences.
enum StandardOutput {
  enum WriteError: Error, Equatable {
    /// The reader has closed the pipe.
    case closed
    case failed(errno: Int32)
  }

  /// Returns whether an error means that the reader has closed the pipe, which is not a failure.
  static func isClosed(_ error: any Error) -> Bool { error as? WriteError == .closed }

  /// Whether the output is a terminal.
  ///
  /// For a verb started from another machine, whether the output there is.
  static let isTerminal = SSHSession.current?.streams.isOutputTerminal ?? (isatty(STDOUT_FILENO) == 1)

  static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `WriteError`.
  static func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard isTerminal else { return try writeExactly(bytes) }
    var text = unfinished.withLock { $0.text(adding: bytes) }.pictured
    try text.withUTF8 { try writeExactly(UnsafeRawBufferPointer($0)) }
  }

  /// Writes text that may contain terminal control sequences, because the program itself has created it.
  static func writePicture(_ text: String) throws {
    var text = text
    try text.withUTF8 { try writeExactly(UnsafeRawBufferPointer($0)) }
  }

  private static let unfinished = Mutex(TextPieces())

  private static func writeExactly(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      switch Descriptor.write(piece, to: STDOUT_FILENO) {
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let error) where error.code == EINTR: try Interrupts.check()
      case .failure(let error): throw error.code == EPIPE ? WriteError.closed : .failed(errno: error.code)
      }
    }
  }
}

extension StandardOutput.WriteError: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "standard output is closed"
    case .failed(let code): "standard output cannot be written: \(SystemError(code: code))"
    }
  }
}

/// UTF-8 that arrives in pieces, which may end within a character.
private struct TextPieces {
  private var rest: [UInt8] = []

  /// Returns the available text, without an incomplete character at its end.
  mutating func text(adding bytes: some Sequence<UInt8>) -> String {
    rest += bytes
    let kept = rest.suffix(3).lastIndex { $0 >= 0xC0 }.map { rest.count - $0 < Self.length(rest[$0]) ? rest.count - $0 : 0 } ?? 0
    defer { rest.removeFirst(rest.count - kept) }
    return String(decoding: rest.dropLast(kept), as: UTF8.self)
  }

  private static func length(_ first: UInt8) -> Int {
    first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
  }
}

/// Standard error, for messages to the user.
///
/// Control characters from databases, paths and the environment are shown as pictures.
enum StandardError {
  static var isTerminal: Bool { SSHSession.current?.streams.isErrorTerminal ?? (isatty(STDERR_FILENO) == 1) }

  static func write(_ text: String) { send(text.pictured) }

  /// Writes the output of a remote program, which has already replaced control characters.
  static func pass(_ bytes: [UInt8]) {
    // A failure to write to standard error cannot be reported.
    _ = bytes.withUnsafeBytes { Descriptor.write($0, to: STDERR_FILENO) }
  }

  /// Replaces the terminal line with the cursor by a text.
  static func replaceLine(_ text: String) { send("\r\u{1B}[K" + text.pictured) }

  private static func send(_ text: String) {
    var text = text
    // A failure to write to standard error cannot be reported.
    text.withUTF8 { _ = Descriptor.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}

/// System calls on an open file descriptor.
enum Descriptor {
  /// Writes bytes to a descriptor.
  ///
  /// The corresponding C function is `write`.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<Int, SystemError> {
    let count = Libc.write(descriptor, bytes.baseAddress, bytes.count)
    return count < 0 ? .failure(SystemError(code: errno)) : .success(count)
  }

  /// Reads available bytes.
  ///
  /// Returns no bytes at the end, and nil if none are available yet.
  static func readPart(_ descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Libc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return Array(chunk[..<count]) }
      // A closed terminal has no more input.
      if errno != EINTR { return errno == EAGAIN ? nil : [] }
    }
  }

  /// Reads to the end, or returns nil on an error.
  static func readAll(from descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    return (try? read(descriptor) { bytes += $0 }) == nil ? nil : bytes
  }

  /// Reads to the end, and passes on the bytes in parts.
  ///
  /// The corresponding C function is `read`.
  ///
  /// - Throws: ``SystemError``, and any error thrown by `body`.
  static func read(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var part = [UInt8](repeating: 0, count: 65536)
    try part.withUnsafeMutableBytes { part in
      while true {
        let count = Libc.read(descriptor, part.baseAddress, part.count)
        if count == 0 { return }
        guard count > 0 || errno == EINTR else { throw SystemError(code: errno) }
        if count > 0 { try body(UnsafeRawBufferPointer(rebasing: part[..<count])) }
      }
    }
  }
}
