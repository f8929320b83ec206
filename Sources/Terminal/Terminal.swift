/// A screen with a keyboard: the browser's interface to a terminal.
///
/// Only `waker` may be used on a thread other than the one that created the terminal.
public protocol Terminal: AnyObject {
  /// The current size of the screen.
  var size: Size { get }

  /// Ends a wait of `waitForEvents()` from any thread.
  var waker: any Waker { get }

  /// Blocks until there is an event or `waker.wake()` is called, and returns the events in order.
  ///
  /// Empty after a mere wake-up.
  func waitForEvents() -> [Event]

  /// Returns the reason for which the program was asked to exit, without waiting, or nil if it was not.
  ///
  /// An exit takes precedence over all keys that were typed before.
  func takeEnding() -> Ending?

  /// Shows `surface`, writing only the cells that differ from the screen.
  func paint(_ surface: Surface)

  /// Discards the known screen contents, so that the next `paint(_:)` writes every cell.
  func invalidate()

  /// Asks the terminal to put `text` on the clipboard (OSC 52).
  ///
  /// Returns false if that is not possible.
  func copyToClipboard(_ text: String) -> Bool

  /// Enables or disables mouse events.
  func setMouse(_ isOn: Bool)

  /// Restores the terminal and suspends the program like ^Z.
  ///
  /// Returns when the program continues, with the terminal taken over again.
  func suspend()

  /// Restores the terminal while `body` runs, for example another program that uses it, and then takes it over again.
  func whileReleased<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value
}

/// Wakes a terminal's thread from any thread.
public protocol Waker: Sendable {
  func wake()
}
