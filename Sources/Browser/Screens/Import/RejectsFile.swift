import Essentials

/// The rejects file: a file beside an imported file with the rows that failed.
enum RejectsFile {
  private static let ending = ".rejects.csv"

  /// Returns the path: `/tmp/sales.rejects.csv` for `/tmp/sales.csv`.
  static func path(for file: String) -> String {
    let start = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    let name = file[start...]
    return file[..<start] + name[..<(name.dropFirst().firstIndex(of: ".") ?? name.endIndex)] + ending
  }

  /// Returns an unused path, so that rows of a former import are not overwritten: `/tmp/sales-2.rejects.csv`.
  static func free(_ path: String) -> String {
    var (free, number) = (path, 1)
    while FileManager.default.fileExists(atPath: free) {
      number += 1
      free = "\(path.dropLast(ending.count))-\(number)\(ending)"
    }
    return free
  }
}
