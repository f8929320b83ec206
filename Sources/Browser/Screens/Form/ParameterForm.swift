import QuarryEngine
import Terminal

/// A form that asks for the parameters of what is to run: a field each.
struct ParameterForm: Sendable {
  struct Field: Hashable, Sendable {
    var parameter: FormParameter
    var input = TextField()
    /// The type that was chosen; nil takes the inferred one, or guesses.
    var type: ParameterType?
    var error: String?
    /// What the field is called: the token, with its number where several are written `?`.
    let label: String
    /// Whether the text was chosen and not written: what is written next takes its place.
    fileprivate(set) var isChosen = false
    /// Values to choose from, as far as they have been found.
    var offers: [DatabaseValue] = []
  }

  let title: String
  /// Whether a value may be the content of a file.
  let takesFiles: Bool
  /// What is done with the values.
  let accept: @Sendable (inout Browser, [String: ParameterInput]) -> Void
  /// What is done where the form is left without running anything.
  let cancel: @Sendable (inout Browser, ParameterForm) -> Void
  /// Whether the values have been accepted.
  var isAccepted = false
  private(set) var fields: [Field]
  private(set) var cursor = 0

  /// - Parameter values: What was filled in before, by the parameters' identities.
  init(
    title: String, parameters: [FormParameter], values: [String: ParameterInput], takesFiles: Bool = true,
    cancel: @escaping @Sendable (inout Browser, ParameterForm) -> Void = { _, _ in },
    accept: @escaping @Sendable (inout Browser, [String: ParameterInput]) -> Void
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

  var current: Field? { fields.indices.contains(cursor) ? fields[cursor] : nil }

  /// Takes what was written into another form for the same parameters.
  mutating func takeInputs(of other: ParameterForm) {
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

  /// Goes to the next type for the field: the inferred one, then each that can be chosen.
  mutating func changeType() {
    guard fields.indices.contains(cursor) else { return }
    let types: [ParameterType?] = [nil] + ParameterType.allCases
    let place = types.firstIndex(of: fields[cursor].type) ?? 0
    fields[cursor].type = types[(place + 1) % types.count]
    fields[cursor].error = nil
  }

  /// Takes note of the values that a field may have.
  mutating func take(_ offers: [DatabaseValue], for identity: String) {
    for index in fields.indices where fields[index].parameter.identity == identity { fields[index].offers = offers }
  }

  /// Fills in the value that is offered before or after the one in the field.
  mutating func choose(by step: Int) {
    guard fields.indices.contains(cursor), !fields[cursor].offers.isEmpty else { return }
    let (offers, text) = (fields[cursor].offers, fields[cursor].input.text)
    if let place = offers.firstIndex(where: { $0.parameterText == text }) {
      fields[cursor].fill(.value(offers[(place + step + offers.count) % offers.count]))
    } else if let first = fields[cursor].fitting.first {
      fields[cursor].fill(.value(first))
    } else {
      return
    }
    fields[cursor].isChosen = true
    fields[cursor].error = nil
  }

  /// Says under a field what is wrong with it, and goes there.
  mutating func refuse(_ identity: String, _ sentence: String) {
    guard let index = fields.firstIndex(where: { $0.parameter.identity == identity }) else { return }
    fields[index].error = sentence
    cursor = index
  }

  /// Returns the values by identity; nil where a field is wrong, which then says so and has the cursor.
  mutating func take() -> [String: ParameterInput]? {
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
  /// The type in a word, for the form.
  var typeName: String { type?.rawValue ?? parameter.typeName }

  /// The offers that begin with what is written; all where one of them is.
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

  /// Puts a value into the field, with the type that it needs to be read as the same value again; nil puts the default there.
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
