internal import Browser

/// The arguments of ssh, and the commands that it runs on the host.
///
/// The remote login shell may be any. It therefore gets one line that sh, csh and fish parse alike: `sh -c` with a script in single quotes.
/// The script contains no quote, backslash, line end or exclamation mark. No part of the command line is in it, but is passed in base64 or
/// through standard input.
struct SSHCommand {
  let address: SSHAddress
  /// The identification of this build of the program.
  let build: ProgramBuild

  /// Returns the arguments of `ssh`.
  ///
  /// - Parameter hasTerminal: Whether the remote program gets a terminal.
  func arguments(running script: String, hasTerminal: Bool, options: [String] = []) -> [String] {
    var words = [hasTerminal ? "-t" : "-T"] + options
    // A lost connection is detected within a minute.
    words += ["-o", "ServerAliveInterval=15"]
    if let user = address.user { words += ["-l", user] }
    if let port = address.port { words += ["-p", String(port)] }
    return words + ["--", address.host, "exec sh -c '\(script)'"]
  }

  private var folder: String { "\"${XDG_CACHE_HOME:-$HOME/.cache}/quarry/\(build.key)\"" }

  /// Returns the script that starts the program: the one that was sent to the host, or an installed one of the same version.
  ///
  /// - Parameter argument: The request, or `-` if it arrives on standard input.
  func start(_ argument: String) -> String {
    """
    d=\(folder); q=; o=; u=$(uname -sm); \
    if [ "$u" = "\(build.system)" ] && [ "$("$d/quarry" --version 2>/dev/null </dev/null | sed 1q)" = "\(build.version)" ]; then q="$d/quarry"; else \
    for p in quarry "$HOME/.local/bin/quarry" /usr/local/bin/quarry; do \
    v=$("$p" --version 2>/dev/null </dev/null | sed 1q); [ -n "$v" ] || continue; \
    if [ "$v" = "\(build.version)" ]; then q="$p"; break; fi; o="$v"; done; fi; \
    if [ -n "$q" ]; then "$q" \(SSHSession.word) \(argument); exit $?; fi; \
    echo "\(SSHMarker.missing)$u:$o"
    """
  }

  /// Returns the script that reads the program from standard input.
  ///
  /// It is moved to its path once it is complete and has run.
  func install(size: Int) -> String {
    """
    umask 077; mkdir -p \(folder) && cd \(folder) || exit 1; t=quarry.$$; trap "rm -f $t" 0; trap "exit 1" 1 2 13 15; \
    for f in quarry.[0-9]*; do kill -0 "${f#quarry.}" 2>/dev/null || rm -f "$f"; done; \
    echo \(SSHMarker.ready); cat > $t; s=$(($(wc -c < $t))); \
    if [ $s -ne \(size) ]; then echo "\(SSHMarker.notSent)$s of \(size) bytes have arrived"; exit 1; fi; \
    chmod 700 $t; v=$(./$t --version 2>&1 </dev/null | sed 1q); \
    if [ "$v" = "\(build.version)" ]; then mv -f $t quarry && echo \(SSHMarker.sent); \
    else echo "\(SSHMarker.notSent)$v"; exit 1; fi
    """
  }
}
