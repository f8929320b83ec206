/// Whether a text matches a pattern: `LIKE` (ignoring ASCII case), `GLOB`, or `REGEXP` (see <doc:TypedQueries>).
///
/// ```swift
/// Column<String>("title").like("Get%")  // (title LIKE 'Get%')
/// Column<String>("title").glob("Get*")  // (title GLOB 'Get*')
/// Column<String>("title").regexp("^Get")  // (title REGEXP '^Get')
/// ```
public struct PatternMatch: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  /// The operator: `LIKE`, which ignores ASCII case, `GLOB`, which does not, or `REGEXP`, whose pattern is a regular expression.
  public enum Kind: Hashable, Sendable {
    case like, glob, regexp

    var keyword: StaticString {
      switch self {
      case .like: " LIKE "
      case .glob: " GLOB "
      case .regexp: " REGEXP "
      }
    }
  }

  package let text: any QueryExpression<String>
  package let kind: Kind
  package let pattern: any QueryExpression<String>
  package let escape: (any QueryExpression<String>)?
  package let isNegated: Bool
  /// Whether an ESCAPE is written even if the pattern needs none, so that the whole text is compared.
  package let looksBehindNUL: Bool

  init(
    _ text: any QueryExpression<String>, _ kind: Kind, _ pattern: any QueryExpression<String>,
    escape: (any QueryExpression<String>)? = nil, isNegated: Bool = false, looksBehindNUL: Bool = false
  ) {
    self.looksBehindNUL = looksBehindNUL
    self.text = text
    self.kind = kind
    self.pattern = pattern
    self.escape = escape
    self.isNegated = isNegated
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(operand: text)
    sql.append(isNegated ? " NOT" : "")
    sql.append(kind.keyword)
    sql.append(operand: pattern)
    if let escape {
      sql.append(" ESCAPE ")
      sql.append(operand: escape)
    } else if looksBehindNUL {
      sql.append(" ESCAPE '\\'")
    }
    sql.append(")")
  }
}

/// The position at which a text must occur in another.
package enum MatchPosition: Hashable, Sendable, CaseIterable {
  /// Anywhere, at its beginning, or at its end.
  case anywhere, start, end

  var precedesAny: Bool { self != .start }
  var followsAny: Bool { self != .end }
}

extension PatternMatch {
  /// Creates a match of texts that contain `part` literally, including its `%` and `_`.
  ///
  /// - Parameter looksBehindNUL: Whether to compare whole texts, as connections of this library do with an ESCAPE; not needed for the
  ///   beginning of a text.
  package init(
    _ text: any QueryExpression<String>, has part: String, at position: MatchPosition, isNegated: Bool = false, looksBehindNUL: Bool = false
  ) {
    let escaped = Self.escaped(part)
    let pattern = (position.precedesAny ? "%" : "") + escaped + (position.followsAny ? "%" : "")
    let escape = escaped == part ? nil : Constant("\\")
    let looksBehindNUL = looksBehindNUL && (position != .start || part.utf8.contains(0))
    self.init(text, .like, Constant(pattern), escape: escape, isNegated: isNegated, looksBehindNUL: looksBehindNUL)
  }

  /// Creates a match of texts that contain the value of `part` in each row literally, including its `%` and `_`.
  init(_ text: any QueryExpression<String>, has part: any QueryExpression<String>, at position: MatchPosition, isNegated: Bool = false) {
    if let literal = (part as? Constant<String>)?.value {
      self.init(text, has: literal, at: position, isNegated: isNegated)
      return
    }
    let escaped = ["\\", "%", "_"].reduce(part) { Functions.replace($0, Constant($1), Constant("\\" + $1)) }
    let any = Constant("%")
    let pattern = Concatenation((position.precedesAny ? [any] : []) + [escaped] + (position.followsAny ? [any] : []))
    self.init(text, .like, pattern, escape: Constant("\\"), isNegated: isNegated)
  }

  private static func escaped(_ part: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in part.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { scalars.append("\\") }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
