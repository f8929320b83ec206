internal import QuarryEngine
internal import QuarryRows
public import QuarrySources
import Subprocess
public import Terminal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Something that happened, as the browser receives it.
public enum Message: Sendable {
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
public struct Problem: Error, Hashable, Sendable {
  public var text: String
  /// Whether it can be done nevertheless, if the person says so.
  var isQuestion = false
  /// Whether the rows have other columns or keys than when they were opened, so that they have to be opened again.
  var isOutdated = false

  public init(_ text: String) {
    self.text = text
  }
}

/// The number of a grid; never used twice.
public struct GridID: Hashable, Sendable {
  let number: Int
}

/// A text for the clipboard, with its name for messages: `Name`, `3 rows as CSV`.
public struct CopyText: Hashable, Sendable {
  public var text: String
  public var title: String
  /// The value, where it is that of one cell.
  var value: DatabaseValue?
}

extension Message {
  /// Returns the messages for events: one for each, except that characters typed in quick succession become one.
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

/// Something that the browser wants done, as data: requests and calls go to the session, the rest to the terminal.
public enum Effect: Hashable, Sendable {
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
public struct IssuedCall: Hashable, Sendable {
  let call: any ServiceCall

  public static func == (left: IssuedCall, right: IssuedCall) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

  public func hash(into hasher: inout Hasher) { call.hash(into: &hasher) }
}

/// The desktop's clipboard programs, which are used besides the terminal's own clipboard sequence.
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

  /// Selects the tools that can work in an environment: `wl-copy` under Wayland, `xclip` under X, `pbcopy` on macOS.
  public init(environment: [String: String]) {
    #if os(macOS)
      tools = [Tool("pbcopy")]
    #else
      let wayland = environment["WAYLAND_DISPLAY"].map { _ in Tool("wl-copy") }
      let x = environment["DISPLAY"].map { _ in Tool("xclip", ["-selection", "clipboard"]) }
      tools = [wayland, x].compactMap(\.self)
    #endif
  }

  /// Copies `text` with the first tool that works, and returns that tool's name; nil where none does.
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
  private let folder: URL

  public init(environment: [String: String]) {
    self.init(environment: environment, folder: FileManager.default.temporaryDirectory)
  }

  /// Makes the editor that the environment names, which finds its texts in a folder.
  init(environment: [String: String], folder: URL) {
    self.folder = folder
    let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isBlank }
    command = wanted ?? "vi"
  }

  /// Edits a text by way of a temporary file.
  func edit(_ text: String, on terminal: any Terminal) -> Result<String, Problem> {
    let file = folder.appending(path: "quarry-\(UUID().uuidString).sql")
    defer { try? FileManager.default.removeItem(at: file) }
    do throws(PrivateFileError) {
      _ = try PrivateFile.save(Array(text.utf8), to: file.path, replacing: false, isSynced: false)
    } catch {
      return .failure(Problem("cannot write the text for the editor: \(error)"))
    }
    let status = terminal.run(shellCommand: "\(command) \(ShellWord.quoted(path: file.path))")
    guard status == 0 else { return .failure(Problem("“\(command)” exited with status \(status); the text is unchanged")) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.contents(of: file.path)
    } catch {
      return .failure(Problem("what “\(command)” saved cannot be read (\(error)); the text is unchanged"))
    }
    guard let edited = String(validating: bytes, as: UTF8.self) else {
      return .failure(Problem("“\(command)” saved text that is not UTF-8; the text is unchanged"))
    }
    // Editors add a line end to the last line, which the text may not have had.
    return .success(edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited)
  }
}
