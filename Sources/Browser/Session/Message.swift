internal import Essentials
internal import QuarryEngine
internal import QuarryRows
package import QuarrySources
package import Terminal

/// An event, as the browser receives it.
package enum Message: Sendable {
  case eventArrived(Event)
  /// Characters that were typed faster than the program handled them.
  case typed(String)
  /// A request reports progress or a partial result before its answer.
  case reported(RequestID, any Sendable)
  case answered(RequestID, Result<any Sendable, Problem>)
  /// Another program has written to one of the files.
  case filesChanged
  /// Files have been moved from their original paths; nil if they are back.
  case filesMoved(FileMove?)
  /// The lock that a statement waits for has changed; nil for none.
  case lockWaitChanged(LockWait?)
  /// The machines that serve the data have changed, or none of them can be queried.
  case connectionChanged(SourceConnection)
  /// The open transaction is lost, and none of its changes are stored.
  case transactionLost(Problem)
  /// Rows are being copied for reading, or have been copied; nil if copying was stopped.
  case copyChanged(SourceCopy?)
  case memoryUnsaved(Problem)
  /// A text has been copied to these destinations, or could not be copied.
  case copied(CopyText, Result<String, Problem>)

  /// Whether the person has typed, pasted or pointed.
  var isInput: Bool {
    switch self {
    case .typed, .eventArrived(.key), .eventArrived(.paste), .eventArrived(.mouse): true
    default: false
    }
  }
}

/// The reason why an operation failed, as a sentence.
package struct Problem: Error, Hashable, Sendable {
  package var text: String
  /// Whether the operation is possible if the person confirms it.
  var isQuestion = false
  /// Whether the columns or keys of the rows have changed since they were opened, so that they have to be reopened.
  var isOutdated = false

  package init(_ text: String) {
    self.text = text
  }

  /// The row that an operation needs was visible, but is not in its table any more.
  static let rowDeleted = Problem("this row has been deleted")
}

/// The number of a grid; never reused.
package struct GridID: Hashable, Sendable {
  let number: Int

  package init(number: Int) {
    self.number = number
  }
}

/// A text for the clipboard, with its name for messages: `Name`, `3 rows as CSV`.
package struct CopyText: Hashable, Sendable {
  package var text: String
  package var title: String
  /// The value, if the text is the value of a single cell.
  var value: DatabaseValue?
}

extension Message {
  /// Returns the messages for events: one message per event, except that characters typed in quick succession share one.
  package static func messages(of events: [Event]) -> [Message] {
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

/// An effect that the browser requests, as data: requests and calls go to the session, all others to the terminal.
package enum Effect: Hashable, Sendable {
  /// Starts a request; a message will answer it.
  case request(IssuedRequest)
  /// Cancels a request.
  case cancel(RequestID)
  case call(IssuedCall)
  case saveMemory(SessionMemory)
  // Effects of the terminal.
  /// Opens a text in the external editor; the result answers a request.
  case editExternally(String, answering: RequestID)
  case copyToClipboard(CopyText)
  /// Enables or disables the mouse.
  case useMouse(Bool)
  case suspend
  case repaint
  case quit
}

/// A call for the session.
package struct IssuedCall: Hashable, Sendable {
  let call: any ServiceCall

  package static func == (left: IssuedCall, right: IssuedCall) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

  package func hash(into hasher: inout Hasher) { call.hash(into: &hasher) }
}
