internal import ArgumentParser
internal import QuarryFiles

/// Options for reading files other than databases: CSV and other delimited texts, JSON.
struct DataFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Set the types of CSV and JSON columns: \(ImportType.names).", valueName: "name:type,…"))
  var types: ColumnTypes?

  @Option(help: ArgumentHelp("Read the first line of a CSV file as column names: yes, no or auto.", valueName: "choice"))
  var header = HeaderChoice.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Field separator of CSV files: one character or tab. Detected by default.", valueName: "char"))
  var separator: Separator?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip the first lines of a CSV file. Titles before the header are detected by default.", valueName: "n"),
    transform: RowsVerb.rowCount)
  var skip: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Skip lines of a CSV file that begin with a text such as #.", valueName: "text"),
    transform: readComment)
  var comment: String?

  @Option(help: ArgumentHelp("Text encoding: \(encodingNames). Detected by default.", valueName: "name"), transform: readEncoding)
  var encoding: TextEncoding?

  private static let encodingNames = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")

  private static func readEncoding(_ name: String) throws -> TextEncoding {
    guard let encoding = TextEncoding(rawValue: name.lowercased()) else { throw ValidationError("give one of \(encodingNames)") }
    return encoding
  }

  private static func readComment(_ text: String) throws -> String {
    guard let first = text.unicodeScalars.first, first != "\"", !text.contains(where: \.isNewline) else {
      throw ValidationError("give the text that comments begin with, such as # or --")
    }
    return text
  }

  /// The known options of the files.
  var reading: RecordReadingOptions {
    RecordReadingOptions(
      encoding: encoding, separator: separator?.byte, hasHeader: header.hasHeader, skippedLines: skip, comment: Array((comment ?? "").utf8))
  }

  /// Whether no options are given.
  var isPlain: Bool { types == nil && reading == RecordReadingOptions() }

  /// The options as written on a command line.
  var words: [String] {
    var words: [String] = []
    if let types { words += ["--types", types.argument] }
    if header != .auto { words += ["--header", header.rawValue] }
    if let separator { words += ["--separator", separator.argument] }
    if let skip { words += ["--skip", String(skip)] }
    if let comment { words += ["--comment", comment] }
    if let encoding { words += ["--encoding", encoding.rawValue] }
    return words
  }
}

enum HeaderChoice: String, CaseIterable, ExpressibleByArgument {
  case yes, no, auto

  var hasHeader: Bool? {
    switch self {
    case .yes: true
    case .no: false
    case .auto: nil
    }
  }
}

/// A field separator: an ASCII character or its name.
struct Separator: ExpressibleByArgument {
  let byte: UInt8
  let argument: String

  init?(argument: String) {
    self.argument = argument
    if ["tab", "\\t"].contains(argument.lowercased()) {
      byte = UInt8(ascii: "\t")
    } else {
      // Quotes and line ends have a special meaning.
      guard argument.utf8.count == 1, let byte = argument.utf8.first, byte < 0x80, !"\"\r\n\0".utf8.contains(byte) else { return nil }
      self.byte = byte
    }
  }
}

/// Comma-separated names of columns with their types: `id:text,amount:real`.
///
/// A name with a comma is enclosed with its type in double quotes.
struct ColumnTypes: ExpressibleByArgument, Hashable {
  let argument: String
  let types: [String: ImportType]

  init?(argument: String) {
    self.argument = argument
    guard let list = ColumnList(argument: argument) else { return nil }
    var types: [String: ImportType] = [:]
    for entry in list.names {
      guard let colon = entry.lastIndex(of: ":"), colon > entry.startIndex,
        let type = ImportType(named: String(entry[entry.index(after: colon)...]))
      else { return nil }
      types[String(entry[..<colon])] = type
    }
    self.types = types
  }
}
