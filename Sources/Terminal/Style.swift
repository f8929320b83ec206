/// A color of a theme.
///
/// The terminal shows the nearest color that it has.
public enum Color: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of the terminal's own 16 colors, 0 to 15.
  case ansi(UInt8)
  /// A 24-bit color, with a substitute from the terminal's 16 colors.
  ///
  /// A nil substitute means `standard`.
  case rgb(red: UInt8, green: UInt8, blue: UInt8, ansi: UInt8?)
}

/// Text attributes other than the color.
public struct Attributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let bold = Attributes(rawValue: 1 << 0)
  public static let dim = Attributes(rawValue: 1 << 1)
  public static let italic = Attributes(rawValue: 1 << 2)
  public static let underline = Attributes(rawValue: 1 << 3)
  public static let reverse = Attributes(rawValue: 1 << 4)
  public static let strikethrough = Attributes(rawValue: 1 << 5)
}

/// The appearance of a cell.
public struct Style: Hashable, Sendable {
  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  /// Text in the terminal's default colors.
  public static let plain = Style()

  public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Returns this style combined with `other`: its colors if they are not `standard`, and its attributes in addition.
  public func overlaid(by other: Style) -> Style {
    Style(
      foreground: other.foreground == .standard ? foreground : other.foreground,
      background: other.background == .standard ? background : other.background,
      attributes: attributes.union(other.attributes))
  }
}
