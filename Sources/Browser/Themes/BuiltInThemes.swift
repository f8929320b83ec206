/// The themes in the binary: the files of the folder `themes`.
enum BuiltInThemes {
  /// The theme of somebody who chose none.
  static let standard = "quarry-dark"

  /// Returns the text of the theme of that name.
  static func text(of name: String) -> String? {
    files[name].map { String(decoding: $0(), as: UTF8.self) }
  }

  static var names: [String] { files.keys.sorted() }

  /// Functions, since reading a file's bytes builds them.
  private static let files: [String: @Sendable () -> [UInt8]] = [
    "catppuccin-mocha": { PackageResources.catppuccin_mocha_toml },
    "dracula": { PackageResources.dracula_toml },
    "gruvbox-dark": { PackageResources.gruvbox_dark_toml },
    "high-contrast": { PackageResources.high_contrast_toml },
    "mono": { PackageResources.mono_toml },
    "nord": { PackageResources.nord_toml },
    "quarry-dark": { PackageResources.quarry_dark_toml },
    "quarry-light": { PackageResources.quarry_light_toml },
    "solarized-dark": { PackageResources.solarized_dark_toml },
    "solarized-light": { PackageResources.solarized_light_toml },
    "terminal": { PackageResources.terminal_toml },
  ]
}
