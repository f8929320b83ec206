/// A setting, with its name in `config.toml`.
package enum SettingName: String, CaseIterable, Hashable, Sendable {
  case theme, mouse, ascii
  case catalogWidth = "catalog-width"
  case hideEmptyTimes = "hide_empty_times"
  case recordChanges = "changes.record"
  case changesLimit = "changes.limit"

  /// The effect of the setting, in one line.
  package var help: String {
    switch self {
    case .theme: "The color theme; `quarry themes` lists them. If none is set, NO_COLOR selects mono"
    case .mouse: "Whether quarry handles the mouse; hold Shift to select text in the terminal"
    case .ascii: "Whether borders and marks are plain ASCII"
    case .catalogWidth: "The maximum width of the catalog in columns, \(Self.catalogWidths.lowerBound) to \(Self.catalogWidths.upperBound)"
    case .hideEmptyTimes: "Whether to hide 00:00:00 after dates in columns where no value seen so far has another time"
    case .recordChanges: "Whether commits are recorded, so that you can undo them"
    case .changesLimit: "The maximum size of the records of one database in MiB; the oldest are deleted first"
    }
  }

  /// The default value.
  package var standard: SettingValue {
    switch self {
    case .theme: .text(BuiltInThemes.standard)
    case .mouse: .flag(true)
    case .ascii: .flag(false)
    case .catalogWidth: .number(60)
    case .hideEmptyTimes: .flag(true)
    case .recordChanges: .flag(true)
    case .changesLimit: .number(256)
    }
  }

  static let catalogWidths = 12...120
  static let changesLimits = 1...1_000_000

  /// The valid numbers of a setting; nil for a setting that is not a number.
  var numbers: ClosedRange<Int>? {
    switch self {
    case .catalogWidth: Self.catalogWidths
    case .changesLimit: Self.changesLimits
    case .theme, .mouse, .ascii, .hideEmptyTimes, .recordChanges: nil
    }
  }

  /// Returns the fault of `value` for this setting, and the correction; nil if it is valid.
  func complaint(about value: ConfigurationDocument.Value) -> String? {
    switch (standard, value) {
    case (.number, .number(let number)):
      numbers?.contains(number) == false ? "\"\(rawValue)\" is \(number); write \(limits)" : nil
    case (.text, .text), (.flag, .flag):
      nil
    case (.text, _): "\"\(rawValue)\" is \(value.kind); write a name in quotes: \(rawValue) = \(standard)"
    case (.flag, _): "\"\(rawValue)\" is \(value.kind); write \(rawValue) = true or \(rawValue) = false"
    case (.number, _): "\"\(rawValue)\" is \(value.kind); write \(limits)"
    }
  }

  private var limits: String { numbers.map { "a whole number from \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number" }
}

/// The value of a setting.
package enum SettingValue: Hashable, Sendable {
  case text(String)
  case flag(Bool)
  case number(Int)
}

extension SettingValue: CustomStringConvertible {
  /// The value in the notation of `config.toml`.
  package var description: String {
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
