internal import QuarryEngine

/// A keyword in a statement where SQLite has not expected one, as it is meant for a name: that of a table or column, without its quotes.
///
/// ```swift
/// let unquoted = UnquotedName(message: "near \"Order\": syntax error", in: "SELECT * FROM Order Details", at: 14, schema: schema)
/// unquoted?.name     // "Order Details", with its quotes
/// unquoted?.range    // 14..<27
/// ```
public struct UnquotedName: Hashable, Sendable {
  /// The keyword, as it is written.
  public var keyword: String
  /// Where the name stands, in bytes of the statement.
  public var range: Range<Int>
  /// The name that is meant, as SQL spells it; nil where a table is to be named, and none is called this or nearly this.
  public var name: String?
  /// Whether the name is what is written, and needs only its quotes.
  private var isWritten = true

  /// Reads what SQLite says of a statement that does not compile; nil where it is not about a keyword that may be meant for a name.
  ///
  /// - Parameters:
  ///   - message: SQLite's own words: `near "Order": syntax error`.
  ///   - offset: where SQLite finds the fault, in bytes of the statement; nil where it does not tell.
  public init?(message: String, in sql: String, at offset: Int?, schema: SQLCompletionSchema) {
    guard let offset, let word = Self.read(message), Keyword(word.utf8) != nil else { return nil }
    let tokens = StatementTokens(sql)
    guard let index = (0..<tokens.count).first(where: { tokens[$0]?.range.lowerBound == offset }), let token = tokens[index] else {
      return nil
    }
    (keyword, range) = (word, token.range)
    let tables = schema.tables.map(\.reference.name)
    let namesTable = Self.namesTable(tokens, at: index)
    if let written = Self.written(in: tokens.bytes.dropFirst(offset), among: tables + schema.tables.flatMap { $0.columns.map(\.name) }) {
      range = offset..<offset + written.utf8.count
      name = SQLIdentifier.quoted(written)
    } else if namesTable {
      isWritten = false
      name = NearestNames.to(word, among: Set(tables), limit: 1).first.map(SQLIdentifier.quoted)
    } else {
      return nil
    }
  }

  /// Returns whether SQLite's words may be about a keyword.
  public static func isMeant(by message: String) -> Bool { read(message) != nil }

  /// What would do, as a sentence without its full stop.
  public var advice: String {
    guard let name else { return "\(keyword) is a keyword: as a name it is written \(SQLIdentifier.quoted(keyword))" }
    return isWritten ? "as a name it is written \(name)" : "\(keyword) is a keyword; is \(name) meant?"
  }

  private static func read(_ message: String) -> String? {
    let (beginning, end) = ("near \"", "\": syntax error")
    guard message.hasPrefix(beginning), message.hasSuffix(end), message.count > beginning.count + end.count else { return nil }
    return String(message.dropFirst(beginning.count).dropLast(end.count))
  }

  /// Returns whether a token stands where a table is to be named.
  private static func namesTable(_ tokens: StatementTokens, at index: Int) -> Bool {
    switch tokens.keyword(index - 1) {
    case .from, .join, .into, .table, .update, .exists: true
    default: false
    }
  }

  /// Returns the longest of the names that a text begins with.
  private static func written(in bytes: ArraySlice<UInt8>, among names: [String]) -> String? {
    let beginnings = names.filter { name in
      guard Keyword(name.utf8.prefix { $0 != UInt8(ascii: " ") }) != nil else { return false }
      let text = String(decoding: bytes.prefix(name.utf8.count), as: UTF8.self)
      let next = bytes.dropFirst(name.utf8.count).first
      return text.isSameIdentifier(as: name) && !(next.map(isLetter) ?? false)
    }
    return beginnings.max { $0.utf8.count < $1.utf8.count }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "_") || byte >= 0x80
    }
  }
}
