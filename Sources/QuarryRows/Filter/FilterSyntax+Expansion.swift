internal import QuarryEngine

extension FilterSyntax {
  /// Returns the tree with the expressions of computed columns in place of their names.
  ///
  ///     minutes > 5    Milliseconds / 60000.0 > 5
  ///
  /// - Parameter named: The computed columns whose names stay.
  public func replacingComputed(in columns: FilterColumns, except named: [ColumnExpression] = []) -> FilterSyntax {
    switch kind {
    case .column(let name):
      let isNamed = named.contains { $0.name.isSameIdentifier(as: name) }
      guard !isNamed, let definition = columns.named(name)?.definition else { return self }
      return definition.replacingComputed(in: columns, except: named)
    default:
      return FilterSyntax(kind.map { $0.replacingComputed(in: columns, except: named) }, range: range)
    }
  }

  /// Whether the tree names a computed column that may not be named.
  fileprivate func usesComputed(in columns: FilterColumns, except named: [ColumnExpression]) -> Bool {
    replacingComputed(in: columns, except: named) != self
  }
}

extension FilterSyntax.Kind {
  /// Returns the node with other operands; the operands of aggregates and the names of paths stay, because they are in other tables.
  fileprivate func map(_ body: (FilterSyntax) -> FilterSyntax) -> FilterSyntax.Kind {
    switch self {
    case .literal, .column, .path, .related, .relatedPath, .aggregate, .parameter, .invalid: self
    case .negation(let operand): .negation(body(operand))
    case .plus(let operand): .plus(body(operand))
    case .collated(let operand, let name): .collated(body(operand), name)
    case .cast(let operand, let type): .cast(body(operand), type)
    case .anywhere(let operand): .anywhere(body(operand))
    case .not(let operand): .not(body(operand))
    case .arithmetic(let symbol, let left, let right): .arithmetic(symbol, body(left), body(right))
    case .comparison(let symbol, let left, let right): .comparison(symbol, body(left), body(right))
    case .identity(let left, let right, let isNegated): .identity(body(left), body(right), isNegated: isNegated)
    case .match(let match, let left, let right): .match(match, body(left), body(right))
    case .extraction(let kind, let left, let right): .extraction(kind, body(left), body(right))
    case .fullText(let left, let right): .fullText(body(left), body(right))
    case .concatenation(let operands): .concatenation(operands.map(body))
    case .call(let name, let operands): .call(name, operands.map(body))
    case .all(let operands): .all(operands.map(body))
    case .any(let operands): .any(operands.map(body))
    case .between(let operand, let lower, let upper, let isNegated):
      .between(body(operand), body(lower), body(upper), isNegated: isNegated)
    case .membership(let operand, let members, let isNegated): .membership(body(operand), members.map(body), isNegated: isNegated)
    case .pattern(let kind, let operand, let pattern, let escape, let isNegated):
      .pattern(kind, body(operand), body(pattern), escape: escape.map(body), isNegated: isNegated)
    }
  }
}

extension Filter {
  /// Returns a filter text with the expressions of computed columns in place of their names; the text itself if it uses no other than some.
  ///
  /// - Throws: The errors of the text.
  package static func text(
    _ text: String, naming named: [ColumnExpression], in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    guard let syntax = try FilterSyntax.parse(text, columns: columns), syntax.usesComputed(in: columns, except: named) else { return text }
    return syntax.replacingComputed(in: columns, except: named).description
  }
}

extension FilterSort {
  /// Returns a sort text with the expressions of computed columns in place of their names; the text itself if it uses no other than some.
  ///
  /// - Throws: The errors of the text.
  package static func text(
    _ text: String, naming named: [ColumnExpression], in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let keys = try compile(text, columns: columns).keys
    guard keys.contains(where: { $0.syntax.usesComputed(in: columns, except: named) }) else { return text }
    return keys.map { key in
      var key = key
      key.syntax = key.syntax.replacingComputed(in: columns, except: named)
      return key.description
    }.joined(separator: ", ")
  }
}
