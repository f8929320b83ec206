import QuarryEngine
package import QuarryFiles

/// The tables that are read from files, in a private database that is deleted when the program ends.
package struct FileTablesState: Sendable {
  /// The tables, with their current states.
  package var tables: [FileTable] = []
  /// Whether some of them are still being read.
  package var areReading = false
  /// Whether a committed change is lost when the private database is deleted.
  var haveChangedCopies = false

  /// Returns the file that a table is read from; nil for other tables.
  func file(of table: TableReference) -> FileTable? {
    table.database == "main" ? tables.first { $0.name.isSameIdentifier(as: table.name) } : nil
  }

  /// Returns whether a database is the private one: the database of tables that are read from files.
  func isPrivate(_ database: String) -> Bool { database == "main" && !tables.isEmpty }

  /// Returns whether a table exists only while the program runs: in the private database, and not read from a file.
  func isOnlyPrivate(_ table: TableReference) -> Bool {
    isPrivate(table.database) && file(of: table) == nil
      && !tables.contains { $0.rejectsTable?.isSameIdentifier(as: table.name) == true }
  }
}
