/// The names of tables, columns, indexes and collations as SQL spells them.
public enum SQLIdentifier {
  /// Returns `name` as an identifier of SQL: as it is where that is enough, else between double quotes.
  ///
  /// ```swift
  /// SQLIdentifier.quoted("title")          // title
  /// SQLIdentifier.quoted("Order Details")  // "Order Details"
  /// SQLIdentifier.quoted("group")          // "group"
  /// SQLIdentifier.quoted("6\" nail")       // "6"" nail"
  /// ```
  public static func quoted(_ name: String) -> String {
    isPlain(name) ? name : delimited(name, by: "\"")
  }

  /// Returns `text` between two of `quote`, each of those inside doubled.
  ///
  /// It goes by Unicode scalars: a quote that a combining mark follows is no character of its own to Swift, and yet a quote to SQL.
  static func delimited(_ text: String, by quote: Unicode.Scalar) -> String {
    var scalars = String.UnicodeScalarView([quote])
    for scalar in text.unicodeScalars {
      if scalar == quote { scalars.append(quote) }
      scalars.append(scalar)
    }
    scalars.append(quote)
    return String(scalars)
  }

  /// Whether `name` reads as an identifier without quotes.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.unicodeScalars.first != "\u{FEFF}" else { return false }
    var isASCII = true
    for byte in name.utf8 {
      guard isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "$") else { return false }
      isASCII = isASCII && byte < 0x80
    }
    return !(isASCII && isKeyword(name))
  }

  /// Whether `word` means something to SQL in any case: its keywords, and `true` and `false`, which are values where no column is so named.
  static func isKeyword(_ word: String) -> Bool {
    word.utf8.count <= longestKeyword && keywords.contains(word.uppercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static let longestKeyword = 17

  /// See <https://www.sqlite.org/lang_keywords.html>.
  static let keywords: Set<String> = [
    "ABORT", "ACTION", "ADD", "AFTER", "ALL", "ALTER", "ALWAYS", "ANALYZE", "AND", "AS", "ASC", "ATTACH", "AUTOINCREMENT", "BEFORE",
    "BEGIN", "BETWEEN", "BY", "CASCADE", "CASE", "CAST", "CHECK", "COLLATE", "COLUMN", "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE",
    "CROSS", "CURRENT", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "DATABASE", "DEFAULT", "DEFERRABLE", "DEFERRED", "DELETE",
    "DESC", "DETACH", "DISTINCT", "DO", "DROP", "EACH", "ELSE", "END", "ESCAPE", "EXCEPT", "EXCLUDE", "EXCLUSIVE", "EXISTS", "EXPLAIN",
    "FAIL", "FALSE", "FILTER", "FIRST", "FOLLOWING", "FOR", "FOREIGN", "FROM", "FULL", "GENERATED", "GLOB", "GROUP", "GROUPS", "HAVING",
    "IF", "IGNORE", "IMMEDIATE", "IN", "INDEX", "INDEXED", "INITIALLY", "INNER", "INSERT", "INSTEAD", "INTERSECT", "INTO", "IS", "ISNULL",
    "JOIN", "KEY", "LAST", "LEFT", "LIKE", "LIMIT", "MATCH", "MATERIALIZED", "NATURAL", "NO", "NOT", "NOTHING", "NOTNULL", "NULL", "NULLS",
    "OF", "OFFSET", "ON", "OR", "ORDER", "OTHERS", "OUTER", "OVER", "PARTITION", "PLAN", "PRAGMA", "PRECEDING", "PRIMARY", "QUERY",
    "RAISE", "RANGE", "RECURSIVE", "REFERENCES", "REGEXP", "REINDEX", "RELEASE", "RENAME", "REPLACE", "RESTRICT", "RETURNING", "RIGHT",
    "ROLLBACK", "ROW", "ROWS", "SAVEPOINT", "SELECT", "SET", "TABLE", "TEMP", "TEMPORARY", "THEN", "TIES", "TO", "TRANSACTION", "TRIGGER",
    "TRUE", "UNBOUNDED", "UNION", "UNIQUE", "UPDATE", "USING", "VACUUM", "VALUES", "VIEW", "VIRTUAL", "WHEN", "WHERE", "WINDOW", "WITH",
    "WITHOUT",
  ]
}
