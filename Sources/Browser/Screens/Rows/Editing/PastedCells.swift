import QuarryEngine
import QuarryRows

/// The last copied text, from this program or from another one.
package struct CopiedText: Hashable, Sendable {
  package let text: String
  /// The value, if it was copied from one cell in this program.
  private(set) var value: DatabaseValue?

  /// Creates a text from another program.
  init(_ text: String) { self.text = text }

  init(_ copy: CopyText) {
    (text, value) = (copy.text, copy.value)
  }
}

/// A copied text as rows of cells: TSV if it contains tabs, CSV if several lines contain commas, otherwise one value.
struct PastedCells: Hashable, Sendable {
  /// The cells of each row; nil for an empty cell without quotes, which is NULL.
  private(set) var rows: [[String?]]
  /// The numbers of the lines on which the rows begin, from 1.
  private(set) var lines: [Int]

  /// Whether it is a single value.
  var isSingle: Bool { rows.count == 1 && rows[0].count == 1 }

  /// Parses a text.
  ///
  /// - Parameter isLines: Whether each line without a tab or comma is a separate row.
  init(_ copied: CopiedText, isLines: Bool = false) {
    let text = copied.text
    let body = text.hasSuffix("\r\n") ? String(text.dropLast()) : text.hasSuffix("\n") ? String(text.dropLast()) : text
    let lines = body.split(whereSeparator: \.isNewline)
    let commas = lines.map { line in line.count { $0 == "," } }
    if body.contains("\t") {
      self = Self.read(body, separator: "\t")
    } else if lines.count > 1, let first = commas.first, first > 0, commas.allSatisfy({ $0 >= first }) {
      self = Self.read(body, separator: ",")
    } else {
      let cells = isLines && lines.count > 1 ? lines.map { [String($0)] } : [[text]]
      self.init(rows: cells, lines: Array(1...cells.count))
    }
  }

  private init(rows: [[String?]], lines: [Int]) { (self.rows, self.lines) = (rows, lines) }

  /// Returns the cells for a number of rows; a single row is repeated.
  func filling(_ count: Int) -> PastedCells {
    guard let row = rows.first, let line = lines.first, rows.count == 1 else { return self }
    return PastedCells(rows: Array(repeating: row, count: count), lines: Array(repeating: line, count: count))
  }

  /// Parses cells between separators; double quotes may enclose separators and line endings.
  private static func read(_ text: String, separator: Character) -> PastedCells {
    var (cells, row): (PastedCells, [String?]) = (PastedCells(rows: [], lines: []), [])
    var rest = text[...]
    var (start, line) = (rest.startIndex, 1)
    while true {
      row.append(takeCell(from: &rest, separator: separator))
      let end = rest.popFirst()
      guard end != separator else { continue }
      cells.rows.append(row)
      cells.lines.append(line)
      guard end != nil else { return cells }
      line += text[start..<rest.startIndex].count(where: \.isNewline)
      (row, start) = ([], rest.startIndex)
    }
  }

  /// Removes the first cell, up to the separator or the line ending; returns nil for an empty cell without quotes.
  private static func takeCell(from rest: inout Substring, separator: Character) -> String? {
    var cell = ""
    let isQuoted = rest.first == "\""
    if isQuoted {
      rest.removeFirst()
      while let quote = rest.firstIndex(of: "\"") {
        cell += rest[..<quote]
        rest = rest[rest.index(after: quote)...]
        guard rest.first == "\"" else { break }
        cell.append(rest.removeFirst())
      }
    }
    let end = rest.firstIndex { $0 == separator || $0.isNewline } ?? rest.endIndex
    cell += rest[..<end]
    rest = rest[end...]
    return cell.isEmpty && !isQuoted ? nil : cell
  }

  /// Returns the columns of the cells, and the cells without a header; nil columns if the grid has too few.
  ///
  /// If all cells of the first row are names of columns, and more rows follow, these are the columns. Otherwise they are the columns from
  /// the cursor, or all visible columns if the width is the same.
  func placed(in grid: GridPane) -> (columns: [String]?, cells: PastedCells) {
    let first = rows.first ?? []
    let names = first.compactMap { name in
      grid.columns.first { column in name.map { column.name.isSameIdentifier(as: $0) } ?? false }?.name
    }
    if names.count == first.count, rows.count > 1 {
      return (names, PastedCells(rows: Array(rows.dropFirst()), lines: Array(lines.dropFirst())))
    }
    let shown = grid.layout.shown.compactMap(grid.column(at:)).filter { $0.computed == nil }.map(\.name)
    let start = width == shown.count ? 0 : grid.layout.shown.firstIndex(of: grid.column) ?? 0
    return (width <= shown.count - start ? Array(shown[start..<start + width]) : nil, self)
  }

  /// The number of cells in the longest row.
  var width: Int { rows.map(\.count).max() ?? 0 }

  /// Returns the values of the cells, parsed as the types of their columns.
  ///
  /// - Throws: `Problem` about the first text that is not a value of its column, with the line and the column.
  func values(for columns: [String], in grid: GridPane) throws(Problem) -> [[DatabaseValue]] {
    var values: [[DatabaseValue]] = []
    for (line, texts) in zip(lines, rows) {
      var row: [DatabaseValue] = []
      for (column, text) in zip(columns, texts) {
        do throws(ParameterError) {
          row.append(try grid.value(of: text, column: column))
        } catch {
          throw Problem("line \(Plural.grouped(line)), \(column): \(error)")
        }
      }
      values.append(row)
    }
    return values
  }
}
