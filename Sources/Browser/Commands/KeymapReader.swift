/// Lays a keymap file over the default keys.
struct KeymapReader {
  let file: String
  private(set) var warnings: [ConfigurationWarning] = []

  init(file: String) {
    self.file = file
  }

  mutating func layers(of text: String, over defaults: [CommandContext: KeymapLayer]) -> [CommandContext: KeymapLayer] {
    defaults
  }
}
