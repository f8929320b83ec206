/// What a person or the terminal did.
public enum Event: Hashable, Sendable {
  case key(Key)
  /// A bracketed paste, whole, its line ends as `\n`.
  case paste(String)
  case mouse(Mouse)
  case resized(Size)
  /// The program was stopped and goes on: everything must be painted anew.
  case resumed
  /// The terminal is gone, or a signal asks the program to end.
  case ended(Ending)
}

/// Why the program is asked to end.
public enum Ending: Hashable, Sendable {
  /// The terminal hung up: nothing can be written to it any more.
  case hangup
  /// A signal, by its number: SIGINT or SIGTERM from outside.
  case signal(Int32)
}

/// A press, release or turn of the mouse.
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
    /// What a key types: one grapheme cluster, upper case where Shift made it so (Shift is then no modifier). A control chord holds its
    /// lower-case letter.
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

  /// Makes the key that types `character`.
  public init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }
}
