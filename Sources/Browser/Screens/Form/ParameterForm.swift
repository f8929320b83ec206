import QuarryEngine
import Terminal

/// A form that asks for the parameters of what is to run: a field each.
struct ParameterForm: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var parameter: FormParameter
    var input = TextField()
    /// The type that was chosen; nil takes the inferred one, or guesses.
    var type: ParameterType?
    var error: String?
  }

  let title: String
  private(set) var fields: [Field]
  private(set) var cursor = 0

  /// - Parameter values: What was filled in before, by the parameters' identities.
  init(title: String, parameters: [FormParameter], values: [String: DatabaseValue]) {
    self.title = title
    fields = parameters.map { parameter in
      var field = Field(parameter: parameter)
      guard let value = values[parameter.identity] else { return field }
      field.input = TextField(value == .null ? "" : value.formText)
      field.type = value == .null ? .null : nil
      return field
    }
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
    if change(&fields[cursor].input) { fields[cursor].error = nil }
  }

  /// Goes to the next type for the field: the inferred one, then each that can be chosen.
  mutating func changeType() {
    guard fields.indices.contains(cursor) else { return }
    let types: [ParameterType?] = [nil] + ParameterType.allCases
    let place = types.firstIndex(of: fields[cursor].type) ?? 0
    fields[cursor].type = types[(place + 1) % types.count]
    fields[cursor].error = nil
  }

  /// Returns the values by identity; nil where a field is wrong, which then says so and has the cursor.
  mutating func take() -> [String: DatabaseValue]? {
    var values: [String: DatabaseValue] = [:]
    for index in fields.indices {
      do throws(ParameterError) {
        values[fields[index].parameter.identity] = try fields[index].value()
      } catch {
        fields[index].error = "expected here: \(error.expected)"
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

  func value() throws(ParameterError) -> DatabaseValue {
    if let type = type ?? parameter.type { return try type.value(of: input.text) }
    return ParameterType.guessedValue(of: input.text)
  }
}

extension DatabaseValue {
  /// The value as a field of a form has it.
  fileprivate var formText: String {
    if case .blob(let bytes) = self { bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined() } else { plainText }
  }
}
