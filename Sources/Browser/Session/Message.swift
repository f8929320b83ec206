public import QuarryEngine
import Subprocess
public import Terminal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

/// The programs of the desktop that put a text on its clipboard, beside what the terminal does itself.
public struct Clipboard: Sendable {
  /// A program that reads the text from its standard input.
  public struct Tool: Hashable, Sendable {
    public var name: String
    public var arguments: [String]

    public init(_ name: String, _ arguments: [String] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  private let tools: [Tool]

  public init(tools: [Tool]) {
    self.tools = tools
  }

  /// The tools that can work in an environment: `wl-copy` under Wayland, `xclip` under X, `pbcopy` on macOS.
  public init(environment: [String: String]) {
    #if os(macOS)
      tools = [Tool("pbcopy")]
    #else
      let wayland = environment["WAYLAND_DISPLAY"].map { _ in Tool("wl-copy") }
      let x = environment["DISPLAY"].map { _ in Tool("xclip", ["-selection", "clipboard"]) }
      tools = [wayland, x].compactMap(\.self)
    #endif
  }

  /// Gives `text` to the first tool that takes it, and returns that tool's name; nil where none does.
  func copy(_ text: String) async -> String? {
    for tool in tools {
      let result = try? await Subprocess.run(
        .name(tool.name), arguments: Arguments(tool.arguments), input: .string(text), output: .discarded, error: .discarded)
      if let result, result.terminationStatus.isSuccess { return tool.name }
    }
    return nil
  }
}

/// The person's own editor: `VISUAL`, then `EDITOR`, then vi.
public struct ExternalEditor: Sendable {
  private let command: String

  public init(environment: [String: String]) {
    let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isBlank }
    command = wanted ?? "vi"
  }

  /// Lets the editor change a text, which is in a file for as long as that takes.
  func edit(_ text: String, on terminal: any Terminal) -> Result<String, Problem> {
    let file = FileManager.default.temporaryDirectory.appending(path: "quarry-\(UUID().uuidString).sql")
    defer { try? FileManager.default.removeItem(at: file) }
    guard FileManager.default.createFile(atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
      return .failure(Problem("the text cannot be put into \(file.path) for the editor"))
    }
    let status = terminal.run(shellCommand: "\(command) '\(file.path)'")
    guard status == 0 else { return .failure(Problem("“\(command)” ended with status \(status); the text is as it was")) }
    guard let data = try? Data(contentsOf: file), let edited = String(validating: data, as: UTF8.self) else {
      return .failure(Problem("what “\(command)” has left is not UTF-8; the text is as it was"))
    }
    // Editors end the last line, which the text need not have.
    return .success(edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited)
  }
}
