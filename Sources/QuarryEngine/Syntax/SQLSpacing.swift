/// Normalization of white space in SQL for comparisons.
package enum SQLSpacing {
  /// Returns a text with single blanks between its tokens and without comments, so that a statement that was only reformatted results in
  /// the same text.
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
