/// A POSIX regular expression on the UTF-8 of a text.
///
/// ```swift
/// let initials = RegularExpressionMatcher(try RegularExpression("^([[:upper:]][.] ?)+$"))
/// initials.matches("J. R. R.")  // true
/// initials.matches("Ronald")    // false
/// ```
///
/// The same expressions follow `=~` in a filter and REGEXP in SQL:
///
/// ```sql
/// SELECT name FROM artist WHERE name REGEXP '^([[:upper:]][.] ?)+$'
/// ```
///
/// The expression may match anywhere in the text. It is case-sensitive unless it begins with `(?i)`. The syntax includes:
///
/// - `.` for any character, including a line break
/// - the sets `[a-z]` and `[^a-z]`, `[[:alpha:]]` and the other POSIX classes, `\d \w \s` and `\D \W \S`; named classes are ASCII-only
/// - `^` and `$` for the beginning and the end of the text, `\b` and `\B`
/// - groups, `|`, and the repetitions `* + ? {m} {m,} {m,n}`
/// - `\n \t \r \f \v \x{E9}`, and a backslash before any other punctuation mark to escape it
///
/// Invalid UTF-8 bytes are not characters, so that no character pattern matches them. The rest of the text is matched as usual.
///
/// Swift's `Regex` backtracks, so that a pattern such as `(a*)*b` may take very long, and it cannot be interrupted. Here the time is
/// proportional to the length of the text, for any pattern.
package struct RegularExpression: Sendable {
  /// The expression as written.
  package let pattern: String
  let program: RegularExpressionProgram

  /// Compiles an expression.
  ///
  /// - Throws: ``RegularExpressionError`` if it is malformed, or if its automaton is too large.
  package init(_ pattern: String) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(pattern)
    let syntax = try parser.expression()
    self.pattern = pattern
    program = try RegularExpressionProgram(syntax)
  }
}

/// The error of a text that is not a regular expression.
package struct RegularExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place of the error in the pattern, in bytes of UTF-8.
  package var range: Range<Int>
  /// The description, as a sentence.
  package var sentence: String

  /// Creates an error.
  package init(_ range: Range<Int>, _ sentence: String) {
    self.range = range
    self.sentence = sentence
  }

  /// The sentence.
  package var description: String { sentence }
}
