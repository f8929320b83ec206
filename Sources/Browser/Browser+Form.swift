import QuarryEngine

/// The form that asks for parameters.
extension Browser {
  mutating func perform(_ command: Command, form: ParameterForm) -> [Effect] {
    var form = form
    switch command {
    case .nextPane, .moveDown: form.move(by: 1)
    case .previousPane, .moveUp: form.move(by: -1)
    case .changeType: form.changeType()
    case .nextChoice: form.choose(by: 1)
    case .previousChoice: form.choose(by: -1)
    case .accept:
      if let inputs = form.take() {
        overlays.removeLast()
        return take(inputs, for: form.purpose)
      }
    default: break
    }
    overlays[overlays.count - 1] = .form(form)
    return loadChoices()
  }

  private mutating func take(_ inputs: [String: ParameterInput], for purpose: ParameterForm.Purpose) -> [Effect] {
    switch purpose {
    case .run(let request): return run(request, inputs)
    case .filter:
      guard var view = grid?.draft else { return [] }
      if inputs.values.contains(where: { if case .file = $0 { true } else { false } }) {
        notice = Notice("a filter takes no file: write the bytes as hexadecimal", .warning)
        return []
      }
      view.arguments = inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
      return apply(view)
    }
  }

  /// Looks for the values that the field under the cursor may have, once.
  func loadChoices() -> [Effect] {
    guard case .form(let form)? = overlays.last, let field = form.current, field.offers.isEmpty, let choices = field.parameter.choices else { return [] }
    return [.loadChoices(identity: field.parameter.identity, choices)]
  }

  mutating func takeChoices(_ identity: String, _ values: [DatabaseValue]) {
    guard case .form(var form)? = overlays.last else { return }
    form.take(values, for: identity)
    overlays[overlays.count - 1] = .form(form)
  }
}
