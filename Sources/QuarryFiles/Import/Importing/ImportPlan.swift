public import QuarryEngine

/// The description of an import: the file, the target table and the options.
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
  /// The table that receives the rows.
  public enum Target: Hashable, Sendable {
    /// A new table with the columns and types of the file.
    case new(TableReference)
    /// An existing table.
    case existing(TableReference)

    /// The table.
    public var table: TableReference {
      switch self {
      case .new(let table), .existing(let table): table
      }
    }
  }

  /// The treatment of a row whose key already exists.
  public enum ConflictRule: String, Hashable, Sendable, CaseIterable {
    /// The row is an error, like any other constraint violation.
    case abort
    /// The row is skipped.
    case ignore
    /// The existing row is deleted.
    case replace
    /// The existing row with the same primary key is updated, except for the columns that a JSON object has no key for.
    case update
  }

  /// The path of the file, or `-` for standard input.
  public var path: String
  /// The known options of the file format.
  ///
  /// The others are detected from the content.
  public var reading: RecordReadingOptions
  /// The key of the table in a JSON file with several tables.
  ///
  /// Nil for the table named like the target, or else the first one.
  public var tableInFile: String?
  /// The table that receives the rows.
  public var target: Target
  /// The columns of the file to import, or nil for all.
  ///
  /// In a file without a header, the names of its columns from the left.
  public var columns: [String]?
  /// The target columns of file columns with different names, by the names in the file.
  public var mapping: [String: String] = [:]
  /// The types of columns, by their names in the file or in the table.
  ///
  /// Missing types are inferred from the values.
  ///
  /// For an existing table, the type determines how a value is bound, before the column's affinity converts it. For `text` it is bound as
  /// text.
  public var types: [String: ImportType] = [:]
  /// The treatment of a row whose key already exists.
  public var onConflict = ConflictRule.abort
  /// The path of the file for rejected rows, each with its line and reason.
  ///
  /// Nil if the first failed row ends the import.
  ///
  /// An existing file prevents the import.
  public var rejectsPath: String?
  /// Whether the import is only tried and nothing is written.
  public var isDryRun = false

  /// Whether rows with dangling references, found once all are written, must be skipped by reading the file again.
  ///
  /// Deleting these rows would not restore the rows that they have replaced or changed.
  var mayReadAgain: Bool {
    guard case .existing = target, rejectsPath != nil else { return false }
    return onConflict == .replace || onConflict == .update
  }

  /// Returns the known options of the file format, with the names that identify a header: the table's columns and the names given by the
  /// user.
  func readingOptions(into schema: TableSchema?) -> RecordReadingOptions {
    var options = reading
    let names = (schema?.columns.map(\.name) ?? []) + Array(mapping.keys) + (columns ?? [])
    options.knownNames = Set(names.map { Array($0.asciiLowercased.utf8) })
    return options
  }

  /// Creates a plan with detected options.
  public init(path: String, into target: Target, reading: RecordReadingOptions = RecordReadingOptions()) {
    (self.path, self.target, self.reading) = (path, target, reading)
  }
}
