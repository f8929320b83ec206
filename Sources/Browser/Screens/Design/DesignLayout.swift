import QuarryChanges
import QuarryEngine
import QuarrySources
import Terminal

/// The areas of the form: its lines, and the plan beside or below them.
struct DesignLayout: Hashable, Sendable {
  let list: Rect
  let plan: Rect
  /// The visible lines of the plan.
  let lines: [StyledLine]
  /// Whether the plan is beside the form.
  let isBeside: Bool

  /// The least width at which the plan is beside the form.
  private static let wide = 100

  init(_ screen: DesignScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    isBeside = area.columns >= Self.wide
    let columns = isBeside ? rest.columns * 9 / 20 - 2 : rest.columns
    let wrapped = screen.planLines.flatMap { $0.wrapped(to: max(1, columns)) } + StyledLine.sql(screen.shownSQL, columns: columns)
    if isBeside {
      let listColumns = rest.columns * 11 / 20
      plan = Rect(column: rest.column + listColumns + 2, row: rest.row, columns: columns, rows: rest.rows)
      list = Rect(column: rest.column, row: rest.row, columns: listColumns, rows: rest.rows)
    } else {
      // The plan gets the rows that the form does not need, and two fifths of them otherwise.
      let free = rest.rows - screen.lines.count - 1
      let rows = min(wrapped.count, max(rest.rows * 2 / 5, free))
      plan = rows > 0 ? rest.removeBottom(rows) : .none
      if rows > 0 { _ = rest.removeBottom(1) }
      list = rest
    }
    lines = Self.cut(wrapped, to: plan.rows, environment)
  }

  /// Returns the lines that fit, with the number of the others in place of the last one.
  private static func cut(_ lines: [StyledLine], to rows: Int, _ environment: ScreenEnvironment) -> [StyledLine] {
    guard lines.count > rows, rows > 0 else { return lines }
    let key = environment.keyHint(.editAsSQL, in: .design)
    let count = Plural.of(lines.count - rows + 1, "more line")
    let rest = "\(environment.appearance.glyphs.ellipsis) \(count): \(key) writes all into the editor"
    return lines.prefix(rows - 1) + [StyledLine(rest, .muted)]
  }
}

extension StyledLine {
  /// Returns SQL in highlighted lines that are wrapped to a width.
  static func sql(_ text: String, columns: Int) -> [StyledLine] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine(String($0)) }
    var state = SQLLineState.plain
    return text.isEmpty
      ? []
      : lines.flatMap { $0.wrapped(to: max(1, columns)) }.map { line in
        let (spans, end) = SQLLineLexer.spans(of: line.text, from: state)
        state = end
        return StyledLine(line.text, spans: spans)
      }
  }

  private init(_ text: String, spans: [SQLSpan]) {
    let bytes = Array(text.utf8)
    self.init()
    var end = 0
    for span in spans {
      if end < span.range.lowerBound { self = adding(String(decoding: bytes[end..<span.range.lowerBound], as: UTF8.self)) }
      self = adding(String(decoding: bytes[span.range], as: UTF8.self), span.kind.role)
      end = span.range.upperBound
    }
    if end < bytes.count { self = adding(String(decoding: bytes[end...], as: UTF8.self)) }
  }
}

// The plan.
extension DesignScreen {
  /// What precedes the statements: errors, problems, remarks, and the way of the change.
  var planLines: [StyledLine] {
    guard let change else { return fault.map { [StyledLine($0.text, .error)] } ?? [] }
    var lines: [StyledLine] = []
    if let fault {
      lines.append(StyledLine(fault.text, .error))
      if let place = fault.place {
        lines.append(
          StyledLine(String(place.line.prefix(place.columns.lowerBound)))
            .adding(String(place.line.prefix(place.columns.upperBound).dropFirst(place.columns.lowerBound)), .error)
            .adding(String(place.line.dropFirst(place.columns.upperBound))))
      }
    }
    lines += (counted?.plan.problems ?? []).map { StyledLine($0, .error) }
    let refused = (counted?.findings ?? []).filter { $0.check.effect == .refused }
    lines += refused.map { StyledLine($0.sentence, .error) }
    lines += (counted?.plan.remarks ?? []).map { StyledLine($0, .warning) }
    if let summary = summary(of: change) { lines += [StyledLine(summary, .muted)] }
    return lines.isEmpty || shownStatements.isEmpty ? lines : lines + [StyledLine()]
  }

  /// The statements beside the form as one text.
  var shownSQL: String {
    let statements = shownStatements
    return statements.joined(separator: ";\n") + (statements.count > 1 ? ";" : "")
  }

  private func summary(of change: TableChange) -> String? {
    guard let plan = counted?.plan else { return nil }
    return switch plan.method {
    case .nothing: "nothing is changed yet"
    case .create: "creates the table:"
    case .alter: "alters the table in place:"
    case .rebuild: "copies all rows into a new table, in one transaction:"
    }
  }
}
