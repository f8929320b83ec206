internal import ArgumentParser
internal import QuarryEngine

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value for a parameter as the command line gives it: `min=3`, `zip:text=007`, `photo:blob=@face.png`.
struct ParameterAssignment: ExpressibleByArgument, Hashable {
  var name: String
  var type: ParameterType?
  var text: String
  /// Whether it stands in a comment of the SQL, not on the command line.
  private var isDefault = false

  /// Splits at the first `=`, and the name before it at its last `:` where a type stands after that.
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    text = String(argument[argument.index(after: equals)...])
    let head = argument[..<equals]
    let colon = head.lastIndex(of: ":").flatMap { $0 > head.startIndex ? $0 : nil }
    type = colon.flatMap { ParameterType(rawValue: String(head[head.index(after: $0)...])) }
    name = String(type == nil ? head : head[..<(colon ?? head.endIndex)])
    if let first = name.first, ":@$?".contains(first) { name.removeFirst() }
    if name.isEmpty { return nil }
  }

  init(default text: String, of name: String) {
    (self.name, self.text, isDefault) = (name, text, true)
  }

  /// The value, by the type given, else as the parameter is read.
  func value(_ reading: ParameterReading) throws -> DatabaseValue {
    let reading = type.map { ParameterReading(type: $0) } ?? reading
    if reading.type == .blob, text.hasPrefix("@") { return .blob(try bytes(of: String(text.dropFirst()))) }
    do throws(ParameterError) {
      return try reading.value(of: text)
    } catch {
      throw Failure.usage("\(label): \(error)")
    }
  }

  private var label: String { isDefault ? "the default of \(name)" : "-p \(name)=\(text)" }

  private func bytes(of path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure.usage("\(label): there is no file \(path), or it cannot be read")
    }
    return [UInt8](data)
  }
}
