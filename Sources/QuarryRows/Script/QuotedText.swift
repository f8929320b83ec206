internal import QuarryEngine

/// A name in double quotes that SQLite reads as a text, because no column has that name.
///
/// ```swift
/// try db.quotedTexts(in: #"SELECT count("Nmae") FROM Track"#).map(\.nearest)   // ["Name"]
/// ```
package struct QuotedText: Hashable, Sendable {
  /// The name as written.
  package var written: String
  /// Its range, in bytes of the statement.
  package var range: Range<Int>
  /// The most similar column name, quoted for SQL; nil if none is similar.
  package var nearest: String?

  /// SQLite's interpretation, and the correct spelling.
  package var sentence: String {
    let question = nearest.map { ", or \($0) if you mean that column" } ?? ""
    return "there is no column \(written), so SQLite reads it as text: write \(text)\(question)"
  }

  /// The text as an SQL literal.
  private var text: String { DatabaseValue.text(SQLToken.name(Array(written.utf8)[...])).sqlLiteral }
}

extension Database {
  /// The maximum number of reported names in a statement.
  private static let mostQuotedTexts = 10

  /// Finds the names in double quotes that SQLite reads as texts in a statement that compiles.
  package func quotedTexts(in sql: String) throws -> [QuotedText] {
    var bytes = Array(sql.utf8)
    let quote = UInt8(ascii: "\"")
    guard bytes.contains(quote) else { return [] }
    var found: [QuotedText] = []
    while found.count < Self.mostQuotedTexts, let fault = faultWithoutQuotedTexts(in: String(decoding: bytes, as: UTF8.self)) {
      guard let name = MissingName.column(in: fault.message) else { break }
      let tokens = StatementTokens(String(decoding: bytes, as: UTF8.self))
      let index = (0..<tokens.count).first { tokens.text($0).first == "\"" && tokens.name($0) == name && !tokens.isSymbol($0 - 1, ".") }
      // Texts within views are not errors of this statement.
      guard let index, let range = tokens[index]?.range else { break }
      let missing = try MissingName(message: fault.message, in: sql, at: range.lowerBound, schema: SQLCompletionSchema(of: self))
      found.append(QuotedText(written: tokens.text(index), range: range, nearest: missing?.nearest))
      // A text with the same number of bytes, so that later positions do not change.
      let text = "'" + String(repeating: "x", count: max(0, range.count - 2)) + "'"
      bytes.replaceSubrange(range, with: text.utf8)
    }
    return found
  }
}
