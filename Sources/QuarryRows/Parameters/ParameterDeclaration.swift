internal import QuarryEngine

/// What a comment says of a parameter: its type, what it has from the start, where values to choose from come from.
///
/// ```sql
/// -- :min integer = 3
/// -- :country text = Brazil from select distinct Country from Customer
/// -- @since date
/// -- ?2 = 10
/// SELECT …
/// ```
///
/// All but the parameter itself may be left out. A default stands as it would be typed into a form; single quotes around it are not part
/// of it.
public struct ParameterDeclaration: Hashable, Sendable {
  /// The parameter as SQL has it: `:min`, `@since`, `?2`.
  public var token: String
  /// The type of its value.
  public var type: ParameterType?
  /// What it has from the start.
  public var defaultText: String?
  /// Where values to choose from come from.
  public var choices: ParameterChoices?
  /// The line of the comment, from 1.
  public var line: Int

  /// Puts what is declared into a parameter.
  func apply(to parameter: inout StatementParameter) {
    if let type { (parameter.declaredType, parameter.type) = (type, type.expressionType) }
    if let defaultText { parameter.defaultText = defaultText }
    if let choices { parameter.choices = choices }
  }
}

/// What is wrong with a comment that declares a parameter.
public struct ParameterDeclarationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The parameter as SQL has it.
  public var token: String
  /// The line of the comment, from 1.
  public var line: Int
  /// What is wrong, and what was expected.
  public var problem: String

  /// The line and the problem: `line 3: after :min a type is expected (…), not “intger”`.
  public var description: String { "line \(line): \(problem)" }
}

/// What the comments of an SQL text declare of its parameters.
///
/// ```swift
/// let declarations = ParameterDeclarations("-- :min integer = 3\n-- :max intger\nSELECT :min, :max")
/// declarations.all.map(\.token)     // [":min"]
/// declarations.errors.map(\.line)   // [2]
/// ```
///
/// A comment declares something if it begins with a parameter. One that says nothing of a parameter of the text is a comment like any
/// other, unless it looks like a declaration otherwise: then it is an error, and its name misspelt.
public struct ParameterDeclarations: Hashable, Sendable {
  /// The declarations, in their order.
  public private(set) var all: [ParameterDeclaration] = []
  /// What is wrong with others.
  public private(set) var errors: [ParameterDeclarationError] = []

  /// Makes no declarations.
  public init() {}

  /// Reads the comments of an SQL text of one statement or several.
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
