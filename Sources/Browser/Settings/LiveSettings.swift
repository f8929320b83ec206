/// The settings that take effect at once on an open screen.
package struct LiveSettings: Hashable, Sendable {
  package var theme: String
  package var mouse: Bool
  package var ascii: Bool
  package var catalogWidth: Int
  package var hidesEmptyTimes: Bool
  /// The configured label columns of tables, by the table's name in lowercase.
  package var labels: [String: [String]]

  /// A setting, or the label columns of a table; nil for a setting that takes effect when the next database is opened.
  ///
  /// Without configured columns, those of a label are an empty text.
  subscript(key: SettingKey) -> SettingValue? {
    get {
      switch key {
      case .setting(.theme): .text(theme)
      case .setting(.mouse): .flag(mouse)
      case .setting(.ascii): .flag(ascii)
      case .setting(.catalogWidth): .number(catalogWidth)
      case .setting(.hideEmptyTimes): .flag(hidesEmptyTimes)
      case .setting(.recordChanges), .setting(.changesLimit): nil
      case .label(let table): .text((labels[table.lowercased()] ?? []).joined(separator: ", "))
      }
    }
    set {
      switch (key, newValue) {
      case (.setting(.theme), .text(let text)): theme = text
      case (.setting(.mouse), .flag(let flag)): mouse = flag
      case (.setting(.ascii), .flag(let flag)): ascii = flag
      case (.setting(.catalogWidth), .number(let number)): catalogWidth = number
      case (.setting(.hideEmptyTimes), .flag(let flag)): hidesEmptyTimes = flag
      case (.label(let table), .text(let text)):
        let columns = Settings.labelColumns(in: text)
        labels[table.lowercased()] = columns.isEmpty ? nil : columns
      default: break
      }
    }
  }
}
