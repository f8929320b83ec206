internal import QuarryEngine

/// Sentences for the user about how a file was read.
enum RecordNotes {
  /// Returns notes on unusual detected properties of a file.
  static func notes(on reader: any RecordReader, columns: [RecordColumn]) -> [String] {
    var notes: [String] = []
    if let dialect = reader.dialect {
      if let separator = dialect.separator, separator != UInt8(ascii: ",") { notes.append("the separator is \(name(of: separator))") }
      if dialect.quotesAll { notes.append("every field is quoted; columns of numbers are read as numbers") }
      if !dialect.hasHeader, !dialect.isHeaderGiven { notes.append("no header found: the first line looks like data") }
    }
    if reader.encoding != .utf8 { notes.append("the encoding is \(reader.encoding.rawValue)") }
    guard reader.dialect?.hasHeader != false else { return notes }
    for (index, column) in columns.enumerated() where column.isRenamed {
      let given = column.nameInFile.isEmpty ? "has no name" : "is “\(column.nameInFile)”"
      notes.append("column \(index + 1) \(given) in the file, and is named “\(column.name)”")
    }
    return notes
  }

  /// Returns notes on lines skipped before the first record of a file.
  static func notes(onPreambleOf reader: any RecordReader) -> [String] {
    var notes: [String] = []
    if reader.skippedLines > 0 { notes.append("skipped the first \(Plural.of(reader.skippedLines, "line")) (--skip)") }
    let titles = reader.titles
    guard titles.count > 0 else { return notes }
    let place = titles.count == 1 ? "on line" : "the first on line"
    notes.append(
      """
      skipped \(Plural.of(titles.count, "title line")) before the records, \(place) \(Plural.grouped(titles.first)): “\(titles.shownText)” \
      (--skip 0 reads \(titles.count == 1 ? "it" : "them"))
      """)
    return notes
  }

  /// Returns a note on skipped comment lines, or nil if there are none.
  static func note(onComments count: Int) -> String? { count == 0 ? nil : "skipped \(Plural.of(count, "comment line"))" }

  /// Returns a note on skipped empty lines, or nil if there are none.
  static func note(onBlankLines count: Int) -> String? {
    count == 0 ? nil : "skipped \(Plural.of(count, "empty line"))"
  }

  /// Returns a note on the other members of an object besides its arrays of records, or nil if there are none.
  static func note(onPassedOver keys: PassedOverKeys) -> String? {
    if keys.count == 0 { return nil }
    let names = keys.first.map { "“\($0)”" }.joined(separator: ", ")
    let more = keys.count > keys.first.count ? " and \(Plural.grouped(keys.count - keys.first.count)) more" : ""
    return "the rows come from an array of objects in the file; skipped \(names)\(more) next to it"
  }

  private static func name(of separator: UInt8) -> String {
    separator == 0x09 ? "a tab" : "“\(Character(Unicode.Scalar(separator)))”"
  }
}
