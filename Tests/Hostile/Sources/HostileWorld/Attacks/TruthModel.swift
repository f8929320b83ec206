import Foundation

/// What the screen of a table must say: the shell's rows for the same filter and order, with the staged changes over them.
struct TruthModel {
  struct Row: Equatable {
    let id: Int
    /// The texts of all columns, the first of which is the id.
    var cells: [String]
  }

  /// The staged changes.
  struct Staged: Equatable {
    var edits: [Int: [Int: String]] = [:]
    var deletions: Set<Int> = []

    var count: Int { edits.values.map(\.count).reduce(0, +) + deletions.count }
    var isEmpty: Bool { count == 0 }
    var ids: Set<Int> { deletions.union(edits.keys) }
  }

  /// What must be true of the cursor.
  enum Cursor: Equatable {
    case anywhere
    case at(Int)
    case on(id: Int)
    /// At the first row, or still on its row if a person has chosen that.
    case firstOrOn(id: Int)
  }

  static let columns = ["id", "name", "n", "size", "note"]
  static let types = ["integer", "text", "integer", "real", "text"]
  static let null = "∅"

  var filter: String?
  var sort: (column: Int, isDescending: Bool)?
  var column = 0
  var cursor = Cursor.at(1)
  var staged = Staged()
  /// The rows that match, in order, as the shell finds them.
  private(set) var rows: [Row] = []
  /// All rows by their ids.
  private(set) var all: [Int: Row] = [:]
  /// The place of the cursor, from 1; 0 without rows.
  private(set) var position = 1

  var current: Row? { rows.indices.contains(position - 1) ? rows[position - 1] : nil }

  // MARK: The shell

  /// Reads the rows, with the screen's filter and order, by the shell.
  mutating func read(_ trial: Trial) throws {
    let direction = sort?.isDescending == true ? " DESC" : ""
    let order = sort.map { "\(Self.columns[$0.column])\(direction), id" } ?? "id"
    let select = "SELECT \(Self.columns.joined(separator: ", ")) FROM t"
    rows = try Self.rows("\(select) WHERE \(filter ?? "1") ORDER BY \(order)", trial)
    all = Dictionary(uniqueKeysWithValues: try Self.rows(select, trial).map { ($0.id, $0) })
  }

  private static func rows(_ sql: String, _ trial: Trial) throws -> [Row] {
    let path = trial.files.path("app.db")
    let run = try trial.shell(["-cmd", ".timeout 20000", "-separator", "\t", "-nullvalue", null, path, sql])
    guard run.isSuccess else { throw World.MissingProgram(description: "sqlite3: \(run.errors)") }
    return run.text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return cells.first.flatMap { Int($0) }.map { Row(id: $0, cells: cells) }
    }
  }

  // MARK: The screen

  /// The text of a cell on the screen.
  func shown(_ row: Row, _ column: Int) -> String { staged.edits[row.id]?[column] ?? row.cells[column] }

  private var title: String {
    let total = all.count
    let counts = filter == nil ? "\(total)" : "\(rows.count) of \(total)"
    var title = "t · \(counts) row\(total == 1 ? "" : "s")"
    if let sort { title += " · sort \(Self.columns[sort.column])\(sort.isDescending ? "▼" : "▲")" }
    if !staged.isEmpty { title += " · \(staged.count) change\(staged.count == 1 ? "" : "s")" }
    return title
  }

  /// Takes the place of the cursor from a screen that agrees.
  mutating func follow(_ screen: ScreenModel) {
    let cursor = TruthScreen(screen).rows.first(where: \.isCursor)
    position = cursor.flatMap { cursor in rows.firstIndex { $0.id == cursor.id } }.map { $0 + 1 } ?? 0
    self.cursor = rows.isEmpty ? .anywhere : .at(position)
  }

  /// Returns what is not so on a screen; nil if it tells the truth.
  func disagreement(with screen: ScreenModel) -> String? {
    let seen = TruthScreen(screen)
    if !seen.title.hasSuffix(title) { return "the title “\(seen.title)” is not “\(title)”" }
    let bar = " filter › \(filter ?? "all rows")"
    if seen.bar != bar { return "the bar “\(seen.bar)” is not “\(bar)”" }
    if rows.isEmpty { return seen.rows.isEmpty ? nil : "there are rows" }
    if seen.rows.count != min(seen.capacity, rows.count) { return "\(seen.rows.count) of \(rows.count) rows are seen" }
    guard let first = rows.firstIndex(where: { $0.id == seen.rows[0].id }) else { return "row \(seen.rows[0].id) does not match" }
    for (row, shown) in zip(rows[first...], seen.rows) {
      if let difference = difference(row, shown) { return difference }
    }
    return misplacedCursor(seen)
  }

  private func difference(_ row: Row, _ seen: TruthScreen.Row) -> String? {
    let cells = row.cells.indices.map { shown(row, $0) }
    if cells != seen.cells { return "row \(row.id) is \(seen.cells), not \(cells)" }
    let mark: Character = staged.deletions.contains(row.id) ? "-" : staged.edits[row.id] != nil ? "~" : " "
    return seen.mark == mark ? nil : "row \(row.id) has the mark “\(seen.mark)”, not “\(mark)”"
  }

  private func misplacedCursor(_ seen: TruthScreen) -> String? {
    let cursors = seen.rows.filter(\.isCursor)
    guard cursors.count == 1, let place = rows.firstIndex(where: { $0.id == cursors[0].id }) else { return "\(cursors.count) cursors" }
    let number = place + 1
    if let told = seen.position, told != (number, rows.count) { return "row \(told) is told, and \(number) of \(rows.count) is shown" }
    let isRight =
      switch cursor {
      case .anywhere: true
      case .at(let place): number == place
      case .on(let id): cursors[0].id == id
      case .firstOrOn(let id): number == 1 || cursors[0].id == id
      }
    return isRight ? nil : "the cursor is at \(number), row \(cursors[0].id), and not \(cursor)"
  }
}

/// The parts of a screen with the rows of the table.
struct TruthScreen {
  struct Row {
    let isCursor: Bool
    let mark: Character
    let id: Int
    let cells: [String]

    /// Reads a line such as `▌~   7  name  ~ 5  0.5  ∅`; nil for one that is no row.
    init?(_ line: String) {
      let characters = Array(line)
      guard characters.count > 2 else { return nil }
      isCursor = characters[0] == "▌"
      mark = characters[1]
      // Changed cells have a mark before them.
      cells = String(characters.dropFirst(2)).split(separator: " ").map { $0.first == "~" ? $0.dropFirst() : $0 }.filter { !$0.isEmpty }
        .map(String.init)
      guard cells.count == TruthModel.columns.count, let id = Int(cells[0]) else { return nil }
      self.id = id
    }
  }

  let title: String
  let bar: String
  let rows: [Row]
  /// The number of rows for which there is room.
  let capacity: Int
  /// What the last line tells of the cursor, if it has room for it.
  let position: (Int, Int)?

  init(_ screen: ScreenModel) {
    let lines = screen.lines
    title = lines.first ?? ""
    bar = lines.dropLast().last ?? ""
    rows = lines.dropFirst(3).dropLast(2).compactMap { Row($0) }
    capacity = max(0, lines.count - 5)
    let match = (lines.last ?? "").firstMatch(of: #/row (\d+) of (\d+)$/#)
    position = match.flatMap { match in Int(match.1).flatMap { place in Int(match.2).map { (place, $0) } } }
  }
}
