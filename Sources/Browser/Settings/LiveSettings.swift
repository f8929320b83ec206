/// The settings that take effect at once on an open screen.
package struct LiveSettings: Hashable, Sendable {
  package var theme: String
  package var mouse: Bool
  package var ascii: Bool
  package var catalogWidth: Int
  package var hidesEmptyTimes: Bool

  /// A setting; nil for a setting that takes effect when the next database is opened.
  subscript(name: SettingName) -> SettingValue? {
    get {
      switch name {
      case .theme: .text(theme)
      case .mouse: .flag(mouse)
      case .ascii: .flag(ascii)
      case .catalogWidth: .number(catalogWidth)
      case .hideEmptyTimes: .flag(hidesEmptyTimes)
      case .recordChanges, .changesLimit: nil
      }
    }
    set {
      switch (name, newValue) {
      case (.theme, .text(let text)): theme = text
      case (.mouse, .flag(let flag)): mouse = flag
      case (.ascii, .flag(let flag)): ascii = flag
      case (.catalogWidth, .number(let number)): catalogWidth = number
      case (.hideEmptyTimes, .flag(let flag)): hidesEmptyTimes = flag
      default: break
      }
    }
  }
}
