/// Something that the browser wants done outside of itself, as data: of the session what requests and calls say, the rest of the terminal.
public enum Effect: Hashable, Sendable {
  /// Reads or changes something, and answers.
  case request(IssuedRequest)
  /// Ends the work of a request.
  case cancel(RequestID)
  case call(IssuedCall)
  case saveMemory(SessionMemory)
  // With the terminal.
  /// Lets the person's own editor change a text, which answers a request.
  case editExternally(String, answering: RequestID)
  case copyToClipboard(CopyText)
  case suspend
  case repaint
  case quit
}

/// A call on its way to the session.
public struct IssuedCall: Hashable, Sendable {
  let call: any ServiceCall

  public static func == (left: IssuedCall, right: IssuedCall) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

  public func hash(into hasher: inout Hasher) { call.hash(into: &hasher) }
}
