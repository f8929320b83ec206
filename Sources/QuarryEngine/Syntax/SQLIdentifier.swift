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
  package static func delimited(_ text: String, by quote: Unicode.Scalar) -> String {
    var scalars = String.UnicodeScalarView([quote])
    for scalar in text.unicodeScalars {
      if scalar == quote { scalars.append(quote) }
      scalars.append(scalar)
    }
    scalars.append(quote)
    return String(scalars)
  }

  /// Returns whether `name` reads as an identifier without quotes.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isNameStart, name.unicodeScalars.first != "\u{FEFF}" else { return false }
    var isASCII = true
    for byte in name.utf8 {
      guard byte.isNamePart else { return false }
      isASCII = isASCII && byte < 0x80
    }
    return !(isASCII && isKeyword(name))
  }

  /// Returns whether `word` means something to SQL in any case: its keywords, and `true` and `false`, which are values where no column is
  /// so named.
  static func isKeyword(_ word: String) -> Bool {
    Keyword(word.utf8) != nil || word.isSameIdentifier(as: "true") || word.isSameIdentifier(as: "false")
  }
}
