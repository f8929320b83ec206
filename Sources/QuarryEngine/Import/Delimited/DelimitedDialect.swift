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

/// What a person says of a file; what is nil is found by its content.
public struct RecordReadingOptions: Hashable, Sendable {
  /// The encoding; found by the byte order mark, else UTF-8.
  public var encoding: TextEncoding?
  /// The separator of a delimited text, a byte of ASCII.
  public var separator: UInt8?
  /// Whether the first record of a delimited text has the names of the columns.
  public var hasHeader: Bool?

  /// Creates options.
  public init(encoding: TextEncoding? = nil, separator: UInt8? = nil, hasHeader: Bool? = nil) {
    (self.encoding, self.separator, self.hasHeader) = (encoding, separator, hasHeader)
  }
}
