/// The files that the program was started with, for a command line that opens them again.
package struct OpenedFiles: Hashable, Sendable {
  /// One file.
  package struct File: Hashable, Sendable {
    /// The path as entered.
    package var path: String
    /// The name of the database of its tables: `main`, or the stem of an attached database.
    package var database: String

    /// Creates a file.
    package init(path: String, database: String) {
      self.path = path
      self.database = database
    }
  }

  /// The files, in the order of the command line.
  package var files: [File]
  /// The options for opening the files: `--immutable`, `--types`, `id:text`.
  package var options: [String]

  /// Creates the list of the opened files.
  package init(_ files: [File] = [], options: [String] = []) {
    self.files = files
    self.options = options
  }

  /// Returns the paths of the files whose tables belong to a database; empty if the database was attached later.
  func paths(of database: String) -> [String] {
    files.filter { $0.database == database }.map(\.path)
  }

  /// Why no command line can name the open database; nil if one can.
  var obstacle: String? { files.isEmpty ? "no open file can be named on a command line" : nil }
}
