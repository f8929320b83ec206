public import QuarryEngine
public import Terminal

/// Something that happened, told to the browser.
public enum Message: Sendable {
  case eventArrived(Event)
  /// Characters that were typed faster than they were met, one key after the other.
  case typed(String)
  /// A request has something to tell before its answer.
  case reported(RequestID, any Sendable)
  case answered(RequestID, Result<any Sendable, Problem>)
  /// Somebody else has written to one of the files.
  case filesChanged
  /// Files are not where they were opened; nil where they are again.
  case filesMoved(FileMove?)
  /// What is waited for has become another lock, or none.
  case lockWaitChanged(LockWait?)
  case memoryUnsaved(Problem)
  /// What has come of a text for the clipboard: the places where it is now.
  case copied(CopyText, Result<String, Problem>)
}

/// What a person is told when something could not be done.
public struct Problem: Error, Hashable, Sendable {
  public var text: String

  public init(_ text: String) {
    self.text = text
  }
}

/// Which grid a request or an answer belongs to; never used twice.
public struct GridID: Hashable, Sendable {
  let number: Int
}

/// A text for the clipboard, and what it is: `Name`, `3 rows as CSV`.
public struct CopyText: Hashable, Sendable {
  public var text: String
  public var title: String
}

extension Message {
  /// Returns a message for each event, but one for characters that were typed one after the other.
  static func messages(of events: [Event]) -> [Message] {
    var messages: [Message] = []
    var typed: [Character] = []
    func endTyping() {
      if let only = typed.first { messages.append(typed.count == 1 ? .eventArrived(.key(Key(only))) : .typed(String(typed))) }
      typed = []
    }
    for event in events {
      if case .key(let key) = event, key.modifiers.isEmpty, case .character(let character) = key.code {
        typed.append(character)
      } else {
        endTyping()
        messages.append(.eventArrived(event))
      }
    }
    endTyping()
    return messages
  }
}
