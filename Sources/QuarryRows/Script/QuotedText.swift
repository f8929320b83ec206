internal import QuarryEngine

/// A name between double quotes that SQLite reads as a text, since there is no column of that name.
///
/// ```swift
/// try db.quotedTexts(in: #"SELECT count("Nmae") FROM Track"#).map(\.nearest)   // ["Name"]
/// ```
package struct QuotedText: Hashable, Sendable {
  /// The name, as it is written.
  package var written: String
  /// Where it stands, in bytes of the statement.
  package var range: Range<Int>
  /// The nearest name of a column, as SQL spells it; nil where none is near.
  package var nearest: String?

  /// What SQLite makes of it, and what to write instead.
  package var sentence: String {
    let question = nearest.map { ", or \($0) if you mean that column" } ?? ""
    return "there is no column \(written), so SQLite reads it as a text: write \(text)\(question)"
  }

  /// The text as SQL spells it.
  private var text: String { DatabaseValue.text(SQLToken.name(Array(written.utf8)[...])).sqlLiteral }
}

extension Database {
  /// The greatest number of names that are reported of a statement.
  private static let mostQuotedTexts = 10

  /// Finds the names between double quotes that SQLite reads as texts in a statement that compiles.
  package func quotedTexts(in sql: String) throws -> [QuotedText] {
    var bytes = Array(sql.utf8)
    let quote = UInt8(ascii: "\"")
    guard bytes.contains(quote) else { return [] }
    var found: [QuotedText] = []
    while found.count < Self.mostQuotedTexts, let fault = faultWithoutQuotedTexts(in: String(decoding: bytes, as: UTF8.self)) {
      guard let name = MissingName.column(in: fault.message) else { break }
      let tokens = StatementTokens(String(decoding: bytes, as: UTF8.self))
      let index = (0..<tokens.count).first { tokens.text($0).first == "\"" && tokens.name($0) == name && !tokens.isSymbol($0 - 1, ".") }
      // What a view says is nobody's mistake here.
      guard let index, let range = tokens[index]?.range else { break }
      let missing = try MissingName(message: fault.message, in: sql, at: range.lowerBound, schema: SQLCompletionSchema(of: self))
      found.append(QuotedText(written: tokens.text(index), range: range, nearest: missing?.nearest))
      // A text of as many bytes, so that the places of the others stay.
      let text = "'" + String(repeating: "x", count: max(0, range.count - 2)) + "'"
      bytes.replaceSubrange(range, with: text.utf8)
    }
    return found
  }
}
