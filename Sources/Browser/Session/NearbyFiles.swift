import Essentials
package import QuarryEngine

/// The files with names similar to a missing one.
package enum NearbyFiles {
  /// Returns a question with similar paths, or nil if there are none.
  ///
  ///     quarry chinok.db        ->   Did you mean “chinook.db”?
  ///     quarry chinook          ->   Did you mean “chinook.db”?
  ///     quarry dtaa/chinook.db  ->   Did you mean “data/chinook.db”?
  package static func question(about error: DatabaseOpenError) -> String? {
    guard error.kind == .noSuchFile else { return nil }
    let near = paths(near: error.path).map { "“\(PathText.shown($0))”" }
    return near.isEmpty ? nil : "Did you mean \(near.joined(separator: " or "))?"
  }

  /// The largest number of suggestions, and of folders in which files are searched.
  private static let limit = 3

  /// Returns the paths of existing files that differ from a missing one by a few letters in any part, or by the extension.
  static func paths(near path: String) -> [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard let name = parts.last, !path.hasSuffix("/") else { return [] }
    var folders = [path.hasPrefix("/") ? "/" : ""]
    for part in parts.dropLast() {
      folders = Array(folders.flatMap { Self.folders(part, in: $0) }.prefix(limit))
    }
    return Array(folders.flatMap { files(name, in: $0) }.prefix(limit))
  }

  /// Returns the folders named `name` in a folder, or else those with similar names, each with a trailing slash.
  private static func folders(_ name: String, in folder: String) -> [String] {
    if isFolder(folder + name) { return [folder + name + "/"] }
    let near = NearestNames.to(name, among: names(in: folder), limit: limit * limit)
    return near.map { folder + $0 }.filter(isFolder).prefix(limit).map { $0 + "/" }
  }

  /// Returns the files named `name` in a folder, or else those with similar names.
  private static func files(_ name: String, in folder: String) -> [String] {
    let path = folder + name
    if FileManager.default.fileExists(atPath: path), !isFolder(path) { return [path] }
    let names = names(in: folder).filter { name in !journals.contains { name.hasSuffix($0) } }
    let data = names.filter { extensions.contains(parts(of: $0).ending.lowercased()) }
    let stem = parts(of: name).stem
    let otherExtensions = data.filter { parts(of: $0).stem.lowercased() == stem.lowercased() }.map { folder + $0 }.filter { !isFolder($0) }
    if !otherExtensions.isEmpty { return otherExtensions }
    let stems = NearestNames.to(stem, among: Set(data.map { parts(of: $0).stem }), limit: limit)
    let sameStems = stems.flatMap { stem in data.filter { parts(of: $0).stem == stem } }
    let near = NearestNames.to(name, among: names, limit: limit * limit) + sameStems
    let unique = near.enumerated().filter { near.firstIndex(of: $1) == $0 }.map(\.element)
    return unique.map { folder + $0 }.filter { !isFolder($0) }
  }

  private static let journals = ["-journal", "-wal", "-shm"]

  /// The usual extensions of databases, and of files that become tables.
  private static let extensions: Set = [
    "db", "db3", "sqlite", "sqlite3", "s3db", "csv", "tsv", "json", "jsonl", "ndjson",
  ]

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))?.sorted() ?? []
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// Returns the name without its extension, and the extension.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return (name, "") }
    return (String(name[..<point]), String(name[name.index(after: point)...]))
  }
}
