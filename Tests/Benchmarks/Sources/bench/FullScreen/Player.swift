import Foundation
import Loops

/// The program, full screen at a pseudo-terminal, with what it has painted there.
final class Player {
  private(set) var screen: Screen
  /// How many bytes the program has written.
  private(set) var written = 0
  private let process: pid_t
  private let terminal: Int32
  private var lastPress = ContinuousClock.now
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts the program; the clock begins with that.
  init(_ program: Program, _ arguments: [String], columns: Int = 80, rows: Int = 24) throws {
    screen = Screen(columns: columns, rows: rows)
    var terminal: Int32 = -1
    lastPress = .now
    process = withCStrings([program.path] + arguments) { words in
      withCStrings(program.environment.map { "\($0.key)=\($0.value)" }) { loops_spawn(words, $0, Int32(columns), Int32(rows), &terminal) }
    }
    self.terminal = terminal
    guard process > 0 else { throw PlayerError(description: "cannot start \(program.path)") }
  }

  /// Ends the program.
  func end() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    close(terminal)
  }

  /// Types a text, keys that are no letters by the bytes that a terminal sends.
  func press(_ keys: String) {
    lastPress = .now
    let bytes = Array(keys.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  /// Waits until the screen shows what is meant, and tells how long that took since the last key.
  ///
  /// - Throws: ``PlayerError`` where it does not come.
  @discardableResult
  func wait(for what: String, within limit: Duration = .seconds(300), _ isShown: (Screen) -> Bool) throws -> Amount {
    let deadline = lastPress + limit
    while !isShown(screen) {
      guard ContinuousClock.now < deadline, read(within: 1000) || ContinuousClock.now < deadline else {
        throw PlayerError(description: "waited for \(what) in vain:\n\(screen.lines.joined(separator: "\n"))")
      }
    }
    let time = ContinuousClock.now - lastPress
    return .seconds(time / .seconds(1))
  }

  @discardableResult
  func wait(for text: String) throws -> Amount {
    try wait(for: text) { $0.contains(text) }
  }

  /// Reads until the program has written nothing for some time.
  func settle() {
    while read(within: 200) {}
  }

  /// The memory that the program has resident.
  var memory: Amount {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return .bytes(1024 * (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0))
    }
  }

  /// Takes what the program has written; false where that is nothing in so many milliseconds.
  private func read(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
    let count = Glibc.read(terminal, &buffer, buffer.count)
    guard count > 0 else { return false }
    written += count
    screen.take(buffer[..<count])
    return true
  }
}

/// Something that was waited for and did not come.
struct PlayerError: Error, CustomStringConvertible {
  let description: String
}
