/// A screen with a keyboard: what the browser knows of a terminal.
///
/// All but `waker` belongs to one thread, the one that made it.
public protocol Terminal: AnyObject {
  /// The extent of the screen now.
  var size: Size { get }

  /// Ends a wait of `waitForEvents()` from any thread.
  var waker: any Waker { get }

  /// Blocks until there is an event or somebody calls `waker.wake()`, and returns what there is, in order; empty after a mere wake.
  func waitForEvents() -> [Event]

  /// Returns what has asked the program to end since, without waiting; nil for nothing.
  ///
  /// An end goes before all keys that were typed ahead.
  func takeEnding() -> Ending?

  /// Shows `surface`, writing only what differs from what is shown.
  func paint(_ surface: Surface)

  /// Forgets what is shown, so that the next `paint(_:)` writes every cell.
  func invalidate()

  /// Asks the terminal to put `text` on the clipboard (OSC 52); returns false where that cannot work.
  func copyToClipboard(_ text: String) -> Bool

  /// Gives the terminal back and stops the program as ^Z does; returns when it goes on, with the terminal taken again.
  func suspend()

  /// Gives the terminal back while `body` runs, such as for a program that uses it, and takes it again.
  func whileReleased<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value
}

/// Wakes a terminal's thread from any other.
public protocol Waker: Sendable {
  func wake()
}
