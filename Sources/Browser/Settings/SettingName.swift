/// A setting, by the name that `config.toml` uses.
public enum SettingName: String, CaseIterable, Hashable, Sendable {
  case theme, mouse, ascii
  case catalogWidth = "catalog-width"

  /// One line on what it does.
  public var help: String {
    switch self {
    case .theme: "The colours; `quarry themes` lists them. Where nothing is chosen, NO_COLOR chooses mono"
    case .mouse: "Whether the mouse is the program's; hold Shift to select text with the terminal's own"
    case .ascii: "Whether borders and marks are plain ASCII"
    case .catalogWidth: "The columns of the catalog, \(Self.catalogWidths.lowerBound) to \(Self.catalogWidths.upperBound)"
    }
  }

  /// What holds where nobody says anything.
  public var standard: SettingValue {
    switch self {
    case .theme: .text(BuiltInThemes.standard)
    case .mouse: .flag(true)
    case .ascii: .flag(false)
    case .catalogWidth: .number(30)
    }
  }

  static let catalogWidths = 12...120

  /// Returns what is wrong with `value` for this setting, and the way out; nil where nothing is.
  func complaint(about value: ConfigurationDocument.Value) -> String? {
    switch (self, standard, value) {
    case (.catalogWidth, _, .number(let columns)):
      Self.catalogWidths.contains(columns) ? nil : "\"\(rawValue)\" is \(columns); write \(Self.limits)"
    case (_, .text, .text), (_, .flag, .flag), (_, .number, .number):
      nil
    case (_, .text, _): "\"\(rawValue)\" is \(value.kind); write a name in quotes: \(rawValue) = \(standard)"
    case (_, .flag, _): "\"\(rawValue)\" is \(value.kind); write \(rawValue) = true or \(rawValue) = false"
    case (_, .number, _): "\"\(rawValue)\" is \(value.kind); write \(Self.limits)"
    }
  }

  private static let limits = "a whole number from \(catalogWidths.lowerBound) to \(catalogWidths.upperBound)"
}

/// The value of a setting.
public enum SettingValue: Hashable, Sendable {
  case text(String)
  case flag(Bool)
  case number(Int)
}

extension SettingValue: CustomStringConvertible {
  /// The value as `config.toml` writes it.
  public var description: String {
    switch self {
    case .text(let text): TOMLText.quoted(text)
    case .flag(let flag): String(flag)
    case .number(let number): String(number)
    }
  }

  init?(_ value: ConfigurationDocument.Value) {
    switch value {
    case .text(let text): self = .text(text)
    case .flag(let flag): self = .flag(flag)
    case .number(let number): self = .number(number)
    case .list, .table, .other: return nil
    }
  }
}
