import CursesTerminal
import Foundation
import Testing

@Suite struct SignalTests {
  @Test func `the interrupts of the keyboard do nothing around an external program, which they end`() {
    // The threads that tests run on block signals, and what they start inherits that.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let end = Signals.withoutInterrupts {
      raise(SIGINT)
      raise(SIGQUIT)
      let status = system("kill -INT $$; exit 7")
      raise(SIGINT)
      return status & 0x7F
    }
    #expect(end == SIGINT)
  }

  @Test func `what the shell has told the program to ignore stays ignored by what it starts`() {
    var before = sigaction()
    sigaction(SIGQUIT, nil, &before)
    signal(SIGQUIT, SIG_IGN)
    defer { sigaction(SIGQUIT, &before, nil) }
    let status = Signals.withoutInterrupts { system("kill -QUIT $$; exit 7") }
    #expect(status >> 8 & 0xFF == 7)
  }
}
