import QuarryChanges
import QuarryEngine

/// The position in the differences of the schemas.
struct DiffSchemaState: Hashable, Sendable {
  /// The index of the current difference.
  private(set) var cursor = 0
  /// The first visible line.
  private(set) var top = 0
  /// Whether to make the current difference visible.
  private var isRevealed = true

  mutating func select(_ index: Int) { (cursor, isRevealed) = (index, false) }

  mutating func scroll(by step: Int) { top = max(0, top + step) }

  /// Scrolls to the current difference if it was selected, and not beyond the last line.
  ///
  /// - Parameter starts: The lines at which the differences begin.
  mutating func layOut(height: Int, of lines: Int, starts: [Int]) {
    cursor = min(cursor, max(0, starts.count - 1))
    if starts.indices.contains(cursor), !isRevealed {
      let end = starts.indices.contains(cursor + 1) ? starts[cursor + 1] : lines
      if starts[cursor] < top || end > top + height { top = starts[cursor] }
      isRevealed = true
    } else if !starts.isEmpty {
      // The current difference follows the lines when they are scrolled.
      let visible = starts.indices.filter { starts[$0] >= top && starts[$0] < top + height }
      if let first = visible.first, let last = visible.last { cursor = min(max(cursor, first), last) }
    }
    top = max(0, min(top, lines - height))
  }
}

/// The differences of the schemas as lines: a heading for each, then the old and the new definition with the changed lines marked.
///
/// Long lines are wrapped.
struct DiffSchemaText: Sendable {
  private(set) var lines: [StyledLine] = []
  /// The index of the heading of each difference.
  private(set) var starts: [Int] = []

  init(_ differences: [SchemaDifference], columns: Int) {
    for difference in differences {
      if !lines.isEmpty { lines.append(StyledLine()) }
      starts.append(lines.count)
      for line in [Self.heading(difference)] + Self.definition(difference) { lines += line.wrapped(to: max(1, columns)) }
    }
  }

  private static func heading(_ difference: SchemaDifference) -> StyledLine {
    let mark = DiffMark(difference.change)
    let renamed = difference.change == .renamed ? " renamed from \(difference.from ?? "")" : " \(difference.change.rawValue)"
    return StyledLine("\(mark.text) ", mark.role).adding("\(difference.kind) ", .muted).adding(difference.name, .accent)
      .adding(renamed, .muted)
  }

  private static func definition(_ difference: SchemaDifference) -> [StyledLine] {
    if difference.change == .renamed { return [] }
    let (old, new) = (SQLLayout.lines(difference.from), SQLLayout.lines(difference.to))
    return LineDifference.lines(old, new).map { change, text in
      guard let change else { return StyledLine("    \(text)", .text) }
      let mark = DiffMark(change)
      return StyledLine("  \(mark.text) \(text)", mark.role)
    }
  }
}

/// The mark of a kind of change, and its role.
struct DiffMark: Hashable, Sendable {
  var text: String
  var role: Role

  init(_ change: DiffChange) {
    switch change {
    case .added: (text, role) = ("+", .added)
    case .removed: (text, role) = ("−", .error)
    case .changed, .renamed: (text, role) = ("~", .changed)
    }
  }
}

/// The layout of an SQL definition in lines.
enum SQLLayout {
  /// Returns the lines of a definition; one without line breaks is broken at the commas of its outer list.
  ///
  ///     CREATE TABLE t(a, b)     CREATE TABLE t(
  ///                                a,
  ///                                b
  ///                              )
  static func lines(_ sql: String?) -> [String] {
    guard let sql else { return [] }
    let text = sql.replacing("\r\n", with: "\n").replacing("\t", with: "    ")
    let isTable = text.prefix(24).uppercased().contains("TABLE")
    if text.contains("\n") || !isTable { return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    return broken(text)
  }

  private static func broken(_ text: String) -> [String] {
    var (lines, depth, quote): ([String], Int, Character?) = ([""], 0, nil)
    func begin(_ indent: String) { lines.append(indent) }
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if let closing = ["'": "'", "\"": "\"", "`": "`", "[": "]"][character] as Character? {
        quote = closing
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
        if depth == 0 { begin("") }
      }
      let last = lines.count - 1
      // Blanks at the beginning of a line are those after a comma.
      if character == " ", lines[last].allSatisfy({ $0 == " " }) { continue }
      lines[last].append(character)
      if quote == nil, depth == 1, character == "(" || character == "," { begin("  ") }
    }
    return lines.filter { !$0.allSatisfy { $0 == " " } }
  }
}

/// The comparison of two texts by lines.
enum LineDifference {
  /// The most lines that are compared; longer texts are shown one after the other.
  private static let limit = 2_000

  /// Returns the lines of both texts in order: the changes are nil for a common line.
  static func lines(_ old: [String], _ new: [String]) -> [(change: DiffChange?, text: String)] {
    guard old.count <= limit, new.count <= limit else {
      return old.map { (.removed, $0) } + new.map { (.added, $0) }
    }
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.offset))
    let added = Set(difference.insertions.map(\.offset))
    var (lines, first, second): ([(change: DiffChange?, text: String)], Int, Int) = ([], 0, 0)
    while first < old.count || second < new.count {
      if removed.contains(first) {
        lines.append((.removed, old[first]))
        first += 1
      } else if added.contains(second) {
        lines.append((.added, new[second]))
        second += 1
      } else {
        lines.append((nil, old[first]))
        (first, second) = (first + 1, second + 1)
      }
    }
    return lines
  }
}

extension CollectionDifference<String>.Change {
  /// The index of the line in its text.
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
