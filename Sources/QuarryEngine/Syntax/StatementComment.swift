/// A comment from `--` to the end of its line.
struct StatementComment {
  /// What it says, without blanks at its ends.
  var text: String
  /// The line that it stands in, from 1.
  var line: Int
  /// Whether nothing but comments stands before it.
  var isLeading: Bool

  /// Returns the comments of an SQL text; those between `/*` and `*/` are passed over.
  static func all(in sql: String) -> [StatementComment] {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var comments: [StatementComment] = []
    var (line, end, isLeading) = (1, 0, true)
    while let token = tokenizer.next() {
      line += bytes[end..<token.range.lowerBound].count { $0 == 0x0A }
      end = token.range.lowerBound
      if token.kind != .comment {
        isLeading = false
      } else if bytes[end] == UInt8(ascii: "-") {
        comments.append(StatementComment(text: text(bytes[token.range]), line: line, isLeading: isLeading))
      }
    }
    return comments
  }

  private static func text(_ comment: ArraySlice<UInt8>) -> String {
    String(decoding: comment.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self).trimmingBlanks
  }
}

extension StringProtocol {
  /// Without white space at its ends.
  var trimmingBlanks: String {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...last].drop(while: \.isWhitespace))
  }
}
