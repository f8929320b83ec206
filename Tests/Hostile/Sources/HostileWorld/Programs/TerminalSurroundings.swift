import Foundation

/// What the environment says of the terminal: its type, the language, and the folders of a person.
struct TerminalSurroundings {
  private(set) var variables: [String: String] = [:]
  /// The variables that are not set at all.
  private(set) var missing: [String] = []
  /// Whether the type has an entry that was damaged, so that what is sent cannot be judged.
  private(set) var isDamaged = false

  /// Whether the terminal speaks as ``ScreenModel`` does.
  var isOfXtermFamily: Bool { !isDamaged && Self.likeXterm.contains(variables["TERM"] ?? "") }

  private static let likeXterm = [
    "xterm", "xterm-256color", "xterm-direct", "xterm-kitty", "screen", "screen-256color", "tmux", "tmux-256color", "alacritty", "foot",
    "st", "st-256color", "konsole", "konsole-256color", "gnome", "gnome-256color", "vte-256color", "wezterm", "kitty", "ghostty",
    "xterm-ghostty", "contour", "iterm2",
  ]

  private static let others = [
    "linux", "vt52", "vt100", "vt220", "vt320", "vt420", "rxvt", "rxvt-unicode", "rxvt-unicode-256color", "putty", "putty-256color",
    "cygwin", "mintty", "mintty-direct", "ansi", "dumb", "unknown", "sun", "hurd", "eterm", "Eterm", "nsterm", "teraterm",
    "screen.xterm-256color", "screen.putty",
  ]

  /// Names that no entry has.
  private static let strange = [
    "", "nonsense", "xterm-nonsense", "vt9000", String(repeating: "x", count: 10_000), String(repeating: "xterm-", count: 20), "../x/xterm",
    "/etc/passwd", "x/../../x", ".", "..", "/", "a/b", "xterm\u{1B}[31mred", "xterm\n", "xterm ", " ", "\u{7}", "x%s%n", "漢字", "-",
    "\u{1B}]0;title\u{7}", "XTERM", "xterm|linux", "b64:AAAA", "$(id)", "\u{202E}mretx",
  ]

  private static let locales = [
    "C", "POSIX", "ja_JP.eucJP", "tr_TR.UTF-8", "en_US.ISO-8859-1", "nonsense", "", "C.UTF-8", "../../x", "zh_CN.GB18030", "\u{1B}[31m",
    String(repeating: "x", count: 5000),
  ]

  init(_ trial: Trial) throws {
    var random = trial.random
    switch random.below(8) {
    case 0: variables["TERM"] = random.pick(Self.strange, default: "")
    case 1: missing.append("TERM")
    case 2:
      let names = Self.installed
      variables["TERM"] = random.pick(names.keys.sorted(), default: "xterm")
    case 3: try damage(&random, trial)
    case 4: variables["TERM"] = random.pick(Self.others, default: "linux")
    default: variables["TERM"] = random.pick(Self.likeXterm, default: "xterm")
    }
    for name in ["LC_ALL", "LANG", "LC_CTYPE"] where random.oneIn(3) { variables[name] = random.pick(Self.locales, default: "C") }
    if random.oneIn(8) { missing.append("HOME") }
    if random.oneIn(8) { variables["HOME"] = random.pick(["", "/nonexistent", "/dev/null", "relative", "/proc"], default: "") }
    if random.oneIn(4) { variables["COLORTERM"] = random.pick(["truecolor", "24bit", "", "\u{1B}[m"], default: "") }
    if random.oneIn(8) { variables["NO_COLOR"] = "1" }
    if random.oneIn(8) { variables["TMUX"] = "/tmp/tmux-0/default,1,0" }
    if random.oneIn(8) { variables["COLUMNS"] = random.pick(["0", "-5", "1", "99999999999", "x"], default: "0") }
    if random.oneIn(8) { variables["LINES"] = random.pick(["0", "-5", "1", "99999999999", "x"], default: "0") }
    trial.random = random
  }

  /// The files of the entries of this system, by their names.
  private static let installed: [String: String] = {
    let folders = ["/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo"]
    return folders.reduce(into: [:]) { files, folder in
      for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] where path.contains("/") {
        files[URL(filePath: path).lastPathComponent] = "\(folder)/\(path)"
      }
    }
  }()

  /// Creates a folder with a damaged entry.
  private mutating func damage(_ random: inout CaseRandom, _ trial: Trial) throws {
    isDamaged = true
    let name = random.pick(["xterm-256color", "xterm", "vt100", "linux", "screen", "tmux-256color"], default: "xterm")
    variables["TERM"] = name
    var bytes = Self.installed[name].flatMap { FileManager.default.contents(atPath: $0) }.map { [UInt8]($0) } ?? random.bytes(500)
    switch random.below(6) {
    case 0: bytes = random.bytes(random.below(3000))
    case 1: bytes.removeSubrange(random.below(bytes.count)...)
    case 2: bytes = []
    // The header tells the lengths of the parts.
    case 3: bytes[random.below(min(12, bytes.count))] = UInt8(random.below(256))
    default: for _ in 0...random.below(20) where !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
    }
    if random.oneIn(6) {
      variables["TERMINFO"] = "b64:" + (random.oneIn(2) ? Data(bytes).base64EncodedString() : "%%%")
      return
    }
    let folder = trial.folder.appending(path: "terminfo")
    // Linux names the folders by a letter, macOS by its number.
    for letter in [String(name.prefix(1)), String(name.utf8.first ?? 0, radix: 16)] {
      let place = folder.appending(path: letter)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      if random.oneIn(12) {
        try FileManager.default.createDirectory(at: place.appending(path: name), withIntermediateDirectories: true)
      } else {
        try Data(bytes).write(to: place.appending(path: name))
      }
    }
    variables["TERMINFO"] = folder.path
  }
}
