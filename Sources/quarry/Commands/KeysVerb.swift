internal import ArgumentParser
internal import Browser

struct KeysVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "keys", abstract: "List the keys in force, your own among them.")

  @Flag(name: .customLong("default"), help: "Print the default keys as a keys.toml.")
  var printsDefault = false

  func run() throws {
    try StandardOutput.write(printsDefault ? Keymap.defaultText : Preferences.ofThisPerson().keymap.listing)
  }
}
