extension ConfigurationDocument.Value {
  /// What the value is, for a message that says what it should have been.
  var kind: String {
    switch self {
    case .text: "a text"
    case .flag: "true or false"
    case .number: "a whole number"
    case .list: "a list"
    case .table: "a table"
    case .other(let name): "a \(name)"
    }
  }
}
