internal import Libc
internal import QuarryEngine

/// The clipboard programs of the desktop, used in addition to the terminal's own clipboard sequence.
package struct Clipboard: Sendable {
  /// A program that reads the text from its standard input.
  package struct Tool: Hashable, Sendable {
    package var name: String
    package var arguments: [String]

    package init(_ name: String, _ arguments: [String] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  private let tools: [Tool]

  package init(tools: [Tool]) {
    self.tools = tools
  }

  /// Selects the tools that can work in an environment: `wl-copy` under Wayland, `xclip` under X, `pbcopy` on macOS.
  package init(environment: [String: String]) {
    #if os(macOS)
      tools = [Tool("pbcopy")]
    #else
      let wayland = environment["WAYLAND_DISPLAY"].map { _ in Tool("wl-copy") }
      let x = environment["DISPLAY"].map { _ in Tool("xclip", ["-selection", "clipboard"]) }
      tools = [wayland, x].compactMap(\.self)
    #endif
  }

  /// Copies `text` with the first tool that works, and returns the name of the tool; nil if none works.
  package func copy(_ text: String) async -> String? {
    for tool in tools where await tool.run(reading: text) { return tool.name }
    return nil
  }
}

extension Clipboard.Tool {
  /// Runs the tool on a text, and kills it when the task is cancelled; returns whether it succeeded.
  fileprivate func run(reading text: String) async -> Bool {
    var ends: [Int32] = [-1, -1]
    guard !Task.isCancelled, pipe(&ends) == 0 else { return false }
    let (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let program = try? ChildProgram(name, arguments, input: .descriptor(reading), output: .nothing, errors: .nothing)
    close(reading)
    guard let program else {
      close(writing)
      return false
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // If the system refuses to create the thread, the tool gets no text.
        let thread = try? WorkerThread { continuation.resume(returning: Self.finish(program, writing: text, to: writing)) }
        if thread == nil { continuation.resume(returning: Self.finish(program, writing: nil, to: writing)) }
      }
    } onCancel: {
      program.send(SIGKILL)
    }
  }

  /// Writes the text to a tool, or kills the tool if there is no text; returns whether it succeeded.
  private static func finish(_ program: ChildProgram, writing text: String?, to descriptor: Int32) -> Bool {
    if var text { text.withUTF8 { write($0, to: descriptor) } } else { program.send(SIGKILL) }
    close(descriptor)
    return program.wait() == 0
  }

  /// Writes as much as the tool reads.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    // A tool that reads nothing must not end the program. The blocked signal is pending only in this thread, which ends afterwards.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = Libc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) } else if errno != EINTR { return }
    }
  }
}
