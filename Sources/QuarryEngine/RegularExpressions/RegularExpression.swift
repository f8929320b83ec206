/// A regular expression, as POSIX writes them, over the UTF-8 of a text.
///
/// ```swift
/// let initials = RegularExpressionMatcher(try RegularExpression("^([[:upper:]][.] ?)+$"))
/// initials.matches("J. R. R.")  // true
/// initials.matches("Ronald")    // false
/// ```
///
/// The same expressions stand after `=~` in a filter and after REGEXP in SQL:
///
/// ```sql
/// SELECT name FROM artist WHERE name REGEXP '^([[:upper:]][.] ?)+$'
/// ```
///
/// It is looked for anywhere in the text, and case counts unless `(?i)` stands in front. There are `.` (any character, a line's end too),
/// `[a-z]`, `[^a-z]`, `[[:alpha:]]` and the other classes of POSIX, `\d \w \s` and `\D \W \S` (which go by ASCII, as the named classes do),
/// `\b` and `\B`, `^` and `$` (the beginning and the end of the text), groups, `|`, `* + ? {m} {m,} {m,n}`, and `\n \t \r \f \v \x{E9}`.
/// A backslash before any other mark makes it stand for itself.
///
/// Bytes that are no UTF-8 are no character: nothing that stands for a character matches them, and the rest of their text is looked at as
/// usual.
///
/// Swift's own `Regex` backtracks, so that a pattern such as `(a*)*b` can take longer than anyone waits, and cannot be interrupted. Here the
/// time is proportional to the length of the text, whatever the pattern.
package struct RegularExpression: Sendable {
  /// The expression as it was written.
  package let pattern: String
  let program: RegularExpressionProgram

  /// Compiles an expression.
  ///
  /// - Throws: ``RegularExpressionError`` where it is not well formed, or makes too large an automaton.
  package init(_ pattern: String) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(pattern)
    let syntax = try parser.expression()
    self.pattern = pattern
    program = try RegularExpressionProgram(syntax)
  }
}

/// Why a text is no regular expression.
package struct RegularExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault's place in the pattern, in bytes of UTF-8.
  package var range: Range<Int>
  /// What is wrong, as a sentence.
  package var sentence: String

  /// Makes an error.
  package init(_ range: Range<Int>, _ sentence: String) {
    self.range = range
    self.sentence = sentence
  }

  /// The sentence.
  package var description: String { sentence }
}
