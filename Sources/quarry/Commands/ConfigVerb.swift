internal import ArgumentParser
internal import Browser

struct ConfigVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the settings in force and where each comes from, or check a file of yours.")

  @Option(
    help: ArgumentHelp("Check a theme, a keymap or settings; status 2 where something is wrong.", valueName: "file"), completion: .file())
  var check: String?

  @Flag(name: .customLong("default"), help: "Print the default config.toml.")
  var printsDefault = false

  func validate() throws {
    if check != nil, printsDefault { throw ValidationError("--check or --default, not both") }
  }

  func run() throws {
    if let check { return try run(check) }
    if printsDefault { return try StandardOutput.write(Settings.defaultText) }
    let choices = Preferences.ofThisPerson()
    try StandardOutput.write(choices.settings.listing)
    for warning in choices.warnings { StandardError.write("quarry: \(warning)\n") }
  }

  private func run(_ path: String) throws {
    guard let file = TextFile(path: path) else { throw Failure(status: .cannotOpen, message: "“\(path)” cannot be read") }
    guard let text = file.text else { throw Failure.usage("\(path): the file is not UTF-8; save it as UTF-8") }
    let found = ConfigurationCheck(.init(path: path, text: text), themes: Preferences.ofThisPerson().themes)
    guard !found.warnings.isEmpty else { return }
    try StandardOutput.write(found.warnings.map { "\($0)\n" }.joined())
    throw Failure(status: .usage, message: nil)
  }
}
