internal import Libc
internal import QuarryEngine
internal import QuarryFiles

/// This program's standard output, which may be the terminal.
final class StandardSSHOutput: SSHOutput {
  let descriptor: Int32? = STDOUT_FILENO

  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    switch Descriptor.write(bytes, to: STDOUT_FILENO) {
    case .success(let count): return count
    case .failure(let error) where error.code == EINTR || error.code == EAGAIN: return 0
    case .failure(let error): throw error.code == EPIPE ? StandardOutput.WriteError.closed : .failed(errno: error.code)
    }
  }
}

/// A local file, which appears at its path once it is complete.
final class FileSSHOutput: SSHOutput {
  let descriptor: Int32? = nil
  private let file: OutputFile

  init(_ file: OutputFile) {
    self.file = file
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    try file.write(bytes)
    return bytes.count
  }
}

/// Output that this program reads itself.
final class TextSSHOutput: SSHOutput {
  let descriptor: Int32? = nil
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    self.bytes += bytes
    return bytes.count
  }
}
