/// Why a text names no key.
enum KeyNotationError: Error, Hashable {
  case empty
  case unknown(String, nearest: String?)
  case undeliverable(String, reason: String)
}

extension KeyNotationError: CustomStringConvertible {
  var description: String {
    switch self {
    case .empty: "a key is missing"
    case .unknown(let stroke, let nearest?): "there is no key \"\(stroke)\"; did you mean \"\(nearest)\"?"
    case .unknown(let stroke, nil): "there is no key \"\(stroke)\"; write keys that follow each other apart, as in \"g d\""
    case .undeliverable(let stroke, let reason): "\"\(stroke)\" cannot be a key of its own: \(reason)"
    }
  }
}
