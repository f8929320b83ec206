internal import ArgumentParser
internal import Essentials

/// The parser's description of a verb.
struct VerbOutline: Decodable {
  struct Option: Decodable, Equatable {
    struct Name: Decodable, Equatable {
      var kind: String
      var name: String

      /// The name with its dashes.
      var typed: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?

    var isPositional: Bool { kind == "positional" }

    var entry: Manual.Entry {
      let names = (names ?? []).map(\.typed).joined(separator: ", ")
      let value = kind == "flag" ? "" : "<\(valueName ?? "")>"
      return Manual.Entry([names, value].filter { !$0.isEmpty }.joined(separator: " "), abstract ?? "")
    }

    /// The argument in the usage line of a verb.
    var usage: String {
      let text = "<\(valueName ?? "")>" + (isRepeating ? " ..." : "")
      return isOptional ? "[\(text)]" : text
    }
  }

  var commandName: String
  var abstract: String?
  var arguments: [Option]?
  var subcommands: [VerbOutline]?

  /// The full screen, and then the verbs.
  static var all: [VerbOutline] {
    struct Tool: Decodable { var command: VerbOutline }
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(Quarry._dumpHelp().utf8)) else { return [] }
    return (tool.command.subcommands ?? []).filter { $0.commandName != "help" }
  }

  /// Returns the options of at least three verbs, which the manual explains once.
  static func sharedOptions(of verbs: [VerbOutline]) -> [Option] {
    let options = verbs.flatMap(\.options)
    let shared = options.filter { option in options.count { $0 == option } > 2 }
    return shared.enumerated().filter { shared.firstIndex(of: $1) == $0 }.map(\.element)
  }

  var options: [Option] { (arguments ?? []).filter { $0.shouldDisplay && !$0.isPositional } }

  /// Returns the usage of the verb, its description, and its arguments and options.
  ///
  /// Shared options are only named.
  func blocks(without shared: [Option]) -> [Manual.Block] {
    let positional = (arguments ?? []).filter { $0.shouldDisplay && $0.isPositional }
    let name = commandName == Browse._commandName ? "quarry" : "quarry \(commandName)"
    let own = positional + options.filter { !shared.contains($0) }
    let common = options.filter { shared.contains($0) && $0.names?.last?.name != "help" && $0.names?.last?.name != "version" }
    let others = common.compactMap(\.names?.first?.typed).map { "`\($0)`" }.joined(separator: ", ")
    let text = (abstract ?? "") + (others.isEmpty ? "" : " It also accepts \(others): see below.")
    return [.heading(([name] + positional.map(\.usage) + ["[options]"]).joined(separator: " ")), .paragraph(text)]
      + (own.isEmpty ? [] : [.entries(own.map(\.entry))])
  }
}
