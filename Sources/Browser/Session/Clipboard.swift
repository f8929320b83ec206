import Subprocess

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
