internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows
import Synchronization

/// The state file that stores the memory of one database; deleting it is always safe.
///
/// Several programs may have the same database open: each of them merges its own changes into the current content of the file.
package final class MemoryFile: Sendable {
  private let folder: URL
  private let file: URL
  /// The version of the memory that was last read from the file or written to it.
  private let known = Mutex(SessionMemory())

  /// Refers to the memory file of a database, which need not exist.
  ///
  /// - Parameters:
  ///   - state: The folder of the program's state.
  ///   - database: The database's absolute path.
  package init(state: String, database: String) {
    folder = URL(fileURLWithPath: state).appendingPathComponent("views")
    file = folder.appendingPathComponent(String(Checksum.of(database.utf8), radix: 16) + ".json")
  }

  /// Reads the memory; returns an empty one if the file is missing or cannot be read.
  ///
  /// - Parameter warn: Called with a sentence if the file cannot be read; a damaged file is renamed.
  package func load(warn: (String) -> Void = { _ in }) -> SessionMemory {
    var memory = SessionMemory()
    do throws(StateFileError) {
      memory = try read()
    } catch {
      warn("\(error): nothing is remembered from earlier sessions")
    }
    known.withLock { $0 = memory }
    return memory
  }

  private func read() throws(StateFileError) -> SessionMemory {
    try StateFile(path: file.path).read { try? JSONDecoder().decode(SessionMemory.self, from: Data($0)) } ?? SessionMemory()
  }

  /// Writes the changes since the memory was last read or saved, atomically and readable by the owner only.
  ///
  /// - Throws: ``StateFileError`` if the file cannot be read, which is then unchanged; ``PrivateFileError``.
  package func save(_ memory: SessionMemory) throws {
    try known.withLock { known in
      try PrivateFile.makeFolder(folder.path)
      try PrivateFile.withLock(onFolder: folder.path) {
        let merged = memory.merged(into: try readOrSetAside(), since: known)
        // This runs for each key pressed in the editor and must not wait for a slow disk.
        _ = try PrivateFile.save(Array(JSONEncoder().encode(merged)), to: file.path, replacing: true, isSynced: false)
      }
      known = memory
    }
  }

  /// Reads the memory; returns an empty one if the file was damaged and has been renamed.
  private func readOrSetAside() throws(StateFileError) -> SessionMemory {
    do throws(StateFileError) {
      return try read()
    } catch {
      guard error.isSetAside else { throw error }
      return SessionMemory()
    }
  }
}

/// A writer that saves the memory some time after a change, so that several changes are written together.
package final class MemoryWriter: Sendable {
  private let file: MemoryFile?
  private let delay: Duration
  /// The version to write after the delay; nil for none.
  private let next = Mutex<Version?>(nil)
  /// The number of the version in the file; the writer of the file holds the lock.
  private let written = Mutex(0)

  /// A memory and its number in the order of changes.
  private struct Version {
    var memory: SessionMemory
    var number: Int
  }

  package init(file: MemoryFile?, delay: Duration) {
    self.file = file
    self.delay = delay
  }

  /// Writes the memory, or a newer one, after the delay; returns immediately if a write is already scheduled.
  package func save(_ memory: SessionMemory, number: Int) async throws {
    let isAwaited = next.withLock { next in
      let known = next
      if known.map({ $0.number < number }) ?? true { next = Version(memory: memory, number: number) }
      return known != nil
    }
    guard !isAwaited else { return }
    try? await Task.pause(for: delay)
    guard let version = next.withLock({ $0.take() }) else { return }
    try saveAtOnce(version.memory, number: version.number)
  }

  /// Writes the memory to its file immediately, unless a newer one has been written.
  func saveAtOnce(_ memory: SessionMemory, number: Int) throws {
    try written.withLock { written in
      guard number > written else { return }
      written = number
      try file?.save(memory)
    }
  }
}
