internal import Browser
internal import CursesTerminal
internal import QuarryEngine
internal import Terminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The full screen, from the command line to the last key.
struct FullScreen {
  private let command: Browse

  init(_ command: Browse) {
    self.command = command
  }

  /// Opens what was named, so that what cannot be opened is told before the screen is taken; then runs until the person leaves.
  func run() throws {
    let demo = command.demo ? try DemoDatabase() : nil
    let paths = command.demo ? [DemoDatabase.path] : command.files
    let files = DatabaseFiles(paths: paths, isImmutable: command.access.isImmutable)
    let foreground = try files.open(label: "quarry.foreground")
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure.usage("the full screen needs a terminal for standard input and output; `quarry --help` lists the verbs for scripts")
    }
    try withExtendedLifetime(demo) { try show(foreground, files) }
  }

  private func show(_ foreground: DatabaseQueue, _ files: DatabaseFiles) throws {
    throw Failure.usage("the full screen is not there yet")
  }
}
