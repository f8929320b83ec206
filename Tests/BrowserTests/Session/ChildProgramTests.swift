import Browser
import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("A program that is started", .gated)
struct ChildProgramTests {
  @Test("its status is its own, or 128 and the signal that ended it", arguments: [("exit 7", 7), ("kill -TERM $$", 143), (":", 0)])
  func status(_ script: String, _ status: Int32) throws {
    let program = try ChildProgram("sh", ["-c", script])
    #expect(program.wait() == status)
    // It is known to have ended: another program may have its number now.
    program.send(SIGKILL)
    #expect(program.wait() == status)
  }

  @Test("one that is not there cannot be started")
  func missing() {
    #expect(throws: SystemError(code: ENOENT)) { try ChildProgram("no-such-program-anywhere", []) }
  }

  @Test("a stop is reported, and it goes on with SIGCONT")
  func stopped() throws {
    let program = try ChildProgram("sh", ["-c", "kill -STOP $$; exit 3"])
    #expect(program.waitForChange() == .stopped)
    program.send(SIGCONT)
    #expect(program.waitForChange() == .ended(status: 3))
  }

  @Test("it blocks no signal, though the thread that starts it does")
  func signals() async throws {
    try await onOwnThread {
      var (all, before) = (sigset_t(), sigset_t())
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      // Not SIGINT, which a shell lets the programs ignore that it starts in the background.
      for (name, number) in [("TERM", SIGTERM), ("PIPE", SIGPIPE)] {
        let program = try ChildProgram("sh", ["-c", "kill -\(name) $$; exit 1"])
        #expect(program.wait() == 128 + number)
      }
    }
  }

  @Test("it gets the standard streams that are named")
  func descriptors() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let script = "[ -p /dev/fd/0 ] && [ /dev/fd/1 -ef /dev/null ]"
    #expect(try ChildProgram("sh", ["-c", script], input: .descriptor(ends[0]), output: .nothing).wait() == 0)
  }
}
