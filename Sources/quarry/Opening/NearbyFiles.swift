internal import Essentials
internal import QuarryEngine

/// The files with names similar to a missing one.
enum NearbyFiles {
  /// Returns a question with similar names, preceded by a blank, or an empty text if there are none.
  ///
  ///     quarry chinok.db   ->   Did you mean “chinook.db”?
  static func question(about error: DatabaseOpenError) -> String {
    guard error.kind == .noSuchFile else { return "" }
    let (folder, name) = parts(of: error.path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let near = NearestNames.to(name, among: names).map { "“\(folder)\($0)”" }
    return near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
  }

  /// Returns the folder of a path including the trailing slash, and the name in it.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }
}
