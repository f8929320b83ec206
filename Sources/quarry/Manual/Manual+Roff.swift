internal import ArgumentParser

extension Manual {
  /// The manual in the macros of man(7).
  var roff: String {
    let version = Quarry.nameAndVersion
    return ".TH QUARRY 1 \"\" \"\(version)\" \"User Commands\"\n.nr HY 0\n.ad l\n"
      + sections.map { section in
        ".SH \(RoffText.escaped(section.title.uppercased()))\n" + section.blocks.map(\.roff).joined()
      }.joined()
  }
}

extension Manual.Block {
  fileprivate var roff: String {
    switch self {
    case .paragraph(let text): ".PP\n\(RoffText.line(text))\n"
    case .heading(let title): ".SS \(RoffText.escaped(title))\n"
    case .code(let text):
      ".PP\n.RS 4\n.EX\n"
        + text.split(separator: "\n", omittingEmptySubsequences: false).map { "\(RoffText.guarded(RoffText.escaped($0)))\n" }.joined()
        + ".EE\n.RE\n"
    case .entries(let entries): Self.roff(of: entries)
    }
  }

  /// Returns the entries without the usual empty lines between them.
  private static func roff(of entries: [Manual.Entry]) -> String {
    let width = Manual.nameWidth(of: entries) + 2
    return entries.enumerated().map { index, entry in
      "\(index == 1 ? ".PD 0\n" : "").TP \(width)\n\\fB\(RoffText.escaped(entry.name))\\fR\n\(RoffText.line(entry.meaning))\n"
    }.joined() + ".PD\n"
  }
}

/// Escapes text so that roff prints it unchanged.
private enum RoffText {
  /// Returns a line of text, with text between backquotes in bold.
  static func line(_ text: String) -> String {
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
    return guarded(pieces.enumerated().map { $0.isMultiple(of: 2) ? escaped($1) : "\\fB\(escaped($1))\\fR" }.joined())
  }

  /// Returns a line that roff does not interpret as a request.
  static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Returns `text` with escapes for characters that roff would replace.
  ///
  /// A hyphen remains one that can be copied to a shell.
  static func escaped(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  /// Returns the code of a character in roff notation, with at least four digits.
  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
