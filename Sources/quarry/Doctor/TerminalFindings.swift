internal import Browser
package import CursesTerminal
internal import Libc
internal import Terminal

/// The checks of the terminal: its type, colors, keys, clipboard, locale and characters.
package struct TerminalFindings {
  private let report: TerminalReport
  private let environment: [String: String]
  /// Whether a standard stream is a terminal.
  private let hasTerminal: Bool

  package init(report: TerminalReport, environment: [String: String], hasTerminal: Bool) {
    (self.report, self.environment, self.hasTerminal) = (report, environment, hasTerminal)
  }

  package var all: [Finding] {
    let capabilities = report.obstacle == nil ? [colors, keys, clipboard] : []
    return [terminal] + capabilities + [locale, characters]
  }

  private var terminal: Finding {
    let size = report.size.map { ", \($0.columns)x\($0.rows)" } ?? (hasTerminal ? "" : "; no terminal here, so only its entry was checked")
    switch report.obstacle {
    case nil: return report.embedded.map { embedded($0, size) } ?? Finding(.fine, "terminal", "TERM=\(report.name) is in terminfo\(size)")
    case .noName where !hasTerminal:
      return Finding(
        .warning, "terminal", "no terminal here, and TERM is not set: verbs work, the full screen needs a terminal", fix: "run this in one")
    case .noName: return Finding(.fault, "terminal", "TERM is not set", fix: "export TERM=xterm-256color")
    case .unknown(let name):
      return Finding(
        .fault, "terminal", "TERM=\(name) is not in the terminfo database, so the full screen does not start",
        fix: "install its entry, for example with the package ncurses-term, or export TERM=xterm-256color")
    case .tooSimple(let name), .failed(let name):
      return Finding(
        .fault, "terminal", "TERM=\(name) cannot place its cursor, so the full screen does not start",
        fix: "use another terminal, or export TERM=xterm-256color if this one understands it")
    case .notATerminal: return Finding(.fault, "terminal", TerminalError.notATerminal.description)
    }
  }

  /// The terminal as an entry inside the program describes it.
  private func embedded(_ entry: EmbeddedEntry, _ size: String) -> Finding {
    let missing = "TERM=\(report.name) is not in the terminfo database"
    if entry.suits(report.name) { return Finding(.fine, "terminal", "\(missing); Quarry's entry for \(entry.rawValue) suits it\(size)") }
    return Finding(
      .warning, "terminal", "\(missing); Quarry takes it for \(entry.rawValue)\(size)",
      fix: "if the screen looks wrong, install its entry, for example with the package ncurses-term, or export TERM=vt100")
  }

  private var colors: Finding {
    let reason = environment["COLORTERM"].map { "COLORTERM=\($0)" } ?? "from TERM"
    let off = environment["NO_COLOR"].map { !$0.isEmpty } == true ? "; NO_COLOR selects the theme mono" : ""
    switch report.depth {
    case .direct: return Finding(.fine, "colors", "24-bit (\(reason))\(off)")
    case .indexed:
      return Finding(
        .fine, "colors", "256 (\(reason))\(off); if the terminal has 24-bit colors, export COLORTERM=truecolor")
    case .sixteen, .eight:
      return Finding(
        .warning, "colors", "\(report.depth.rawValue), so themes lose most of their colors\(off)",
        fix: "export TERM=xterm-256color if the terminal understands it")
    case .none: return Finding(.warning, "colors", "none, so themes show only bold, underlined and reversed text\(off)")
    }
  }

  private var keys: Finding {
    guard !report.unnamedKeys.isEmpty else {
      return Finding(.fine, "keys", "terminfo names F1 to F12, Home, End, the arrow keys with Shift, and all others that Quarry uses")
    }
    let names = report.unnamedKeys.map { Keymap.notation(of: [$0]) }.joined(separator: ", ")
    return Finding(
      .warning, "keys", "terminfo names no sequence for \(names), so they may do nothing",
      fix: "use another key of the command (`?` lists them), or find it by name with `:`")
  }

  // MARK: Clipboard

  private var clipboard: Finding {
    let way = environment["SSH_CONNECTION"] == nil ? "" : " through ssh"
    if let tool = desktopTool { return Finding(.fine, "clipboard", "\(tool)\(report.hasClipboard ? ", and OSC 52\(way)" : "")") }
    guard report.hasClipboard else {
      return Finding(
        .warning, "clipboard", "this terminal has none that Quarry can reach: copies can only be pasted in Quarry",
        fix: "use a terminal of the xterm family, or install xclip or wl-copy on a desktop")
    }
    guard environment["TMUX"].map({ !$0.isEmpty }) == true else {
      return Finding(.fine, "clipboard", "OSC 52\(way), if your terminal allows it")
    }
    return tmuxClipboard(way)
  }

  private func tmuxClipboard(_ way: String) -> Finding {
    switch ProgramOutput.text(of: "tmux", ["show-options", "-sv", "set-clipboard"]) {
    case "on": return Finding(.fine, "clipboard", "OSC 52\(way) and tmux (set-clipboard is on), if your terminal allows it")
    case nil:
      return Finding(
        .warning, "clipboard", "OSC 52\(way) works in tmux only if its option set-clipboard is on, and tmux does not answer",
        fix: "tmux set-option -s set-clipboard on")
    case let value?:
      return Finding(
        .warning, "clipboard", "tmux ignores copies, because its option set-clipboard is \(value)",
        fix: "tmux set-option -s set-clipboard on")
    }
  }

  /// The desktop's clipboard program, or nil if it is not installed.
  private var desktopTool: String? {
    let tools = [("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip")]
    return tools.first { environment[$0.0].map { !$0.isEmpty } == true && isInstalled($0.1) }?.1
  }

  private func isInstalled(_ name: String) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  // MARK: Text

  private var locale: Finding {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let name = variables.first(where: { environment[$0].map { !$0.isEmpty } == true }), let value = environment[name] else {
      return Finding(.fine, "locale", "not set: Quarry writes UTF-8")
    }
    if Locale.isUTF8(environment) { return Finding(.fine, "locale", "\(name)=\(value)") }
    return Finding(
      .warning, "locale", "\(name)=\(value) is not UTF-8, but Quarry always writes UTF-8",
      fix: "if letters look wrong, export LC_ALL=C.UTF-8 and set the terminal to UTF-8")
  }

  private var characters: Finding {
    Finding(
      .visible, "characters",
      "┌─┬─┐ ├─┼─┤ └─┴─┘ │ ▌█▁▄ ● ✓ ≈ … ⏎ é 日本 should be closed lines, blocks, marks and letters; if not, use another font or `--ascii`")
  }
}
