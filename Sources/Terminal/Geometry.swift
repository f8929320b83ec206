/// A position on the screen in cells from the top left corner, which is (0, 0).
public struct Point: Hashable, Sendable {
  public var column: Int
  public var row: Int

  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A size in cells.
public struct Size: Hashable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of cells.
///
/// Without columns or rows it is empty and nothing is drawn in it.
public struct Rect: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var columns: Int
  public var rows: Int

  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  public init(_ size: Size) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// The first column right of the rectangle.
  public var endColumn: Int { column + columns }

  /// The first row below the rectangle.
  public var endRow: Int { row + rows }

  public var isEmpty: Bool { columns == 0 || rows == 0 }

  public func contains(_ point: Point) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }

  /// Returns the intersection of this rectangle with `other`.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      column: left, row: top, columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
  }

  /// Returns the rectangle reduced by `columns` and `rows` on each side.
  public func inset(columns: Int, rows: Int) -> Rect {
    Rect(column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }

  /// Cuts `count` rows off the top and returns them.
  public mutating func removeTop(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column: column, row: row + taken, columns: columns, rows: rows - taken) }
    return Rect(column: column, row: row, columns: columns, rows: taken)
  }

  /// Cuts `count` rows off the bottom and returns them.
  public mutating func removeBottom(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    defer { self = Rect(column: column, row: row, columns: columns, rows: rows - taken) }
    return Rect(column: column, row: endRow - taken, columns: columns, rows: taken)
  }

  /// Cuts `count` columns off the left and returns them.
  public mutating func removeLeft(_ count: Int) -> Rect {
    let taken = min(max(0, count), columns)
    defer { self = Rect(column: column + taken, row: row, columns: columns - taken, rows: rows) }
    return Rect(column: column, row: row, columns: taken, rows: rows)
  }
}
