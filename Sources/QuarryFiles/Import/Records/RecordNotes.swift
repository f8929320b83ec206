internal import QuarryEngine

/// Sentences for the user about how a file was read.
enum RecordNotes {
  /// Returns notes on unusual detected properties of a file.
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

  /// Returns notes on lines skipped before the first record of a file.
  static func notes(onPreambleOf reader: any RecordReader) -> [String] {
    var notes: [String] = []
    if reader.skippedLines > 0 { notes.append("left out the first \(Plural.of(reader.skippedLines, "line")), as --skip says") }
    let titles = reader.titles
    guard titles.count > 0 else { return notes }
    let place = titles.count == 1 ? "on line" : "the first on line"
    notes.append(
      """
      left out \(Plural.of(titles.count, "title line")) before the records, \(place) \(Plural.grouped(titles.first)): “\(titles.shownText)” \
      (--skip 0 reads \(titles.count == 1 ? "it" : "them"))
      """)
    return notes
  }

  /// Returns a note on skipped comment lines, or nil if there are none.
  static func note(onComments count: Int) -> String? { count == 0 ? nil : "left out \(Plural.of(count, "comment line"))" }

  /// Returns a note on skipped empty lines, or nil if there are none.
  static func note(onBlankLines count: Int) -> String? {
    count == 0 ? nil : "\(Plural.of(count, "empty line")) \(count == 1 ? "was" : "were") passed over"
  }

  /// Returns a note on the other members of an object besides its arrays of records, or nil if there are none.
  static func note(onPassedOver keys: PassedOverKeys) -> String? {
    if keys.count == 0 { return nil }
    let names = keys.first.map { "“\($0)”" }.joined(separator: ", ")
    let more = keys.count > keys.first.count ? " and \(Plural.grouped(keys.count - keys.first.count)) more" : ""
    return "the rows are those of an array of objects in the file; \(names)\(more) beside it \(keys.count == 1 ? "was" : "were") left out"
  }

  private static func name(of separator: UInt8) -> String {
    separator == 0x09 ? "a tab" : "“\(Character(Unicode.Scalar(separator)))”"
  }
}
