/// A comment from `--` to the end of its line.
struct StatementComment {
  /// What it says, without blanks at its ends.
  var text: String
  /// The line that it stands in, from 1.
  var line: Int
  /// Whether nothing but comments stands before it.
  var isLeading: Bool

  /// The comments of an SQL text; those between `/*` and `*/` are passed over.
  static func all(in sql: String) -> [StatementComment] {
    let bytes = Array(sql.utf8)
    let tokens = SQLTokenizer.tokens(of: sql).map(\.range)
    var comments: [StatementComment] = []
    var line = 1
    var place = 0
    for next in tokens + [bytes.count..<bytes.count] {
      read(bytes[place..<max(place, next.lowerBound)], isLeading: place == 0, &line, &comments)
      line += bytes[next].count { $0 == 0x0A }
      place = next.upperBound
    }
    return comments
  }

  /// Reads what stands between two tokens.
  private static func read(_ gap: ArraySlice<UInt8>, isLeading: Bool, _ line: inout Int, _ comments: inout [StatementComment]) {
    var rest = gap
    while let byte = rest.first {
      if rest.starts(with: "--".utf8) {
        let comment = rest.prefix { $0 != 0x0A }
        comments.append(StatementComment(text: text(comment), line: line, isLeading: isLeading))
        rest = rest.dropFirst(comment.count)
      } else if rest.starts(with: "/*".utf8) {
        let end = rest.dropFirst(2).indices.first { rest[$0...].starts(with: "*/".utf8) } ?? rest.endIndex - 2
        line += rest[..<end].count { $0 == 0x0A }
        rest = rest[min(rest.endIndex, end + 2)...]
      } else {
        if byte == 0x0A { line += 1 }
        rest = rest.dropFirst()
      }
    }
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
