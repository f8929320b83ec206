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
