/// A colour, as a theme means it; the terminal shows the nearest that it has.
public enum Color: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// One of the terminal's own 16 colours, 0 to 15.
  case ansi(UInt8)
  /// A colour of 24 bits, and the one of the terminal's own 16 that stands for it where there are no more; nil means `standard`.
  case rgb(red: UInt8, green: UInt8, blue: UInt8, ansi: UInt8?)
}

/// Marks of a text that are not its colour.
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

/// How a cell looks.
public struct Style: Hashable, Sendable {
  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  /// Text in the terminal's own colours.
  public static let plain = Style()

  public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Returns this style with what `other` says besides: its colours where they are not `standard`, and its attributes too.
  public func overlaid(by other: Style) -> Style {
    Style(
      foreground: other.foreground == .standard ? foreground : other.foreground,
      background: other.background == .standard ? background : other.background,
      attributes: attributes.union(other.attributes))
  }
}
