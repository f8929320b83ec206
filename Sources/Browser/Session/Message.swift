internal import Essentials
internal import QuarryEngine
internal import QuarryRows
package import QuarrySources
package import Terminal

/// Something that happened, as the browser receives it.
package enum Message: Sendable {
  case eventArrived(Event)
  /// Characters that were typed faster than they were handled.
  case typed(String)
  /// A request reports something before its answer.
  case reported(RequestID, any Sendable)
  case answered(RequestID, Result<any Sendable, Problem>)
  /// Another program has written to one of the files.
  case filesChanged
  /// Files are no longer where they were opened; nil where they are again.
  case filesMoved(FileMove?)
  /// The lock that is being waited for has changed; nil for none.
  case lockWaitChanged(LockWait?)
  /// The machines that serve the data are others than before, or none may be asked.
  case connectionChanged(SourceConnection)
  /// The open transaction is gone, with nothing of it stored.
  case transactionLost(Problem)
  /// Rows are being copied to be looked at, or have been; nil where that was stopped.
  case copyChanged(SourceCopy?)
  case memoryUnsaved(Problem)
  /// A text has been copied, to these places, or could not be.
  case copied(CopyText, Result<String, Problem>)
}

/// Why something could not be done, as a sentence.
package struct Problem: Error, Hashable, Sendable {
  package var text: String
  /// Whether it can be done nevertheless, if the person says so.
  var isQuestion = false
  /// Whether the rows have other columns or keys than when they were opened, so that they have to be opened again.
  var isOutdated = false

  package init(_ text: String) {
    self.text = text
  }
}

/// The number of a grid; never used twice.
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
  /// The value, where it is that of one cell.
  var value: DatabaseValue?
}

extension Message {
  /// Returns the messages for events: one for each, except that characters typed in quick succession become one.
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

/// Something that the browser wants done, as data: requests and calls go to the session, the rest to the terminal.
package enum Effect: Hashable, Sendable {
  /// Starts a request, which is answered by a message.
  case request(IssuedRequest)
  /// Cancels a request.
  case cancel(RequestID)
  case call(IssuedCall)
  case saveMemory(SessionMemory)
  // Effects of the terminal.
  /// Opens a text in the person's own editor; the result answers a request.
  case editExternally(String, answering: RequestID)
  case copyToClipboard(CopyText)
  case suspend
  case repaint
  case quit
}

/// A call on its way to the session.
package struct IssuedCall: Hashable, Sendable {
  let call: any ServiceCall

  package static func == (left: IssuedCall, right: IssuedCall) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

  package func hash(into hasher: inout Hasher) { call.hash(into: &hasher) }
}
