/// The tables at the beginning of a CSV or JSON file, with their columns and without their rows.
///
/// ```swift
/// try FileOutline(path: "sales.csv").tables  // [FileOutline.Table(name: "sales", columns: ["id", "amount"])]
/// ```
///
/// The tables have the names that ``FileTables`` gives them.
package struct FileOutline: Hashable, Sendable {
  /// A table with the names of its columns.
  package struct Table: Hashable, Sendable {
    package let name: String
    package fileprivate(set) var columns: [String]
  }

  package private(set) var tables: [Table] = []

  /// The number of bytes of JSON that are read.
  private static let mostBytes = 1 << 20

  /// Reads the beginning of a file.
  ///
  /// - Throws: ``FileReadError`` if the file cannot be read, or is no text with records.
  package init(path: String, reading: RecordReadingOptions = RecordReadingOptions()) throws {
    let reader = try RecordFile.open(path: path, options: reading)
    let names = FileTableStatus()
    if reader.dialect != nil {
      add(reader.firstTable, of: path, names)
      return
    }
    let batch = RecordBatch()
    var last: RecordTable?
    while try reader.read(into: batch) {
      if let last, last.index != batch.table.index { add(last, of: path, names) }
      last = batch.table
      if batch.sourceOffset >= Self.mostBytes { break }
    }
    if let last { add(last, of: path, names) }
  }

  private mutating func add(_ table: RecordTable, of path: String, _ names: FileTableStatus) {
    tables.append(Table(name: FileTableFill.name(of: table, in: path, names), columns: table.columns.map(\.name)))
  }
}
