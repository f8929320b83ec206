public import QuarryEngine

/// What is to be read from a file into a table, and how.
///
/// ```swift
/// var plan = ImportPlan(path: "tracks.csv", into: .existing(TableReference(name: "Track")))
/// plan.mapping = ["Titel": "Name"]
/// plan.onConflict = .update
/// let importer = try Importer(plan, in: db)
/// importer.preview.rows  // the first rows as they would be stored
/// let result = try importer.run(in: db)
/// ```
public struct ImportPlan: Hashable, Sendable {
  /// The table that the rows go to.
  public enum Target: Hashable, Sendable {
    /// One that is made, of the columns and types of the file.
    case new(TableReference)
    /// One that is there.
    case existing(TableReference)

    /// The table.
    public var table: TableReference {
      switch self {
      case .new(let table), .existing(let table): table
      }
    }
  }

  /// What becomes of a row that has a key which another row has already.
  public enum ConflictRule: String, Hashable, Sendable, CaseIterable {
    /// It fails, as does a row that breaks any other rule of the table.
    case abort
    /// It is left out.
    case ignore
    /// The other row is deleted.
    case replace
    /// The other row, which has the same primary key, gets its values.
    case update
  }

  /// The path of the file; `-` for standard input.
  public var path: String
  /// What is known of how the file is written; the rest is found by its content.
  public var reading: RecordReadingOptions
  /// The key of the table in a JSON file that has several; nil for the one named as the target, else the first.
  public var tableInFile: String?
  /// The table that the rows go to.
  public var target: Target
  /// The columns of the file that are read; nil for all.
  ///
  /// Where the file has no header, the names of its columns from the left.
  public var columns: [String]?
  /// The columns of the table for those of the file that have other names, by the names in the file.
  public var mapping: [String: String] = [:]
  /// The types of columns of a new table, by their names in the file or in the table; those of others are found by their values.
  ///
  /// In a table that is there they say what is bound, before the column makes of it what its own type says: a text, for one of `text`.
  public var types: [String: ImportType] = [:]
  /// What becomes of a row whose key another row has.
  public var onConflict = ConflictRule.abort
  /// The path of the file that takes the rows that fail, each with its line and reason; nil where the first one ends the import.
  ///
  /// A file that is there stands against the import.
  public var rejectsPath: String?
  /// Whether everything is tried and nothing written.
  public var isDryRun = false

  /// Whether rows that turn out to refer to none, once all are written, have to be left out by reading the file again: what they have replaced
  /// or changed would not come back if they were deleted.
  var mayReadAgain: Bool {
    guard case .existing = target, rejectsPath != nil else { return false }
    return onConflict == .replace || onConflict == .update
  }

  /// What is known of how the file is written, with the names by which its header is known: those of the columns of the table, and those that a
  /// person has named.
  func readingOptions(into schema: TableSchema?) -> RecordReadingOptions {
    var options = reading
    let names = (schema?.columns.map(\.name) ?? []) + Array(mapping.keys) + (columns ?? [])
    options.knownNames = Set(names.map { Array($0.asciiLowercased.utf8) })
    return options
  }

  /// Makes a plan of what is found by itself.
  public init(path: String, into target: Target, reading: RecordReadingOptions = RecordReadingOptions()) {
    (self.path, self.target, self.reading) = (path, target, reading)
  }
}
