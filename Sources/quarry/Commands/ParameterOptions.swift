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

  /// Splits at the first `=`, and the name before it at its last `:` where a type stands after that.
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    text = String(argument[argument.index(after: equals)...])
    let head = argument[..<equals]
    if let colon = head.lastIndex(of: ":"), colon > head.startIndex, let type = ParameterType(rawValue: String(head[head.index(after: colon)...])) {
      (name, self.type) = (String(head[..<colon]), type)
    } else {
      (name, type) = (String(head), nil)
    }
    if let first = name.first, ":@$?".contains(first) { name.removeFirst() }
    if name.isEmpty { return nil }
  }

  /// The value, by the type given, else by the inferred one, else as it is written.
  func value(inferred: ParameterType?) throws -> DatabaseValue {
    if type == .blob, text.hasPrefix("@") { return .blob(try bytes(of: String(text.dropFirst()))) }
    do throws(ParameterError) {
      guard let type = type ?? inferred else { return ParameterType.guessedValue(of: text) }
      return try type.value(of: text)
    } catch {
      throw Failure.usage("-p \(name)=\(text): \(error)")
    }
  }

  private func bytes(of path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure.usage("-p \(name): there is no file \(path), or it cannot be read") }
    return [UInt8](data)
  }
}

struct ParameterOptions: ParsableArguments {
  @Option(
    name: .customShort("p"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A value for a parameter; once for each. A type may follow the name: null, integer, real, text, blob, date, json.",
      valueName: "name[:type]=value"))
  var parameters: [ParameterAssignment] = []

  /// Returns the values for the parameters of a filter, by what they go by.
  ///
  /// - Throws: `Failure` for one that is missing, given twice, or meant for no parameter.
  func values(for wanted: [FilterParameter]) throws -> [String: DatabaseValue] {
    var values: [String: DatabaseValue] = [:]
    for assignment in parameters {
      guard let parameter = wanted.first(where: { $0.key == assignment.name }) else { throw Failure.usage(Self.stray(assignment, wanted)) }
      guard values[parameter.key] == nil else { throw Failure.usage("-p \(assignment.name) is given twice") }
      values[parameter.key] = try assignment.value(inferred: parameter.type?.parameterType)
    }
    let missing = wanted.filter { values[$0.key] == nil }
    guard missing.isEmpty else {
      throw Failure.usage("missing: \(missing.map { "-p \($0.key)=…" }.joined(separator: " "))")
    }
    return values
  }

  private static func stray(_ assignment: ParameterAssignment, _ wanted: [FilterParameter]) -> String {
    let names = wanted.map(\.key).joined(separator: ", ")
    return "-p \(assignment.name): there is no such parameter; \(names.isEmpty ? "the filter has none" : "there is \(names)")"
  }
}
