internal import ArgumentParser
internal import Browser

struct ThemesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "List the themes, and where each comes from; the one in force has a mark.")

  @Flag(name: .customLong("default"), help: "Print the default theme, to begin your own with.")
  var printsDefault = false

  func run() throws {
    if printsDefault { return try StandardOutput.write(ThemeCatalog.defaultText) }
    let choices = Preferences.ofThisPerson()
    try StandardOutput.write(choices.themes.listing(chosen: choices.settings.theme))
  }
}
