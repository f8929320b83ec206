internal import Libc
internal import QuarryEngine

/// A source of remote standard input: this program's own standard input, a file, or a pipe.
final class SSHSource {
  private let path: String?
  private var file: OpenFile?
  private var pipe: Int32?

  /// Creates a source.
  ///
  /// - Parameter path: The path of a file, or nil or `-` for standard input.
  init(_ path: String?) {
    self.path = path == StandardInput.name ? nil : path
  }

  /// Creates a source of the bytes that this program writes to a pipe.
  ///
  /// The pipe is closed with the source.
  init(pipe: Int32) {
    (path, self.pipe) = (nil, pipe)
  }

  deinit {
    if let pipe { close(pipe) }
  }

  /// Opens the source, and returns its descriptor.
  ///
  /// - Throws: `Failure` if it cannot be read.
  func open() throws -> Int32 {
    if let pipe { return pipe }
    guard let path else { return STDIN_FILENO }
    do throws(SystemError) {
      let file = try OpenFile(path, .reading)
      self.file = file
      return file.descriptor
    } catch {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” cannot be read: \(error). Nothing was imported.")
    }
  }

  /// Checks that the file can be read without opening it, because opening a pipe waits for its writer.
  ///
  /// - Throws: `Failure` if it cannot be read.
  func check() throws {
    guard let path else { return }
    var status = stat()
    let code = PathText.withPath(path) { stat($0, &status) == 0 && access($0, R_OK) == 0 ? 0 : errno }
    if code != 0 {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” cannot be read: \(SystemError(code: code))")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” is a folder. Name a file in it.")
    }
  }
}
