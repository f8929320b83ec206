internal import Essentials
package import QuarryChanges
internal import QuarryEngine
package import QuarryRows

/// The files that store the state of a session; data whose file is nil is not saved.
package struct Storage: Sendable {
  package var memory: MemoryFile?
  package var history: HistoryFile?
  package var statements: StatementLibrary?
  package var recent: RecentFiles?
  /// The file of the settings.
  package var settings: SettingsFile?
  /// The reason why the settings have no file; nil if there is one.
  package var settingsRefusal: String?
  /// The staged changes that have not been committed.
  package var staged: StagedStore?
  /// Called after each attempt to save staged changes, with the saved number, or nil after a failure.
  package var onStagedSave: (@Sendable (Int?) -> Void)?
  /// Opens the databases that are compared; nil if this session compares none.
  package var comparing: DiffOpener?

  package init(memory: MemoryFile? = nil, history: HistoryFile? = nil, statements: StatementLibrary? = nil, recent: RecentFiles? = nil) {
    self.recent = recent
    self.memory = memory
    self.history = history
    self.statements = statements
  }
}

/// The history of runs: one line of JSON each, newest last.
package struct HistoryFile: Sendable {
  private let url: URL

  /// The largest number of bytes to read from the end of the file.
  private static let readLimit = 4 << 20
  private static let entryLimit = 2_000

  /// Refers to the file, which need not exist yet.
  package init(path: String) {
    url = URL(fileURLWithPath: path)
  }

  /// Reads the latest runs, newest first, without repetitions of the same text and arguments; skips invalid lines.
  package func load() -> [HistoryEntry] {
    guard let bytes = try? OpenFile(url.path, .reading).readEnd(limit: Self.readLimit) else { return [] }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).reversed()
    var seen: Set<[String]> = []
    var entries: [HistoryEntry] = []
    for line in lines where entries.count < Self.entryLimit {
      guard let entry = try? JSONDecoder().decode(HistoryEntry.self, from: Data(line)) else { continue }
      if seen.insert([entry.database, entry.sql] + entry.arguments.map(\.description)).inserted { entries.append(entry) }
    }
    return entries
  }

  /// Appends a run atomically; only the owner can read the file.
  package func append(_ entry: HistoryEntry) throws {
    try PrivateFile.makeFolder(url.deletingLastPathComponent().path)
    try PrivateFile.append(Array(JSONEncoder().encode(entry)), to: url.path)
  }
}

extension Storage {
  /// Adds a run to the history; returns the reason for a failure.
  func keep(_ entry: HistoryEntry) -> Problem? {
    do {
      try history?.append(entry)
      return nil
    } catch {
      return Problem("this run was not added to the history: \(Problem(describing: error).text)")
    }
  }

  /// Reads a file whose path may begin with `~/`.
  static func contents(of path: String) throws(Problem) -> [UInt8] {
    do throws(SystemError) {
      return try OpenFile.contents(of: self.path(of: path))
    } catch {
      throw Problem("cannot read \(path) (\(error)): check the path and its permissions")
    }
  }

  /// Returns the absolute path of a file whose path may begin with `~/`.
  package static func path(of path: String) -> String { url(of: path).path }

  /// Returns whether there is a file at a path.
  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Returns the URL of a file whose path may begin with `~/`.
  static func url(of path: String) -> URL {
    URL(fileURLWithPath: path.hasPrefix("~/") ? "\(Locations.homeFolder)/\(path.dropFirst(2))" : path)
  }
}

extension Completion {
  init(_ completion: SQLCompletion) {
    self.init(label: completion.label, detail: completion.detail, range: completion.range, replacement: completion.replacement)
  }
}

extension StoredArgument: CustomStringConvertible {
  /// The argument in a list: `:min = 3`.
  package var description: String {
    let name = identity.first?.isNumber == true ? "?\(identity)" : identity
    return "\(name) = \(type == .null ? "NULL" : type == .blob ? "x'\(text)'" : text)"
  }
}
