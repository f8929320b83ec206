internal import ArgumentParser
internal import Essentials
internal import QuarryEngine
internal import QuarryRows

/// A parameter of a filter or a statement for which the command line may give a value.
struct WantedParameter {
  var key: String
  /// The way in which its value is parsed.
  var reading: ParameterReading
  /// The expected value as a part of a sentence.
  var expectation: String?
  var defaultText: String?
  /// Whether the parameter may have no value.
  var isOptional = false

  init(_ parameter: FilterParameter) {
    (key, reading, expectation) = (parameter.key, parameter.reading, parameter.type?.phrase)
  }

  init(_ parameter: StatementParameter, isOptional: Bool) {
    (key, reading, expectation) = (parameter.key, parameter.reading, parameter.expectation)
    defaultText = parameter.defaultText
    self.isOptional = isOptional
  }
}

struct ParameterOptions: ParsableArguments {
  @Option(
    name: .customShort("p"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Set a parameter. A type can follow the name: null, integer, real, text, blob, date, json. Repeatable.",
      valueName: "name[:type]=value"))
  var parameters: [ParameterAssignment] = []

  /// The paths of files whose bytes are values, according to the command line.
  ///
  /// Excludes values whose type depends on the parameter.
  var paths: [String] {
    parameters.filter { $0.type == .blob && $0.text.hasPrefix("@") }.map { String($0.text.dropFirst()) }
  }

  /// Returns a value for each parameter, from the command line or its default.
  ///
  /// Returns nil for an optional parameter without a value.
  ///
  /// - Throws: `Failure` with all missing parameters, or the first value that does not match its type.
  func values(for wanted: [WantedParameter]) throws -> [DatabaseValue?] {
    let assignments = wanted.map(assignment)
    try refuseGaps(zip(wanted, assignments).filter { $0.1 == nil && !$0.0.isOptional }.map(\.0))
    return try zip(wanted, assignments).map { try $1?.value($0.reading) }
  }

  private func assignment(for parameter: WantedParameter) -> ParameterAssignment? {
    parameters.first { $0.name == parameter.key } ?? parameter.defaultText.map { ParameterAssignment(default: $0, of: parameter.key) }
  }

  private func refuseGaps(_ missing: [WantedParameter]) throws {
    var keys: Set<String> = []
    let names = missing.filter { keys.insert($0.key).inserted }.map { parameter in
      "-p \(parameter.key)=…" + (parameter.expectation.map { " (\($0))" } ?? "")
    }
    if !names.isEmpty { throw Failure.usage("missing: \(names.joined(separator: ", "))") }
  }

  /// Rejects parameters that do not belong to the statements.
  ///
  /// - Throws: `Failure` if a parameter is given twice, or belongs to none of the statements.
  func refuseStrays(among wanted: [WantedParameter]) throws {
    var known: Set<String> = []
    let names = wanted.map(\.key).filter { known.insert($0).inserted }
    var given: Set<String> = []
    for name in parameters.map(\.name) {
      guard known.contains(name) else { throw Failure.usage(Self.stray(name, names)) }
      guard given.insert(name).inserted else { throw Failure.usage("-p \(name) is given twice") }
    }
  }

  private static func stray(_ name: String, _ names: [String]) -> String {
    "-p \(name): the SQL has no such parameter; " + (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))")
  }
}

/// A parameter value on the command line: `min=3`, `zip:text=007`, `photo:blob=@face.png`.
struct ParameterAssignment: ExpressibleByArgument, Hashable {
  var name: String
  var type: ParameterType?
  var text: String
  /// Whether the value comes from a comment in the SQL rather than from the command line.
  private var isDefault = false

  /// Splits at the first `=`, and the name before it at its last `:` if a type follows.
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

  /// Returns the value, parsed by its own type or else by that of the parameter.
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
    if let host = SSHSession.current?.host {
      if let bytes = SSHSession.file(path) { return bytes }
      throw Failure.usage("\(label): the file was not sent to \(host.name): write its type, as in -p \(name):blob=@\(path)")
    }
    do throws(SystemError) {
      return try OpenFile.contents(of: path)
    } catch {
      throw Failure.usage("\(label): \(path) cannot be read: \(error)")
    }
  }
}
