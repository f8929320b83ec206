internal import Essentials
internal import QuarryEngine

/// The files whose names are like the one that was not found.
enum NearbyFiles {
  /// Returns a question that names them, with a blank before it; an empty text where there are none.
  ///
  ///     quarry chinok.db   ->   Did you mean “chinook.db”?
  static func question(about error: DatabaseOpenError) -> String {
    guard error.kind == .noSuchFile else { return "" }
    let (folder, name) = parts(of: error.path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let near = NearestNames.to(name, among: names).map { "“\(folder)\($0)”" }
    return near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
  }

  /// Returns the folder of a path, with the slash at its end, and the name in it.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }
}
