internal import Libc
package import QuarryEngine

/// The error of reading a state file of the program.
package enum StateFileError: Error, Hashable, CustomStringConvertible {
  /// The system cannot read it, and the file must not be changed.
  case unreadable(path: String, SystemError)
  /// Its bytes are damaged.
  ///
  /// It has been renamed to `keptAs`, so that it is not overwritten; nil if renaming failed.
  case damaged(path: String, keptAs: String?)

  /// Whether the file was damaged and has been renamed, so that a new one may be written.
  package var isSetAside: Bool {
    if case .damaged(_, .some) = self { true } else { false }
  }

  package var description: String {
    switch self {
    case .unreadable(let path, let error): "“\(path)” cannot be read (\(error))"
    case .damaged(let path, let keptAs?): "“\(path)” is damaged and was renamed to “\(keptAs)”"
    case .damaged(let path, nil): "“\(path)” is damaged and cannot be renamed"
    }
  }
}

/// A state file of the program, which is read and replaced as a whole by ``PrivateFile``.
package struct StateFile: Sendable {
  package let path: String
  /// The path to which it is renamed if it is damaged.
  private let damagedPath: String

  /// Creates a reference to a file, which need not exist.
  package init(path: String, damagedPath: String? = nil) {
    self.path = path
    self.damagedPath = damagedPath ?? path + ".damaged"
  }

  /// Reads the file, which is renamed if it is damaged; nil if it does not exist.
  ///
  /// - Parameter decode: Returns nil for damaged bytes.
  /// - Throws: ``StateFileError``
  package func read<Value>(_ decode: ([UInt8]) -> Value?) throws(StateFileError) -> Value? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.contents(of: path)
    } catch {
      if error.code == ENOENT { return nil }
      throw .unreadable(path: path, error)
    }
    if let value = decode(bytes) { return value }
    throw .damaged(path: path, keptAs: setAside())
  }

  /// The maximum number of damaged files to retain.
  private static let limit = 20

  /// Renames the file to the first unused path; returns that path, or nil if the file cannot be renamed.
  ///
  /// The corresponding C functions are `link` and `unlink`.
  private func setAside() -> String? {
    for number in 1...Self.limit {
      let free = number == 1 ? damagedPath : "\(damagedPath)-\(number)"
      if link(path, free) == 0 {
        unlink(path)
        return free
      }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }
}
