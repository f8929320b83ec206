/// What a person should know of how a file was read, in sentences.
enum RecordNotes {
  /// Tells what was found out about a file and is not as one would expect.
  static func notes(on reader: any RecordReader, columns: [RecordColumn]) -> [String] {
    var notes: [String] = []
    if let dialect = reader.dialect {
      if let separator = dialect.separator, separator != UInt8(ascii: ",") { notes.append("the separator is \(name(of: separator))") }
      if dialect.quotesAll { notes.append("every field stands in quotes: a column of numbers is one even so") }
      if !dialect.hasHeader { notes.append("the first line is a row: the file has no header") }
    }
    if reader.encoding != .utf8 { notes.append("the encoding is \(reader.encoding.rawValue)") }
    guard reader.dialect?.hasHeader != false else { return notes }
    for (index, column) in columns.enumerated() where column.isRenamed {
      let given = column.nameInFile.isEmpty ? "has no name" : "is “\(column.nameInFile)”"
      notes.append("column \(index + 1) \(given) in the file, and is called “\(column.name)”")
    }
    return notes
  }

  /// Tells that lines without anything were passed over; nil where there were none.
  static func note(onBlankLines count: Int) -> String? {
    count == 0 ? nil : "\(Plural.of(count, "empty line")) \(count == 1 ? "was" : "were") passed over"
  }

  /// Tells what an object has beside its arrays of records; nil where there is nothing else.
  static func note(onPassedOver keys: [String]) -> String? {
    if keys.isEmpty { return nil }
    let names = keys.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
    let more = keys.count > 5 ? " and \(Plural.grouped(keys.count - 5)) more" : ""
    return "the rows are those of an array of objects in the file; \(names)\(more) beside it \(keys.count == 1 ? "was" : "were") left out"
  }

  private static func name(of separator: UInt8) -> String {
    separator == 0x09 ? "a tab" : "“\(Character(Unicode.Scalar(separator)))”"
  }
}
