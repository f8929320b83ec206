/// Quoting of the names of tables, columns, indexes and collations for SQL.
public enum SQLIdentifier {
  /// Returns `name` as an SQL identifier, in double quotes if necessary.
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

  /// Returns `text` enclosed in `quote`, with each quote inside doubled.
  ///
  /// It uses Unicode scalars: for Swift, a quote followed by a combining mark is not a separate character, but for SQL it is a quote.
  package static func delimited(_ text: String, by quote: Unicode.Scalar) -> String {
    var scalars = String.UnicodeScalarView([quote])
    for scalar in text.unicodeScalars {
      if scalar == quote { scalars.append(quote) }
      scalars.append(scalar)
    }
    scalars.append(quote)
    return String(scalars)
  }

  /// Returns whether `name` is an identifier without quotes.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isNameStart, name.unicodeScalars.first != "\u{FEFF}" else { return false }
    var isASCII = true
    for byte in name.utf8 {
      guard byte.isNamePart else { return false }
      isASCII = isASCII && byte < 0x80
    }
    return !(isASCII && isKeyword(name))
  }

  /// Returns whether `word` is special in SQL, in any case: a keyword, or `true` or `false`, which are values unless a column has that
  /// name.
  static func isKeyword(_ word: String) -> Bool {
    Keyword(word.utf8) != nil || word.isSameIdentifier(as: "true") || word.isSameIdentifier(as: "false")
  }
}
