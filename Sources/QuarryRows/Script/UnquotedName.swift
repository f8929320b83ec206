internal import QuarryEngine

/// A keyword that SQLite rejected in a statement, probably intended as the unquoted name of a table or column.
///
/// ```swift
/// let unquoted = UnquotedName(message: "near \"Order\": syntax error", in: "SELECT * FROM Order Details", at: 14, schema: schema)
/// unquoted?.name     // "Order Details", with its quotes
/// unquoted?.range    // 14..<27
/// ```
public struct UnquotedName: Hashable, Sendable {
  /// The keyword as written.
  public var keyword: String
  /// The range of the name, in bytes of the statement.
  public var range: Range<Int>
  /// The intended name, quoted for SQL; nil if a table is expected, but none has this name or a similar one.
  public var name: String?
  /// Whether the written name is the intended one and only needs quotes.
  private var isWritten = true

  /// Parses SQLite's message about a statement that does not compile; nil if it is not about a keyword that may be intended as a name.
  ///
  /// - Parameters:
  ///   - message: SQLite's message: `near "Order": syntax error`.
  ///   - offset: The position of the error, in bytes of the statement; nil if SQLite does not provide it.
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

  /// Returns whether SQLite's message may be about a keyword.
  public static func isMeant(by message: String) -> Bool { read(message) != nil }

  /// The correction as a sentence without a period.
  public var advice: String {
    guard let name else { return "\(keyword) is a keyword: write it as \(SQLIdentifier.quoted(keyword)) to use it as a name" }
    return isWritten ? "write it as \(name) to use it as a name" : "\(keyword) is a keyword; did you mean \(name)?"
  }

  private static func read(_ message: String) -> String? {
    let (beginning, end) = ("near \"", "\": syntax error")
    guard message.hasPrefix(beginning), message.hasSuffix(end), message.count > beginning.count + end.count else { return nil }
    return String(message.dropFirst(beginning.count).dropLast(end.count))
  }

  /// Returns whether the name of a table is expected at a token.
  private static func namesTable(_ tokens: StatementTokens, at index: Int) -> Bool {
    switch tokens.keyword(index - 1) {
    case .from, .join, .into, .table, .update, .exists: true
    default: false
    }
  }

  /// Returns the longest of the names with which a text begins.
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
