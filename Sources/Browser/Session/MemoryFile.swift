internal import Essentials
internal import QuarryChanges
internal import QuarryRows
import Synchronization

/// The state file that keeps the memory of one database; deleting it is always safe.
///
/// Several programs may have the same database open: each merges its own changes into what the file holds by then.
package final class MemoryFile: Sendable {
  private let folder: URL
  private let file: URL
  /// The memory as it was last read from the file or written to it.
  private let known = Mutex(SessionMemory())

  /// Names the file of a database's memory.
  ///
  /// - Parameters:
  ///   - state: The folder of the program's state.
  ///   - database: The database's absolute path.
  package init(state: String, database: String) {
    folder = URL(fileURLWithPath: state).appendingPathComponent("views")
    file = folder.appendingPathComponent(String(Checksum.of(database.utf8), radix: 16) + ".json")
  }

  /// Reads the memory; an empty one where the file is missing or cannot be read.
  ///
  /// - Parameter warn: Is called with a sentence where the file cannot be read; a damaged file is renamed.
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
  /// - Throws: ``StateFileError`` where the file cannot be read, which then stays as it is; ``PrivateFileError``.
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

  /// Reads the memory; an empty one where the file was damaged and has been renamed.
  private func readOrSetAside() throws(StateFileError) -> SessionMemory {
    do throws(StateFileError) {
      return try read()
    } catch {
      guard error.isSetAside else { throw error }
      return SessionMemory()
    }
  }
}

/// Writes the memory to its file a while after it has changed, so that several changes are written together.
package final class MemoryWriter: Sendable {
  private let file: MemoryFile?
  private let delay: Duration
  /// The version to write when the delay is over; nil for none.
  private let next = Mutex<Version?>(nil)
  /// The version in the file; whoever writes the file holds the lock.
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

  /// Writes the memory, or a newer one, when the delay is over; returns at once where a write is scheduled already.
  package func save(_ memory: SessionMemory, number: Int) async throws {
    let isAwaited = next.withLock { next in
      let known = next
      if known.map({ $0.number < number }) ?? true { next = Version(memory: memory, number: number) }
      return known != nil
    }
    guard !isAwaited else { return }
    try? await Task.sleep(for: delay)
    guard let version = next.withLock({ $0.take() }) else { return }
    try saveAtOnce(version.memory, number: version.number)
  }

  /// Writes the memory to its file, unless a newer one has been written.
  func saveAtOnce(_ memory: SessionMemory, number: Int) throws {
    try written.withLock { written in
      guard number > written else { return }
      written = number
      try file?.save(memory)
    }
  }
}
