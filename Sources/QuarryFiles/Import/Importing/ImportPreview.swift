public import QuarryEngine

/// The preview of an import, determined from the first megabyte of the file.
public struct ImportPreview: Hashable, Sendable {
  /// The dialect of a delimited text, or nil for JSON.
  public var dialect: DelimitedDialect?
  /// The encoding of the text.
  public var encoding: TextEncoding
  /// The size of the file in bytes, or nil for a pipe.
  public var byteCount: Int?
  /// The key of the table in a JSON file with several tables.
  ///
  /// Otherwise nil.
  public var tableInFile: String?
  /// The keys of the tables at the beginning of such a file, in order.
  public var tablesInFile: [String] = []
  /// The columns of the file, in order.
  public var columns: [ImportColumn]
  /// The first rows as they would be stored: the values of the columns with a target, in order.
  public var rows: [[DatabaseValue]] = []
  /// The line of the file on which each row begins.
  public var lines: [Int] = []
  /// The malformed records in the part read so far.
  public var faults: [RecordFault] = []
  /// Detected properties that the user should know, as sentences such as `the separator is “;”`.
  public var notes: [String] = []
  /// Problems that prevent the import, one sentence each with a suggested solution.
  ///
  /// Empty if the import can run.
  public var problems: [String] = []

  /// The columns that are imported.
  public var imported: [ImportColumn] { columns.filter { $0.target != nil } }
}

/// A column of a file to import.
public struct ImportColumn: Hashable, Sendable {
  /// The column of the file.
  public var source: RecordColumn
  /// The name of the table's column, or nil if the column is not imported.
  public var target: String?
  /// The type as which its values are bound.
  public var type: ImportType
  /// The current or future declared type of the table's column, or empty if it has none.
  public var declaredType: String
  /// Whether the user has set the type.
  public var isTypeGiven = false
  /// The names of similar columns, most similar first, if no column has its name.
  public var nearest: [String] = []
}
