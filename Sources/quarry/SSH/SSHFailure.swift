internal import Browser
internal import QuarryEngine

/// What went wrong between this machine and the other, as ssh and the shell there have said it, with the way out.
struct SSHFailure {
  let address: SSHAddress
  /// What was printed.
  private let words: SSHWords
  private var said: String { words.text }

  init(address: SSHAddress, said: SSHWords) {
    (self.address, words) = (address, said)
  }

  private var host: String { address.host }

  /// The host as addresses have it.
  private var bracketed: String { host.contains(":") ? "[\(host)]" : host }

  /// How a person reaches the host by hand.
  private var ssh: String {
    let port = address.port.map { "-p \($0) " } ?? ""
    return "ssh \(port)\(address.user.map { $0 + "@" } ?? "")\(host)"
  }

  /// Returns why the program there has not begun.
  ///
  /// - Parameter status: That of ssh: 255 is its own, others are those of the shell there.
  func beforeReady(status: Int32) -> Failure {
    let sentence = status == 255 ? connectionSentence : startSentence(status)
    return Failure(status: .cannotOpen, message: sentence + quotation)
  }

  /// The connection broke while a verb was running.
  ///
  /// Where the network has failed, the host may not know that for hours, and a statement there goes on to its end.
  var cutInVerb: Failure {
    .refused(
      """
      the connection to \(host) was cut before the end: a statement that runs there is rolled back once \(host) notices that, \
      and committed where it ends before; `quarry changes \(ShellWord.quoted("\(address)"))` lists what was committed\(quotation)
      """)
  }

  /// The connection broke while the screen was there.
  var cutInScreen: Failure {
    .refused(
      """
      the connection to \(host) was cut. What was staged and not committed is kept there, and offered when you open \
      `quarry \(ShellWord.quoted("\(address)"))` again, once \(host) has noticed the cut; an open transaction is rolled back then.\(quotation)
      """)
  }

  /// The program there, or ssh here, was ended by a signal while the screen was there.
  func ended(by signal: Int32) -> Failure {
    .refused(
      """
      quarry on \(host), or the ssh that shows it here, was ended by signal \(signal). What was staged and not committed is kept there, \
      and offered when you open `quarry \(ShellWord.quoted("\(address)"))` again.\(quotation)
      """)
  }

  /// The last words of ssh, on a line of their own, unless they stand on the terminal already.
  private var quotation: String {
    let lines = words.unseen.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isNewline } }
    return lines.last { !$0.allSatisfy(\.isWhitespace) }.map { "\n  \($0)" } ?? ""
  }

  // MARK: ssh itself

  private func says(_ words: String...) -> Bool {
    words.contains { said.contains($0) }
  }

  private var connectionSentence: String {
    if says("REMOTE HOST IDENTIFICATION HAS CHANGED") {
      return """
        the key of \(host) is another one than before: it was installed anew, or another machine answers in its place. \
        Where you know that it was changed, forget the old key by `\(forgetting)`, and compare the new one
        """
    }
    if says("Host key verification failed") {
      return "\(host) is not known yet: run `\(ssh)` once on a terminal, compare the key that it shows, and answer yes"
    }
    if says("Permission denied", "Too many authentication failures", "No more authentication methods") {
      return """
        \(host) does not let you in: `\(ssh)` has to work first; `ssh-copy-id` installs your key there, \
        and another user is written as in user@\(bracketed):\(PathText.shown(address.path))
        """
    }
    if says("Could not resolve hostname") {
      return """
        there is no host “\(host)”: look at its name, or give it an address in ~/.ssh/config; a file here whose name has a colon \
        is written with its folder, as in ./\(bracketed):…
        """
    }
    if says("Connection refused") {
      return """
        no ssh server listens on port \(address.port ?? 22) of \(host): start it there, or name another port, \
        as in ssh://\(bracketed):2222/srv/app.db
        """
    }
    if says("timed out", "No route to host", "Network is unreachable", "Host is down") {
      return "\(host) does not answer: look whether it is on, and whether the network or a firewall lets you reach it"
    }
    return "ssh cannot connect to \(host): `\(ssh)` has to work first"
  }

  /// The command that takes the old key of the host out of the list; ssh prints the one that is right.
  private var forgetting: String {
    let line = said.split(whereSeparator: \.isNewline).first { $0.contains("ssh-keygen") && $0.contains("-R") }
    let words = line.map { String($0.drop(while: \.isWhitespace)).filter { !$0.isNewline } }
    return words ?? "ssh-keygen -R \(address.port.map { "'[\(host)]:\($0)'" } ?? host)"
  }

  // MARK: The program there

  private func startSentence(_ status: Int32) -> String {
    if let sentence = Self.libraryAdvice(said) { return "the quarry on \(host) cannot start: \(sentence)" }
    if status == 126 || status == 127 { return "the shell on \(host) cannot start programs as sh does" }
    return "no quarry has started on \(host)"
  }

  /// Returns what is missing where a program was found and could not be loaded; nil where that is not so.
  static func libraryAdvice(_ said: String) -> String? {
    if said.contains("GLIBC") || said.contains("GLIBCXX") {
      return "its system is older than the one that this program was built on: build quarry there"
    }
    guard said.contains("shared librar") || said.contains("Library not loaded") else { return nil }
    let name = said.split(whereSeparator: { $0.isWhitespace || $0 == ":" }).first { $0.contains(".so") || $0.contains(".dylib") }
    let libraries = name.map { "\($0) is missing there" } ?? "a library is missing there"
    return "\(libraries): install what it needs, as by `apt install libsqlite3-0 libncursesw6 libssl3 libstdc++6`"
  }
}
