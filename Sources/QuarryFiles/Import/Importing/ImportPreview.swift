public import QuarryEngine

/// What an import is going to do, as far as the first megabyte of the file tells.
public struct ImportPreview: Hashable, Sendable {
  /// How the fields of a delimited text are told apart; nil for JSON.
  public var dialect: DelimitedDialect?
  /// How the text is encoded.
  public var encoding: TextEncoding
  /// The size of the file in bytes; nil for a pipe.
  public var byteCount: Int?
  /// The key of the table in a JSON file that has several.
  public var tableInFile: String?
  /// The keys of the tables that the beginning of such a file has, in their order.
  public var tablesInFile: [String] = []
  /// The columns of the file, in their order.
  public var columns: [ImportColumn]
  /// The first rows as they would be stored: the values of the columns that have a target, in their order.
  public var rows: [[DatabaseValue]] = []
  /// The line of the file on which each of the rows begins.
  public var lines: [Int] = []
  /// What is no record, among what was read so far.
  public var faults: [RecordFault] = []
  /// What was decided and a person should know, as sentences such as `the separator is “;”`.
  public var notes: [String] = []
  /// What stands in the way, each a sentence with the way out; empty where the import can run.
  public var problems: [String] = []

  /// The columns that are imported.
  public var imported: [ImportColumn] { columns.filter { $0.target != nil } }
}

/// A column of a file that is imported.
public struct ImportColumn: Hashable, Sendable {
  /// The column of the file.
  public var source: RecordColumn
  /// The name of the column of the table; nil where it is not imported.
  public var target: String?
  /// What its values are bound as.
  public var type: ImportType
  /// The type of the column of the table as it is declared, or will be; empty for none.
  public var declaredType: String
  /// Whether a person has chosen the type.
  public var isTypeGiven = false
  /// The names of columns that it may have meant, nearest first, where none has its name.
  public var nearest: [String] = []
}
