internal import Terminal

/// A line of `quarry doctor`: what was checked, the result, and a fix.
package struct Finding: Hashable, Sendable {
  package enum Mark: String, Hashable, Sendable {
    case fine = "✓"
    /// Only the user can see whether it works.
    case visible = "·"
    /// Everything works, but not as well as it could.
    case warning = "!"
    /// Something will not work.
    case fault = "✗"
  }

  package var mark: Mark
  package var subject: String
  package var text: String
  /// What to do, or nil for nothing.
  package var fix: String?

  package init(_ mark: Mark, _ subject: String, _ text: String, fix: String? = nil) {
    (self.mark, self.subject, self.text, self.fix) = (mark, subject, text, fix)
  }

  private static let subjectWidth = 12

  package var line: String {
    let padding = String(repeating: " ", count: max(1, Self.subjectWidth - subject.count))
    let advice = fix.map { ". Fix: \($0)" } ?? ""
    return "\(mark.rawValue) \(subject)\(padding)\(text)\(advice)".pictured
  }

  /// Returns the line broken between words for a terminal.
  package func lines(columns: Int) -> [String] {
    let indent = String(repeating: " ", count: Self.subjectWidth + 2)
    guard columns > 2 * indent.count else { return [line] }
    var lines: [String] = []
    var last = ""
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if !last.isEmpty, TextWidth.columns(of: last) + 1 + TextWidth.columns(of: String(word)) > columns {
        lines.append(last)
        last = indent + word
      } else {
        last += last.isEmpty && lines.isEmpty ? String(word) : " " + word
      }
    }
    return lines + [last]
  }
}
