/// An input event from the user or the terminal.
public enum Event: Hashable, Sendable {
  case key(Key)
  /// A complete bracketed paste, with `\n` as line ends.
  case paste(String)
  case mouse(Mouse)
  case resized(Size)
  /// The program was suspended and continues, so that everything must be repainted.
  case resumed
  /// The terminal is gone, or a signal asks the program to exit.
  case ended(Ending)
}

/// The reason why the program is asked to exit.
public enum Ending: Hashable, Sendable {
  /// The terminal hung up.
  ///
  /// Nothing can be written to it any more.
  case hangup
  /// The number of a signal: SIGINT or SIGTERM from outside.
  case signal(Int32)
}

/// A press, release or wheel movement of the mouse.
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case press(Button), release, drag
    case wheelUp, wheelDown, wheelLeft, wheelRight
  }

  public enum Button: Hashable, Sendable { case left, middle, right }

  public var action: Action
  public var point: Point
  public var modifiers: Key.Modifiers

  public init(_ action: Action, at point: Point, modifiers: Key.Modifiers = []) {
    self.action = action
    self.point = point
    self.modifiers = modifiers
  }
}

/// A key as the terminal reports it.
public struct Key: Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// The character of a key: one grapheme cluster, in upper case if Shift is pressed (Shift is then not a modifier).
    ///
    /// For a control chord, the lowercase letter.
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F24.
    case function(Int)
  }

  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    public static let shift = Modifiers(rawValue: 1 << 0)
    public static let alt = Modifiers(rawValue: 1 << 1)
    public static let control = Modifiers(rawValue: 1 << 2)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// Creates the key for `character`.
  public init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }
}
