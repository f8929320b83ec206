package import Essentials
internal import QuarryEngine
internal import QuarryRows

/// The list of recently opened files in the state folder; deleting it is always safe.
package struct RecentFiles: Sendable {
  /// Files that were opened together.
  package struct Entry: Codable, Hashable, Sendable {
    /// The absolute paths, or the addresses on other machines; the first is `main`.
    package var files: [String]
    /// The time when they were last opened, in ISO 8601.
    var opened: String

    package init(files: [String], opened: String) {
      (self.files, self.opened) = (files, opened)
    }
  }

  /// The largest number of entries.
  static let limit = 50

  private let file: URL

  /// Refers to the list at a path.
  ///
  /// - Parameter path: The path, which need not exist yet.
  package init(path: String) {
    file = URL(fileURLWithPath: path)
  }

  /// Returns the recent files, most recent first; an empty list if the list does not exist or cannot be read.
  package func load() -> [Entry] { (try? read()) ?? [] }

  /// Reads the recent files, most recent first.
  fileprivate func read() throws(StateFileError) -> [Entry] {
    try StateFile(path: file.path).read { try? JSONDecoder().decode([Entry].self, from: Data($0)) } ?? []
  }

  /// Moves opened files to the front of the list, by their absolute paths or their addresses.
  ///
  /// - Throws: An error if the list cannot be written, or if it was damaged. A damaged list is replaced by a new one.
  package func note(_ files: [String]) throws { try note(files, at: Date()) }

  package func note(_ files: [String], at time: Date) throws {
    let files = files.map { $0.hasPrefix("file:") || Address.isElsewhere($0) ? $0 : URL(fileURLWithPath: $0).standardizedFileURL.path }
    try change { entries in
      entries.removeAll { $0.files == files }
      entries.insert(Entry(files: files, opened: time.formatted(.iso8601)), at: 0)
    }
  }

  /// Removes files from the list.
  package func forget(_ files: [String]) throws {
    try change { entries in entries.removeAll { $0.files == files } }
  }

  /// Rewrites the list atomically and with private permissions, under a lock against other programs.
  private func change(_ body: (inout [Entry]) -> Void) throws {
    let folder = file.deletingLastPathComponent().path
    try PrivateFile.makeFolder(folder)
    try PrivateFile.withLock(onFolder: folder) {
      let (known, damage) = try readOrSetAside()
      var entries = known
      body(&entries)
      let kept = Array(entries.prefix(Self.limit))
      _ = try PrivateFile.save(Array(JSONEncoder().encode(kept)), to: file.path, replacing: true, isSynced: false)
      if let damage { throw damage }
    }
  }

  /// Reads the list; returns an empty list and the error if it was damaged and has been renamed.
  private func readOrSetAside() throws(StateFileError) -> (entries: [Entry], damage: StateFileError?) {
    do throws(StateFileError) {
      return (try read(), nil)
    } catch {
      guard error.isSetAside else { throw error }
      return ([], error)
    }
  }
}

extension Storage {
  /// Returns the recently opened files with their current state.
  ///
  /// - Throws: ``StateFileError`` if the list cannot be read.
  func loadRecentFiles(now: Date = Date()) throws -> [RecentFile] {
    (try recent?.read() ?? []).filter { !$0.files.isEmpty }.map { RecentFile($0, now: now) }
  }
}

/// Recently opened files, for a list.
package struct RecentFile: Hashable, Sendable {
  var files: [String]
  /// The name of the first file, and the number of the other files.
  package var name: String
  /// The folder of the first file, with `~` for the home folder.
  var folder: String
  /// The size of the first file; nil if it no longer exists, or is on another machine.
  var size: String?
  /// Whether the first file is on another machine, which is not contacted.
  var isElsewhere: Bool
  /// The time when the files were opened: `3 hours ago`, `2024-01-30`.
  package var opened: String

  package init(_ entry: RecentFiles.Entry, now: Date) {
    files = entry.files
    let path = entry.files.first ?? ""
    isElsewhere = Address.isElsewhere(path)
    let place = Self.place(of: path)
    let others = entry.files.count > 1 ? " and \(entry.files.count - 1) more" : ""
    name = PathText.shown(place.name) + others
    folder = isElsewhere ? PathText.shown(place.folder) : Self.shortened(PathText.shown(place.folder))
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let byteCount = attributes?[.size]
    size = ((byteCount as? Int) ?? (byteCount as? any BinaryInteger).map { Int(clamping: $0) }).map { BlobKind.size($0) }
    opened = Self.age(of: entry.opened, now: now)
  }

  /// Returns the name and the folder of a file; the folder on another machine begins with the host.
  private static func place(of path: String) -> (name: String, folder: String) {
    var address: SSHAddress?
    switch try? Address(path) {
    case .ssh(let found): address = found
    case .dqlite: return (path, "")
    case .file, nil: break
    }
    let parts = (address?.path ?? path).split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    return (String(parts.last ?? ""), address.map { $0.address(of: folder) } ?? folder)
  }

  private static func shortened(_ folder: String) -> String {
    let home = Locations.homeFolder
    guard home.count > 1, folder == home || folder.hasPrefix(home + "/") else { return folder.isEmpty ? "/" : folder }
    return "~" + folder.dropFirst(home.count)
  }

  private static func age(of time: String, now: Date) -> String {
    guard let date = try? Date(time, strategy: .iso8601) else { return "" }
    let minutes = Int(now.timeIntervalSince(date) / 60)
    func ago(_ count: Int, _ unit: String) -> String { "\(Plural.of(count, unit)) ago" }
    switch minutes {
    case ..<1: return "just now"
    case ..<60: return ago(minutes, "minute")
    case ..<1_440: return ago(minutes / 60, "hour")
    case ..<10_080: return ago(minutes / 1_440, "day")
    default: return String(time.prefix(10))
    }
  }
}
