/// How the fields of a delimited text are told apart.
public struct DelimitedDialect: Hashable, Sendable {
  /// The byte between two fields, such as that of `,`; nil where each line is one field.
  public var separator: UInt8?
  /// Whether the first record has the names of the columns.
  public var hasHeader: Bool
  /// The byte that ends a line: LF, which a CR may precede, or CR alone, as old Macintosh programs write it.
  public var lineEnd: UInt8 = 0x0A
  /// Whether all fields stand in quotes, which then do not tell a text from a number.
  public var quotesAll = false
  /// What a line begins with that is a comment, in UTF-8; empty for no comments.
  public var comment: [UInt8] = []

  package init(separator: UInt8? = nil, hasHeader: Bool, lineEnd: UInt8 = 0x0A, quotesAll: Bool = false, comment: [UInt8] = []) {
    self.separator = separator
    self.hasHeader = hasHeader
    self.lineEnd = lineEnd
    self.quotesAll = quotesAll
    self.comment = comment
  }

  /// The separators that are looked for in a file, the likelier first.
  public static let knownSeparators: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
}

/// How a text is encoded.
public enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1: each byte is the character of its number.
  case latin1
  /// What Windows makes of Latin-1: curly quotes and the euro sign among 0x80 to 0x9F.
  case windows1252 = "windows-1252"
}

extension TextEncoding {
  /// The name of the encoding for people.
  package var title: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .latin1: "Latin-1"
    case .windows1252: "Windows-1252"
    }
  }
}

/// What a person says of a file; what is nil is found by its content.
public struct RecordReadingOptions: Hashable, Sendable {
  /// The encoding; found by the byte order mark, else UTF-8.
  public var encoding: TextEncoding?
  /// The separator of a delimited text, a byte of ASCII.
  public var separator: UInt8?
  /// Whether the first record of a delimited text has the names of the columns.
  public var hasHeader: Bool?
  /// The number of lines before the first record of a delimited text; nil to find titles by themselves.
  public var skippedLines: Int?
  /// What a line of a delimited text begins with that is a comment, in UTF-8; empty for no comments.
  public var comment: [UInt8] = []
  /// Names of columns by which a header is known, in UTF-8 and lower case.
  package var knownNames: Set<[UInt8]> = []

  /// Creates options.
  public init(
    encoding: TextEncoding? = nil, separator: UInt8? = nil, hasHeader: Bool? = nil, skippedLines: Int? = nil, comment: [UInt8] = []
  ) {
    (self.encoding, self.separator, self.hasHeader) = (encoding, separator, hasHeader)
    (self.skippedLines, self.comment) = (skippedLines, comment)
  }
}
