import Foundation

extension PseudoTerminal {
  /// Ends the program as a person would: closes what is open, and quits; a person who is asked about changes closes the terminal.
  func quit() {
    for keys in ["\u{1B}", "\u{1B}", "\u{3}", "\u{11}", "\u{11}"] where !hasEnded {
      type(keys)
      settle(60)
    }
    if !hasEnded { signal(SIGTERM) }
  }

  /// Expects a good end, a restored terminal, and nothing strange in the output.
  ///
  /// - Parameter signals: The signals that were sent, each of which may end the program.
  func judge(_ ending: ProgramRun.Ending, name: String, line: String, signals: Set<Int32> = [SIGTERM], for trial: Trial) {
    let tail = "\(ending): \(String(decoding: lastOutput, as: UTF8.self).debugDescription)"
    // ^C and ^\ end a program that has given the terminal back already.
    let signals = signals.union([SIGINT, SIGQUIT])
    switch ending {
    case .exit: break
    case .signal(let number):
      trial.expect(signals.contains(number), "\(name): ended by signal \(number)", "\(line): \(tail)")
    case .hang: trial.report("\(name): does not end", "\(line): \(tail)")
    }
    trial.expect(model.strange.isEmpty, "\(name): sends the terminal what is in the data", "\(line): \(model.strange): \(tail)")
    trial.expect(model.unrestored.isEmpty, "\(name): does not restore the terminal", "\(line): \(model.unrestored): \(tail)")
    trial.expect(changedModes.isEmpty, "\(name): does not restore the modes of the line", "\(line): \(changedModes): \(tail)")
  }
}
