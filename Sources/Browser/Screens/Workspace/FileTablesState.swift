import QuarryEngine
package import QuarryFiles

/// The tables that are made of files, in a private database which goes with the program.
package struct FileTablesState: Sendable {
  /// The tables, with what is known of them by now.
  package var tables: [FileTable] = []
  /// Whether some of them are still being read.
  package var areReading = false
  /// Whether something was committed that goes with their private database.
  var haveChangedCopies = false

  /// Returns what is known of the file that a table is made of; nil where it is made of none.
  func file(of table: TableReference) -> FileTable? {
    table.database == "main" ? tables.first { $0.name.isSameIdentifier(as: table.name) } : nil
  }

  /// Whether a table's database goes with the program: that of the tables that are made of files.
  func isPrivate(_ database: String) -> Bool { database == "main" && !tables.isEmpty }

  /// Whether a table is there for as long as the program only: in the private database, and made of no file.
  func isOnlyPrivate(_ table: TableReference) -> Bool {
    isPrivate(table.database) && file(of: table) == nil
      && !tables.contains { $0.rejectsTable?.isSameIdentifier(as: table.name) == true }
  }
}
