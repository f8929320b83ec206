/// A column of a file.
public struct RecordColumn: Hashable, Sendable {
  /// Its name, which no other column of the table has, whatever the case of its letters.
  public var name: String
  /// The name that the file gives it, empty where it gives none.
  public var nameInFile: String

  /// Whether it has another name than in the file, because that one is empty, cannot be a name in SQL, or is another column's too.
  public var isRenamed: Bool { name != nameInFile }
}

/// A table that a file has.
public struct RecordTable: Hashable, Sendable {
  /// Its number among the tables of the file, from 0.
  public var index: Int
  /// The key under which a JSON object has it; nil where the whole file is one table.
  public var name: String?
  /// Whether the file has no other table, so that it is named after the file.
  public var isOnly = true
  /// The columns that are known so far: those of a JSON file grow in number when an object has a key that none before it had.
  public var columns: [RecordColumn] = []
}

/// A file that is read record by record.
///
/// One thread uses it at a time.
package protocol RecordReader: AnyObject, Sendable {
  /// How the fields of a delimited text are told apart, as found or given; nil for JSON.
  var dialect: DelimitedDialect? { get }
  /// The titles of a delimited text that were left out.
  var titles: TitleLines { get }
  /// The lines of a delimited text that were skipped as a person has said.
  var skippedLines: Int { get }
  /// How the text is encoded, as found or given.
  var encoding: TextEncoding { get }
  /// The size of the file when it was opened, in bytes; nil for a pipe.
  var byteCount: Int? { get }
  /// The first table, with the columns that are known before a record is read: all those of a delimited text, none of JSON.
  var firstTable: RecordTable { get }

  /// Fills a batch with the next records.
  ///
  /// All of them belong to one table. Those of a pipe are handed on as they come, so a batch may have few; one without a record has faults
  /// or blank lines, or stands for a table without records.
  ///
  /// - Returns: False at the end, when the batch is empty.
  /// - Throws: ``FileReadError``, after all records before the fault have been handed on; `CancellationError` once the source is cancelled,
  ///   even while it waits for a pipe.
  func read(into batch: RecordBatch) throws -> Bool
}
