import Essentials

/// The file beside one that is imported for the rows that fail.
enum RejectsFile {
  private static let ending = ".rejects.csv"

  /// Returns its path: `/tmp/sales.rejects.csv` for `/tmp/sales.csv`.
  static func path(for file: String) -> String {
    let start = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    let name = file[start...]
    return file[..<start] + name[..<(name.dropFirst().firstIndex(of: ".") ?? name.endIndex)] + ending
  }

  /// Returns a path at which nothing is there, so that no rows of a former import are lost: `/tmp/sales-2.rejects.csv`.
  static func free(_ path: String) -> String {
    var (free, number) = (path, 1)
    while FileManager.default.fileExists(atPath: free) {
      number += 1
      free = "\(path.dropLast(ending.count))-\(number)\(ending)"
    }
    return free
  }
}
