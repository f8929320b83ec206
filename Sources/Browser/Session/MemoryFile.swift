internal import QuarryEngine
import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file in the folder of states that keeps the memory of one database; deleting it is always safe.
///
/// Several programs may have the same database open: each writes what it has changed itself into what the file holds by then.
public final class MemoryFile: Sendable {
  private let folder: URL
  private let file: URL
  /// What was read from the file, or written to it, last.
  private let known = Mutex(SessionMemory())

  /// - Parameters:
  ///   - state: The folder of what the program remembers.
  ///   - database: The database's absolute path.
  public init(state: String, database: String) {
    folder = URL(fileURLWithPath: state).appendingPathComponent("views")
    file = folder.appendingPathComponent("\(Self.fingerprint(database)).json")
  }

  /// The memory; an empty one where there is no file, or one that nobody can read.
  public func load() -> SessionMemory {
    let memory = read()
    known.withLock { $0 = memory }
    return memory
  }

  private func read() -> SessionMemory {
    guard let data = try? Data(contentsOf: file) else { return SessionMemory() }
    return (try? JSONDecoder().decode(SessionMemory.self, from: data)) ?? SessionMemory()
  }

  /// Writes what has been changed of the memory since it was read or saved last, whole or not at all, for nobody else to read.
  func save(_ memory: SessionMemory) throws {
    try known.withLock { known in
      try PrivateFile.makeFolder(folder.path)
      try PrivateFile.withLock(onFolder: folder.path) {
        let merged = memory.merged(into: read(), since: known)
        // Each key that is pressed in the editor comes here: a disk that takes its time must not be waited for.
        _ = try PrivateFile.save(Array(JSONEncoder().encode(merged)), to: file.path, replacing: true, isSynced: false)
      }
      known = memory
    }
  }

  /// FNV-1a: a name for the file that is the same from start to start.
  private static func fingerprint(_ path: String) -> String {
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// Writes the memory to its file a while after it has changed, with what has changed by then: many changes are written once.
final class MemoryWriter: Sendable {
  private let file: MemoryFile?
  private let delay: Duration
  /// What is to be written when the delay is over; nil where nothing is.
  private let next = Mutex<Version?>(nil)
  /// Which version is in the file; whoever writes the file has it.
  private let written = Mutex(0)

  /// A memory, and how many were asked to be kept before it.
  private struct Version {
    var memory: SessionMemory
    var number: Int
  }

  init(file: MemoryFile?, delay: Duration) {
    self.file = file
    self.delay = delay
  }

  /// Writes the memory when the delay is over, or a newer one that has come by then; returns at once where that is awaited already.
  func save(_ memory: SessionMemory, number: Int) async throws {
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

  /// Writes the memory to its file, unless a newer one is there already.
  func saveAtOnce(_ memory: SessionMemory, number: Int) throws {
    try written.withLock { written in
      guard number > written else { return }
      written = number
      try file?.save(memory)
    }
  }
}
