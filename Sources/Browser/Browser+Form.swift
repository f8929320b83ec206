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
      if let inputs = form.take() { return accept(inputs, of: form) }
    default: break
    }
    overlays[overlays.count - 1] = .form(form)
    return loadChoices()
  }

  /// Closes the form and does what it is for; one that names files stays until they have been looked at.
  private mutating func accept(_ inputs: [String: ParameterInput], of form: ParameterForm) -> [Effect] {
    let files = inputs.files
    guard let first = files.keys.min() else {
      overlays.removeLast()
      return take(inputs, for: form.purpose)
    }
    var form = form
    if form.purpose == .filter { form.refuse(first, "a filter takes no file: write the bytes as hexadecimal") }
    overlays[overlays.count - 1] = .form(form)
    return form.purpose == .filter ? [] : [.checkFiles(files)]
  }

  /// Goes on with a form once the files that it names have been looked at.
  ///
  /// - Parameter faults: What is wrong with a file, by the identity of its parameter.
  mutating func takeChecked(_ files: [String: String], _ faults: [String: String]) -> [Effect] {
    guard case .form(var form)? = overlays.last, let inputs = form.take(), inputs.files == files else { return [] }
    if faults.isEmpty {
      overlays.removeLast()
      return take(inputs, for: form.purpose)
    }
    for (identity, fault) in faults.sorted(by: { $0.key > $1.key }) { form.refuse(identity, fault) }
    overlays[overlays.count - 1] = .form(form)
    return []
  }

  private mutating func take(_ inputs: [String: ParameterInput], for purpose: ParameterForm.Purpose) -> [Effect] {
    switch purpose {
    case .run(let request): return run(request, inputs)
    case .filter:
      guard var view = grid?.draft else { return [] }
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

extension [String: ParameterInput] {
  /// The paths of the files among them, by their parameters' identities.
  fileprivate var files: [String: String] {
    compactMapValues { if case .file(let path) = $0 { path } else { nil } }
  }
}
