internal import QuarryEngine

/// Values extracted from JSON.
extension FilterChecker {
  /// Checks `data.user.name`.
  mutating func path(_ path: JSONPath, in name: String, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    argumentCount += path.escapedText == nil ? 1 : 2
    guard let text = column(name, node, room)?.asText else { return nil }
    return .any(JSONExtraction(text, .value, path))
  }

  /// Checks `data -> '$.user'`, whose right operand must be known before the first row is read, because an invalid path would end the
  /// reading.
  mutating func extraction(
    _ kind: JSONExtraction.Kind, _ document: FilterSyntax, _ place: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    let before = argumentCount
    let text = text(document, room.inside(5, deeper: 3), because: "\(kind.rawValue) reads JSON text", beside: nil)
    // The document is written twice.
    argumentCount += argumentCount - before + 1
    guard let path = self.place(place), let text = text?.asText else { return nil }
    switch path {
    case .known(let path):
      // It is written once more if keys may be escaped.
      if path.escapedText != nil { argumentCount += (argumentCount - before) / 2 + 1 }
      return .any(JSONExtraction(text, kind, path))
    case .open(let parameter): return .any(JSONExtraction(text, kind, path: parameter))
    }
  }

  /// Adds a hint that `data -> '$.a'` is JSON text: if it is compared with a number or a text, which it does not equal, or if a condition
  /// is expected.
  ///
  /// - Parameter other: The other operand of the comparison; nil for a condition.
  mutating func adviseOfJSON(_ node: FilterSyntax, beside other: FilterSyntax?) {
    guard case .extraction(.json, let document, let path) = node.kind, let reason = Self.reason(against: other) else { return }
    let value = FilterReplacement(node.range, "\(source(document)) ->> \(source(path))")
    let sentence = "-> returns JSON text, \(reason). Use ->> for the value."
    advice.append(FilterHint(range: node.range, sentence: sentence, replacements: [value]))
  }

  private static func reason(against other: FilterSyntax?) -> String? {
    guard let other else { return "which is true only if it begins with a nonzero number" }
    switch other.kind {
    case .literal(.text(let text)): return text.first.map { "\"{[".contains($0) } == true ? nil : "which includes the quotes of a string"
    case .literal(.integer), .literal(.real): return "which never equals a number"
    default: return nil
    }
  }

  /// The operand after `->`.
  private enum Place {
    case known(JSONPath)
    /// A parameter without a value.
    case open(any QueryExpression)
  }

  private mutating func place(_ node: FilterSyntax) -> Place? {
    switch node.kind {
    case .literal(.text(let text)): return path(text, node).map { .known($0) }
    case .literal(.integer(let index)): return element(index, node).map { .known($0) }
    case .parameter:
      let value = value(node, Room())
      infer(node, .text)
      guard case .any(let expression) = value else { return nil }
      switch (expression as? Constant<DatabaseValue>)?.value {
      case .text(let text): return path(text, node).map { .known($0) }
      case .integer(let index): return element(index, node).map { .known($0) }
      case nil: return .open(expression)
      default: break
      }
    case .invalid: return nil
    default: break
    }
    reports.add(.badPath, node.range, "Write a path, a key or an index after -> and ->>: '$.a.b', 'a', 0.")
    return nil
  }

  private mutating func path(_ text: String, _ node: FilterSyntax) -> JSONPath? {
    do throws(JSONPathFault) { return try JSONPath(operand: text) } catch {
      reports.add(.badPath, range(error.range, within: node), error.sentence)
      return nil
    }
  }

  private mutating func element(_ index: Int64, _ node: FilterSyntax) -> JSONPath? {
    guard let step = JSONPath.Step(place: index < 0 ? "#\(index)" : "\(index)") else {
      reports.add(.badPath, node.range, "This index is too large for an array.")
      return nil
    }
    return JSONPath([step])
  }
}
