internal import Browser
internal import QuarryEngine

/// A failure of the connection to another machine, determined from the messages of ssh and the remote shell, with a suggested solution.
struct SSHFailure {
  let address: SSHAddress
  /// The messages.
  private let words: SSHWords
  private var said: String { words.text }

  init(address: SSHAddress, said: SSHWords) {
    (self.address, words) = (address, said)
  }

  private var host: String { address.host }

  /// The host as written in addresses.
  private var bracketed: String { host.contains(":") ? "[\(host)]" : host }

  /// The ssh command to connect to the host manually.
  private var ssh: String {
    let port = address.port.map { "-p \($0) " } ?? ""
    return "ssh \(port)\(address.user.map { $0 + "@" } ?? "")\(host)"
  }

  /// Returns the failure of a program that has not started.
  ///
  /// - Parameter status: The status of ssh: 255 is its own, other values come from the remote shell.
  func beforeReady(status: Int32) -> Failure {
    let sentence = status == 255 ? connectionSentence : startSentence(status)
    return Failure(status: .cannotOpen, message: sentence + quotation)
  }

  /// The failure of a connection that was lost while a verb was running.
  ///
  /// If the network has failed, the host may not notice this for hours. A remote statement then runs to its end.
  var cutInVerb: Failure {
    .refused(
      """
      the connection to \(host) was lost. A statement still running there is committed if it ends before \(host) notices, \
      or else rolled back; `quarry changes \(ShellWord.quoted("\(address)"))` lists the commits\(quotation)
      """)
  }

  /// The failure of a connection that was lost while a file was compared.
  var cutInComparison: Failure { .refused("the connection to \(host) was lost: compare again\(quotation)") }

  /// Returns the failure of a program that has ended while a file was compared.
  func ended(status: Int32) -> Failure {
    .refused("quarry on \(host) has ended with status \(status): compare again\(quotation)")
  }

  /// The failure of a connection that was lost while the full screen was visible.
  var cutInScreen: Failure {
    .refused(
      """
      the connection to \(host) was lost. Once \(host) notices, it saves your staged changes and rolls back an open transaction. \
      To restore the staged changes, open `quarry \(ShellWord.quoted("\(address)"))` again.\(quotation)
      """)
  }

  /// Returns the failure of a program, or of ssh, that a signal has ended while the full screen was visible.
  func ended(by signal: Int32) -> Failure {
    .refused(
      """
      quarry on \(host), or the ssh that shows it here, was ended by signal \(signal). Your staged changes are saved there: \
      to restore them, open `quarry \(ShellWord.quoted("\(address)"))` again.\(quotation)
      """)
  }

  /// The last line of ssh's messages on a separate line, unless it is already visible on the terminal.
  private var quotation: String {
    let lines = words.unseen.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isNewline } }
    return lines.last { !$0.allSatisfy(\.isWhitespace) }.map { "\n  \($0)" } ?? ""
  }

  // MARK: Failures of ssh

  private func says(_ words: String...) -> Bool {
    words.contains { said.contains($0) }
  }

  private var connectionSentence: String {
    if says("REMOTE HOST IDENTIFICATION HAS CHANGED") {
      return """
        the key of \(host) has changed: it was reinstalled, or another machine answers under its name. \
        If you know that the key was changed, remove the old one with `\(forgetting)`, and compare the new one
        """
    }
    if says("Host key verification failed") {
      return "\(host) is not known yet: run `\(ssh)` once on a terminal, compare the key shown, and answer yes"
    }
    if says("Permission denied", "Too many authentication failures", "No more authentication methods") {
      return """
        \(host) refuses the login: make `\(ssh)` work first; `ssh-copy-id` installs your key there. \
        For another user, write user@\(bracketed):\(PathText.shown(address.path))
        """
    }
    if says("Could not resolve hostname") {
      return """
        there is no host “\(host)”: check the name, or give it an address in ~/.ssh/config. \
        For a file on this machine with a colon in its name, write ./\(bracketed):…
        """
    }
    if says("Connection refused") {
      return """
        no ssh server listens on port \(address.port ?? 22) of \(host): start it there, or name another port, \
        as in ssh://\(bracketed):2222/srv/app.db
        """
    }
    if says("timed out", "No route to host", "Network is unreachable", "Host is down") {
      return "\(host) does not answer: check that it is running, and that the network and firewalls let you reach it"
    }
    return "ssh cannot connect to \(host): make `\(ssh)` work first"
  }

  /// The command that removes the old key of the host from the list, as printed by ssh if possible.
  private var forgetting: String {
    let line = said.split(whereSeparator: \.isNewline).first { $0.contains("ssh-keygen") && $0.contains("-R") }
    let words = line.map { String($0.drop(while: \.isWhitespace)).filter { !$0.isNewline } }
    return words ?? "ssh-keygen -R \(address.port.map { "'[\(host)]:\($0)'" } ?? host)"
  }

  // MARK: Failures of the remote program

  private func startSentence(_ status: Int32) -> String {
    if let sentence = Self.libraryAdvice(said) { return "the quarry on \(host) cannot start: \(sentence)" }
    if status == 126 || status == 127 { return "the shell on \(host) cannot start programs as sh does" }
    return "no quarry has started on \(host)"
  }

  /// Returns advice about a missing library if a program was found but could not be loaded, otherwise nil.
  static func libraryAdvice(_ said: String) -> String? {
    if said.contains("GLIBC") || said.contains("GLIBCXX") {
      return "its system is older than the one that this program was built on: build quarry there"
    }
    guard said.contains("shared librar") || said.contains("Library not loaded") else { return nil }
    let name = said.split(whereSeparator: { $0.isWhitespace || $0 == ":" }).first { $0.contains(".so") || $0.contains(".dylib") }
    let libraries = name.map { "\($0) is missing there" } ?? "a library is missing there"
    return "\(libraries): install it, for example with `apt install libsqlite3-0 libncursesw6 libssl3 libstdc++6`"
  }
}
