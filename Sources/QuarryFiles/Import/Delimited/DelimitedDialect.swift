/// The syntax of a delimited text.
public struct DelimitedDialect: Hashable, Sendable {
  /// The byte between two fields, such as `,`, or nil if each line is one field.
  public var separator: UInt8?
  /// Whether the first record contains the column names.
  public var hasHeader: Bool
  /// Whether the user has decided ``hasHeader``.
  public internal(set) var isHeaderGiven = false
  /// The byte that ends a line: LF, optionally after a CR, or CR alone, as in files of old Macintosh programs.
  public var lineEnd: UInt8 = 0x0A
  /// Whether all fields are quoted, so that quotes do not distinguish text from numbers.
  public var quotesAll = false
  /// The prefix of comment lines in UTF-8, or empty for no comments.
  public var comment: [UInt8] = []

  package init(separator: UInt8? = nil, hasHeader: Bool, lineEnd: UInt8 = 0x0A, quotesAll: Bool = false, comment: [UInt8] = []) {
    self.separator = separator
    self.hasHeader = hasHeader
    self.lineEnd = lineEnd
    self.quotesAll = quotesAll
    self.comment = comment
  }

  /// The separators to detect, the most probable first.
  public static let knownSeparators: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
}

/// The encoding of a text.
public enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1: each byte is the character with its number.
  case latin1
  /// The Windows extension of Latin-1, with curly quotes and the euro sign in 0x80 to 0x9F.
  case windows1252 = "windows-1252"
}

extension TextEncoding {
  /// The name of the encoding for display.
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

/// The options for reading a file.
///
/// Nil values are detected from its content.
public struct RecordReadingOptions: Hashable, Sendable {
  /// The encoding.
  ///
  /// By default detected from the byte order mark, or else UTF-8.
  public var encoding: TextEncoding?
  /// The separator of a delimited text, an ASCII byte.
  public var separator: UInt8?
  /// Whether the first record of a delimited text contains the column names.
  public var hasHeader: Bool?
  /// The number of lines before the first record of a delimited text, or nil to detect titles.
  public var skippedLines: Int?
  /// The prefix of comment lines in a delimited text, in UTF-8, or empty for no comments.
  public var comment: [UInt8] = []
  /// Column names that identify a header, in lowercase UTF-8.
  package var knownNames: Set<[UInt8]> = []

  /// Creates options.
  public init(
    encoding: TextEncoding? = nil, separator: UInt8? = nil, hasHeader: Bool? = nil, skippedLines: Int? = nil, comment: [UInt8] = []
  ) {
    (self.encoding, self.separator, self.hasHeader) = (encoding, separator, hasHeader)
    (self.skippedLines, self.comment) = (skippedLines, comment)
  }
}
