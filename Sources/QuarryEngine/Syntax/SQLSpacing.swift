/// Normalization of white space in SQL for comparisons.
package enum SQLSpacing {
  /// Returns a text without comments, and with whitespace between tokens reduced to one space.
  ///
  /// Statements that differ only in comments, line breaks and indentation therefore result in the same text.
  ///
  /// ```swift
  /// SQLSpacing.collapsed("SELECT  a\n  FROM t -- all")  // SELECT a FROM t
  /// SQLSpacing.collapsed("SELECT 'a  b'")               // SELECT 'a  b'
  /// ```
  package static func collapsed(_ sql: String) -> String {
    let bytes = Array(sql.utf8)
    var collapsed: [UInt8] = []
    collapsed.reserveCapacity(bytes.count)
    var end = 0
    for token in SQLTokenizer.tokens(of: bytes) {
      if end > 0, token.range.lowerBound > end { collapsed.append(0x20) }
      collapsed += bytes[token.range]
      end = token.range.upperBound
    }
    return String(decoding: collapsed, as: UTF8.self)
  }
}
