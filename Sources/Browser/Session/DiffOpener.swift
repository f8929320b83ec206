package import QuarryChanges
internal import QuarryEngine
internal import Synchronization

/// Two databases to compare, and the parts of them that are compared.
package struct DiffSubject: Hashable, Sendable {
  /// A database: its name on the screen, and its path or address, or nil for the open database.
  package struct Place: Hashable, Sendable {
    package var name: String
    package var path: String?

    package init(name: String, path: String?) {
      (self.name, self.path) = (name, path)
    }
  }

  package var old: Place
  package var new: Place
  /// The tables to compare, or nil for all.
  package var tables: [String]?
  /// The columns that match rows, or nil for the primary key.
  package var key: [String]?
  /// The columns that are not compared.
  package var ignored: [String] = []
  package var comparesSchema = true
  package var comparesRows = true

  package init(_ old: Place, _ new: Place) {
    (self.old, self.new) = (old, new)
  }

  /// Returns the comparison of two opened sides.
  package func diff(_ from: any DiffSide, _ to: any DiffSide) -> DatabaseDiff {
    var diff = DatabaseDiff(from, to)
    (diff.tables, diff.key, diff.ignored) = (tables, key, ignored)
    return diff
  }
}

/// The functions that open the databases of a comparison, and write their differences to a file.
package struct DiffOpener: Sendable {
  /// Opens a database; the path is nil for the open one.
  ///
  /// A side that is only watched reads the file again each time, and its state changes with the file.
  package var open: @Sendable (_ path: String?, _ isWatched: Bool) throws -> any DiffSide
  /// Compares again, and writes the differences to a file, in the format with this name; returns the number of bytes.
  package var export: @Sendable (_ subject: DiffSubject, _ format: String, _ path: String) async throws -> Void
  /// The outcome of the last comparison.
  package let outcome = DiffOutcome()

  package init(
    open: @escaping @Sendable (_ path: String?, _ isWatched: Bool) throws -> any DiffSide,
    export: @escaping @Sendable (_ subject: DiffSubject, _ format: String, _ path: String) async throws -> Void
  ) {
    (self.open, self.export) = (open, export)
  }

  /// Opens both databases.
  func sides(of subject: DiffSubject, isWatched: Bool = false) throws -> (from: any DiffSide, to: any DiffSide) {
    (try open(subject.old.path, isWatched), try open(subject.new.path, isWatched))
  }
}

/// The outcome of the last comparison, from which a program derives its exit status.
package final class DiffOutcome: Sendable {
  private let state = Mutex<Result<Bool, any Error>>(.success(false))

  /// Whether the databases were compared to the end and are the same.
  ///
  /// - Throws: The error that ended the comparison.
  package func isSame() throws -> Bool { try state.withLock(\.self).get() }

  func note(_ result: Result<Bool, any Error>) { state.withLock { $0 = result } }
}
