/// An error of SQLite's that a loop in C ended with.
struct CError: Error, CustomStringConvertible {
  let description: String

  init(_ message: String) {
    description = message
  }
}
