/// The files that the program was started with, as a command line names them again.
package struct OpenedFiles: Hashable, Sendable {
  /// One file.
  package struct File: Hashable, Sendable {
    /// The path as it was written.
    package var path: String
    /// The name of the database that its tables belong to: `main`, or the stem of a database that is attached.
    package var database: String

    /// Makes a file.
    package init(path: String, database: String) {
      self.path = path
      self.database = database
    }
  }

  /// The files, in the order of the command line.
  package var files: [File]
  /// The options that say how they are opened: `--immutable`, `--types`, `id:text`.
  package var options: [String]

  /// Makes the list of the files that were opened.
  package init(_ files: [File] = [], options: [String] = []) {
    self.files = files
    self.options = options
  }

  /// Returns the paths of the files whose tables belong to a database; none where it was attached later.
  func paths(of database: String) -> [String] {
    files.filter { $0.database == database }.map(\.path)
  }
}
