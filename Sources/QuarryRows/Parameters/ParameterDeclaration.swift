internal import QuarryEngine

/// The declaration of a parameter in a comment: its type, its default, and the source of values to choose from.
///
/// ```sql
/// -- :min integer = 3
/// -- :country text = Brazil from select distinct Country from Customer
/// -- @since date
/// -- ?2 = 10
/// SELECT …
/// ```
///
/// Everything except the parameter itself is optional. A default is written as it would be typed into a form; enclosing single quotes are
/// removed.
public struct ParameterDeclaration: Hashable, Sendable {
  /// The parameter as written in SQL: `:min`, `@since`, `?2`.
  public var token: String
  /// The type of its value.
  public var type: ParameterType?
  /// The default.
  public var defaultText: String?
  /// The source of values to choose from.
  public var choices: ParameterChoices?
  /// The line of the comment, from 1.
  public var line: Int

  /// Sets the declared properties of a parameter.
  func apply(to parameter: inout StatementParameter) {
    if let type { (parameter.declaredType, parameter.type) = (type, type.expressionType) }
    if let defaultText { parameter.defaultText = defaultText }
    if let choices { parameter.choices = choices }
  }
}

/// An error in a comment that declares a parameter.
public struct ParameterDeclarationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The parameter as written in SQL.
  public var token: String
  /// The line of the comment, from 1.
  public var line: Int
  /// The error and the expected text.
  public var problem: String

  /// The line and the problem: `line 3: after :min a type is expected (…), not “intger”`.
  public var description: String { "line \(line): \(problem)" }
}

/// The declarations of parameters in the comments of an SQL text.
///
/// ```swift
/// let declarations = ParameterDeclarations("-- :min integer = 3\n-- :max intger\nSELECT :min, :max")
/// declarations.all.map(\.token)     // [":min"]
/// declarations.errors.map(\.line)   // [2]
/// ```
///
/// A comment is a declaration if it begins with a parameter of the text. If the parameter does not occur in the text, the comment is
/// ignored, unless the rest looks like a declaration. In that case it is an error, because the name is probably misspelled.
public struct ParameterDeclarations: Hashable, Sendable {
  /// The declarations, in order.
  public private(set) var all: [ParameterDeclaration] = []
  /// The errors in other comments.
  public private(set) var errors: [ParameterDeclarationError] = []

  /// Creates an empty list of declarations.
  public init() {}

  /// Parses the comments of an SQL text with one or more statements.
  public init(_ sql: String) {
    let comments = StatementComment.all(in: sql)
    guard comments.contains(where: { ParameterDeclaration.token(in: $0.text) != nil }) else { return }
    let written = Set(StatementTokens(sql).parameters.map(\.text))
    for comment in comments {
      guard let token = ParameterDeclaration.token(in: comment.text) else { continue }
      read(comment, of: token, isKnown: written.contains(token) || token.hasPrefix("?") && written.contains("?"), written)
    }
  }

  private mutating func read(_ comment: StatementComment, of token: String, isKnown: Bool, _ written: Set<String>) {
    do throws(ParameterDeclarationError) {
      let declaration = try ParameterDeclaration(comment.text, token: token, line: comment.line)
      if isKnown { return all.append(declaration) }
      guard declaration.type != nil || declaration.defaultText != nil || declaration.choices != nil else { return }
      let near = NearestNames.to(token, among: written.sorted()).first.map { "; did you mean \($0)?" } ?? ""
      errors.append(ParameterDeclarationError(token: token, line: comment.line, problem: "there is no parameter \(token)\(near)"))
    } catch {
      if isKnown { errors.append(error) }
    }
  }

  /// Returns the last declaration of a parameter.
  public func declaration(of parameter: StatementParameter) -> ParameterDeclaration? {
    all.last { $0.token == parameter.token || $0.token == "?\(parameter.index)" && parameter.token.hasPrefix("?") }
  }
}
