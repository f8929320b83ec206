package import QuarryEngine
import QuarryRows
import Terminal

/// A form with a field for each parameter of a statement or filter.
package struct ParameterForm: Sendable {
  package struct Field: Hashable, Sendable {
    package var parameter: FormParameter
    package var input = TextField()
    /// The chosen type; nil to infer it.
    var type: ParameterType?
    package var error: String?
    /// The label: the token, with its number if several parameters are written `?`.
    package let label: String
    /// Whether the text was chosen rather than typed, so that typing replaces it.
    fileprivate(set) var isChosen = false
    /// The values found so far that can be chosen.
    package var offers: [DatabaseValue] = []
  }

  let title: String
  /// Whether a value may be the content of a file.
  let takesFiles: Bool
  /// The handler that receives the arguments.
  let accept: Handler<[String: ParameterInput]>
  /// The handler that receives the form if it is closed without a run.
  let cancel: Handler<ParameterForm>
  /// Whether the arguments have been accepted.
  var isAccepted = false
  package private(set) var fields: [Field]
  package private(set) var cursor = 0

  /// Creates a form.
  ///
  /// - Parameter values: The former arguments, by parameter identity.
  init(
    title: String, parameters: [FormParameter], values: [String: ParameterInput], takesFiles: Bool = true,
    cancel: @escaping Handler<ParameterForm> = { _ in .nothing }, accept: @escaping Handler<[String: ParameterInput]>
  ) {
    self.title = title
    self.takesFiles = takesFiles
    self.accept = accept
    self.cancel = cancel
    let areNumbered = parameters.count { $0.token == "?" } > 1
    fields = parameters.map { parameter in
      let token = parameter.token == "?" && areNumbered ? "?\(parameter.identity)" : parameter.token
      let label = ([token] + parameter.otherTokens).joined(separator: " = ")
      var field = Field(parameter: parameter, label: label)
      field.fill(values[parameter.identity])
      return field
    }
  }

  package var current: Field? { fields.indices.contains(cursor) ? fields[cursor] : nil }

  /// Copies the input from another form for the same parameters.
  mutating func copyInputs(of other: ParameterForm) {
    for index in fields.indices {
      guard let field = other.fields.first(where: { $0.parameter.identity == fields[index].parameter.identity }) else { continue }
      (fields[index].input, fields[index].type) = (field.input, field.type)
    }
    cursor = min(other.cursor, max(0, fields.count - 1))
  }

  mutating func move(by step: Int) {
    guard !fields.isEmpty else { return }
    cursor = (cursor + step + fields.count) % fields.count
  }

  mutating func select(_ index: Int) {
    if fields.indices.contains(index) { cursor = index }
  }

  mutating func edit(_ change: (inout TextField) -> Bool) {
    guard fields.indices.contains(cursor) else { return }
    var input = fields[cursor].input
    guard change(&input) else { return }
    if fields[cursor].isChosen, input.characters.count > fields[cursor].input.characters.count {
      input = TextField()
      _ = change(&input)
    }
    fields[cursor].input = input
    fields[cursor].isChosen = false
    fields[cursor].error = nil
  }

  /// Selects the next type for the field: first the inferred one, then each available type.
  mutating func changeType() {
    guard fields.indices.contains(cursor) else { return }
    let types: [ParameterType?] = [nil] + ParameterType.allCases
    let index = types.firstIndex(of: fields[cursor].type) ?? 0
    fields[cursor].type = types[(index + 1) % types.count]
    fields[cursor].error = nil
  }

  /// Stores the values that can be chosen for a field.
  mutating func receive(_ offers: [DatabaseValue], for identity: String) {
    for index in fields.indices where fields[index].parameter.identity == identity { fields[index].offers = offers }
  }

  /// Fills in the next or the previous offered value.
  mutating func choose(by step: Int) {
    guard fields.indices.contains(cursor), !fields[cursor].offers.isEmpty else { return }
    let (offers, text) = (fields[cursor].offers, fields[cursor].input.text)
    if let index = offers.firstIndex(where: { $0.parameterText == text }) {
      fields[cursor].fill(.value(offers[(index + step + offers.count) % offers.count]))
    } else if let first = fields[cursor].fitting.first {
      fields[cursor].fill(.value(first))
    } else {
      return
    }
    fields[cursor].isChosen = true
    fields[cursor].error = nil
  }

  /// Shows an error under a field, and moves the cursor there.
  mutating func refuse(_ identity: String, _ sentence: String) {
    guard let index = fields.firstIndex(where: { $0.parameter.identity == identity }) else { return }
    fields[index].error = sentence
    cursor = index
  }

  /// Returns the arguments by identity; nil if a field has an error, which is then shown with the cursor on the field.
  mutating func inputs() -> [String: ParameterInput]? {
    var values: [String: ParameterInput] = [:]
    for index in fields.indices {
      do throws(ParameterError) {
        values[fields[index].parameter.identity] = try fields[index].value()
      } catch {
        fields[index].error = error.reason == nil ? "expected here: \(error.expected)" : error.description
      }
    }
    guard let wrong = fields.firstIndex(where: { $0.error != nil }) else { return values }
    cursor = wrong
    return nil
  }
}

extension ParameterForm.Field {
  /// The type's name in the form.
  package var typeName: String { type?.rawValue ?? parameter.typeName }

  /// The offers that begin with the input; all offers if the input is one of them.
  var fitting: [DatabaseValue] {
    if offers.contains(where: { $0.parameterText == input.text }) { return offers }
    let text = input.text.lowercased()
    return offers.filter { $0.parameterText.lowercased().hasPrefix(text) }
  }

  func value() throws(ParameterError) -> ParameterInput {
    let reading = type.map { ParameterReading(type: $0) } ?? parameter.reading
    if reading.type == .blob, input.text.hasPrefix("@") { return .file(String(input.text.dropFirst())) }
    return .value(try reading.value(of: input.text))
  }

  /// Fills in a value, with the type that parses it back to the same value; nil fills in the default.
  mutating func fill(_ value: ParameterInput?) {
    type = nil
    switch value {
    case nil: input = TextField(parameter.defaultText ?? "")
    case .file(let path)?:
      input = TextField("@\(path)")
      type = .blob
    case .value(let value)?:
      input = TextField(value.parameterText)
      if (try? self.value()) != .value(value) { type = value.parameterType }
    }
  }
}
