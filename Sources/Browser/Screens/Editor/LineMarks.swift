import QuarryEngine
import Terminal

/// What is marked in a line of an editor, by the bytes of the line.
struct LineMarks {
  var selected: Range<Int>
  var fault: Range<Int>?
  var parentheses: [Int]

  /// Whether a byte is selected or wrong.
  func isMarked(_ offset: Int) -> Bool {
    selected.contains(offset) || fault?.contains(offset) == true
  }

  /// Returns the style of the character at `offset`, which has a role of its own.
  func style(_ role: Role, at offset: Int, appearance: Appearance) -> Style {
    let role = parentheses.contains(offset) ? .match : role
    let style = appearance.theme.style(role, on: selected.contains(offset) ? .selection : .text)
    guard let fault, fault.contains(offset) else { return style }
    // A theme may underline what is wrong already.
    let attribute: Attributes = style.attributes.contains(.underline) ? .reverse : .underline
    let error = appearance.theme.style(.error)
    return style.overlaid(by: Style(foreground: error.foreground, background: error.background, attributes: attribute))
  }
}

extension SQLSpan.Kind {
  /// The role in which the editor shows it.
  var role: Role {
    switch self {
    case .keyword: .keyword
    case .text: .string
    case .number: .number
    case .blob: .blob
    case .comment: .comment
    case .parameter: .parameter
    case .name, .quotedName, .symbol: .text
    }
  }
}
