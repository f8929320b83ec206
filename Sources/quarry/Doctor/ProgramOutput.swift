internal import Browser
internal import Libc
internal import QuarryEngine

/// The output of another program.
enum ProgramOutput {
  /// The time for the answer, in milliseconds.
  private static let patience: Int32 = 10_000

  /// Runs a program, and returns the first line of its output.
  ///
  /// Returns nil if the program does not start, does not answer in time, or fails.
  static func text(of name: String, _ arguments: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OpenFile(owning: ends[0])
    let program = try? ChildProgram(name, arguments, input: .nothing, output: .descriptor(ends[1]), errors: .nothing)
    close(ends[1])
    guard let program else { return nil }
    var request = pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)
    let hasAnswered = poll(&request, 1, patience) > 0
    var room = [UInt8](repeating: 0, count: 4096)
    let count = hasAnswered ? read(input.descriptor, &room, room.count) : 0
    if !hasAnswered { program.send(SIGKILL) }
    let status = program.wait()
    let line = String(decoding: room.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return status == 0 && !line.isEmpty ? line : nil
  }
}
