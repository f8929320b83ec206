/// A column of a file.
public struct RecordColumn: Hashable, Sendable {
  /// The name, which is unique in the table, ignoring case.
  public var name: String
  /// The name in the file, or empty if it has none.
  public var nameInFile: String

  /// Whether the name differs from that in the file, because that name is empty, not valid in SQL, or not unique.
  public var isRenamed: Bool { name != nameInFile }
}

/// A table in a file.
public struct RecordTable: Hashable, Sendable {
  /// The index of the table in the file, from 0.
  public var index: Int
  /// The key of the table in a JSON object, or nil if the whole file is one table.
  public var name: String?
  /// Whether the file has no other table, so that the table is named after the file.
  public var isOnly = true
  /// Whether an earlier table of the file has the same name.
  var isNamesake = false
  /// The columns known so far.
  ///
  /// A JSON file adds columns when an object has a new key.
  public var columns: [RecordColumn] = []
}

/// A reader of a file, record by record.
///
/// Only one thread may use it at a time.
package protocol RecordReader: AnyObject, Sendable {
  /// The detected or given dialect of a delimited text, or nil for JSON.
  var dialect: DelimitedDialect? { get }
  /// The title lines of a delimited text that were skipped.
  var titles: TitleLines { get }
  /// The number of lines of a delimited text skipped at the user's request.
  var skippedLines: Int { get }
  /// The detected or given encoding of the text.
  var encoding: TextEncoding { get }
  /// The size of the file in bytes when it was opened, or nil for a pipe.
  var byteCount: Int? { get }
  /// The first table, with the columns known before the first record: all columns of a delimited text, none of JSON.
  var firstTable: RecordTable { get }

  /// Fills a batch with the next records.
  ///
  /// All of them belong to one table. Records of a pipe are returned as they arrive, so a batch may contain few. A batch without records
  /// contains faults or empty lines, or represents a table without records.
  ///
  /// - Returns: False at the end, when the batch is empty.
  /// - Throws: ``FileReadError``, after all records before the fault have been returned. `CancellationError` once the source is cancelled,
  ///   even while it waits for a pipe.
  func read(into batch: RecordBatch) throws -> Bool
}
