import QuarryEngine
import Terminal

/// The columns of a grid: which are shown, how wide, which are frozen, and how far the others are scrolled.
package struct ColumnLayout: Hashable, Sendable {
  /// Cells between two columns.
  static let gap = 2
  /// The maximum width of a key or a number whose width the user has not set, in cells.
  static let widest = 40
  static let narrowest = 3

  /// What a column would like to have.
  package struct Need: Hashable, Sendable {
    /// The cells that its header and its values at hand take whole.
    var width: Int
    /// Whether its values may be cut, as texts are: keys and numbers are shown whole.
    var canBeCut: Bool
    /// Whether they are cut only where the screen has not room for one, as dates are.
    var isCutLast = false
    /// The width of the column with the whole name of its type, used if there is room to spare.
    var wish = 0
    /// The width of the values and of a readable header, in cells; nil if that is `width`.
    var values: Int?
    /// The width of the values and of the shortest form of the header, in cells; nil if that is `values`.
    var least: Int?
    /// The initial width of the values, in cells; nil if the width has not changed.
    var firstValues: Int?

    package init(
      width: Int, canBeCut: Bool, isCutLast: Bool = false, wish: Int = 0, values: Int? = nil, least: Int? = nil, firstValues: Int? = nil
    ) {
      self.width = width
      self.canBeCut = canBeCut
      self.isCutLast = isCutLast
      self.wish = wish
      self.values = values
      self.least = least
      self.firstValues = firstValues
    }

    var valueWidth: Int { values ?? width }
  }

  /// The width of every column, hidden ones too, in cells.
  package private(set) var widths: [Int]
  private var needs: [Need]
  /// The cells that the columns were fitted into last.
  private var room = 0
  package private(set) var hidden: Set<Int> = []
  /// The indexes of all columns, hidden ones too, from left to right.
  private var order: [Int]
  /// The number of shown columns that always stay on the left.
  package private(set) var frozen = 0
  /// The first visible column that is not frozen, as a position among the shown columns.
  private var first = 0
  /// The column under the cursor, which must be visible.
  private var revealed: Int?
  /// The columns whose width the person has set.
  package private(set) var fixed: Set<Int> = []
  /// Whether there are rows that have not been read yet, whose texts may be longer.
  private(set) var awaitsMore: Bool

  package init(needs: [Need], awaitsMore: Bool = false) {
    (self.needs, self.awaitsMore) = (needs, awaitsMore)
    widths = needs.map(\.width)
    order = Array(widths.indices)
  }

  // MARK: Sharing the room

  /// Shares `room` cells among the shown columns.
  ///
  /// Values get cells first, with the longest texts cut, then headers, then the names of types, then longer texts that may follow. If the
  /// columns do not fit even when they are cut, each column gets its own width, and ``slots(width:)`` shares the room among the visible
  /// columns.
  package mutating func fit(into room: Int) {
    self.room = room
    let shown = shown
    let demands = shown.map(demand)
    let cells = room - ColumnLayout.gap * max(0, shown.count - 1)
    let doAllFit = demands.reduce(0) { $0 + $1.least } <= cells
    let shared = doAllFit ? ColumnShare.widths(of: demands, in: cells) : zip(shown, demands).map(widthByItself)
    for (column, width) in zip(shown, shared) { widths[column] = width }
  }

  /// Returns the widths that a column asks for.
  private func demand(of column: Int) -> ColumnShare.Demand {
    if fixed.contains(column) {
      return ColumnShare.Demand(least: widths[column], values: widths[column], header: widths[column], type: widths[column])
    }
    let (need, isCut) = (needs[column], canBeCut(column))
    let limit = isCut ? Int.max : ColumnLayout.widest
    let values = max(ColumnLayout.narrowest, min(limit, need.valueWidth))
    let header = max(values, min(limit, need.width))
    let shortest = max(ColumnLayout.narrowest, min(limit, need.least ?? values))
    let least = isCut ? min(ColumnLayout.fairShare(of: room), max(ColumnLayout.narrowest, need.firstValues ?? values)) : shortest
    let reserve = isCut && awaitsMore ? ColumnLayout.reserved(beside: need.firstValues ?? values) : 0
    return ColumnShare.Demand(least: least, values: values, header: header, type: max(header, need.wish), reserve: reserve)
  }

  /// Returns the cells to reserve for longer texts, so that the columns keep their positions when such texts become visible.
  private static func reserved(beside width: Int) -> Int { width + max(4, width / 3) }

  /// Returns the width of a column that shares with none: its header whole, and of a text a fair share.
  private func widthByItself(of column: Int, _ demand: ColumnShare.Demand) -> Int {
    canBeCut(column) && !fixed.contains(column) ? min(ColumnLayout.fairShare(of: room), demand.header) : demand.header
  }

  /// Returns the number of cells that a long text keeps if there is not enough room for all columns.
  private static func fairShare(of room: Int) -> Int { min(ColumnLayout.widest, max(19, room / 5)) }

  /// Raises the need of a column to the width of a value that has become visible; never lowers it, so that columns stay in place.
  ///
  /// - Parameter mayDisplace: Whether other columns may be moved off the screen to make room for a text.
  package mutating func raise(to width: Int, of column: Int, mayDisplace: Bool = false) {
    guard needs.indices.contains(column), width > needs[column].valueWidth else { return }
    if canBeCut(column) { needs[column].firstValues = mayDisplace ? width : needs[column].firstValues ?? needs[column].valueWidth }
    needs[column].values = width
    needs[column].least = needs[column].least.map { max($0, width) }
    needs[column].width = max(width, needs[column].width)
  }

  /// Raises what a column needs to the widths of its header.
  mutating func raiseHeader(to header: HeaderName, of column: Int) {
    guard needs.indices.contains(column) else { return }
    let least = needs[column].least.map { max($0, header.leastWidth) }
    raise(to: header.readableWidth, of: column)
    needs[column].least = least
    needs[column].width = max(header.width, needs[column].width)
  }

  /// Takes other needs, where the values are shown in another way.
  mutating func replaceNeeds(_ needs: [Need]) {
    self.needs = needs
    fit(into: room)
  }

  /// Returns the number of cells by which a column may grow for a longer value.
  ///
  /// These are the unused cells and, if no more rows will be read, the cells of headers and types. Otherwise headers and types keep their
  /// cells, so that the columns keep their positions while the user scrolls.
  package func spare(width: Int) -> Int {
    let slots = slots(width: width)
    let taken = slots.reduce(0) { $0 + (awaitsMore ? $1.width : min($1.width, demand(of: $1.column).values)) }
    return max(0, width - taken - ColumnLayout.gap * max(0, slots.count - 1))
  }

  /// Returns whether a column's values may be cut for the sake of others.
  func canBeCut(_ column: Int) -> Bool { needs[column].canBeCut && !needs[column].isCutLast }

  // MARK: Visible columns

  /// The indexes of the columns that are not hidden, from left to right.
  package var shown: [Int] { order.filter { !hidden.contains($0) } }

  /// A column on the screen.
  package struct Slot: Hashable {
    package var column: Int
    /// The first cell, counted from the left of the grid.
    package var offset: Int
    package var width: Int
    var isFrozen: Bool
  }

  /// The minimum width of a text at the right edge; a narrower text is not shown, because it would contain little but the ellipsis.
  private static let leastShown = 8
  /// The room that the column under the cursor has at least.
  private static let leastRevealed = 5

  /// Returns the cells without which a column of that width is not shown at the right edge: a number or a date is whole or not shown.
  private func least(of column: Int, _ width: Int) -> Int {
    if column == revealed { return min(width, ColumnLayout.leastRevealed) }
    return canBeCut(column) ? min(width, ColumnLayout.leastShown) : width
  }

  /// Returns the visible columns, which share `width` cells; the last column may be cut.
  ///
  /// Headers are cut to make more columns visible. The remaining cells go to values that are cut, and then to headers.
  package func slots(width: Int) -> [Slot] {
    let shown = shown
    let frozen = frozenInSight(width: width)
    let columns = Array(shown.prefix(frozen.upperBound).dropFirst(frozen.lowerBound) + shown.dropFirst(firstInSight))
    return shared(fitting(columns, width), width: width, frozen: frozen.count)
  }

  /// Returns the first of some columns that fit into `width` cells with the least that each needs, the last of them perhaps in part.
  private func fitting(_ columns: [Int], _ width: Int) -> [Int] {
    var offset = 0
    let count = columns.firstIndex { column in
      let own = demand(of: column).least
      defer { offset += own + ColumnLayout.gap }
      return offset >= width || offset > 0 && width - offset < least(of: column, own)
    }
    return Array(columns.prefix(count ?? columns.count))
  }

  /// Shares `width` cells among columns, the last of which has what the others leave.
  private func shared(_ columns: [Int], width: Int, frozen: Int) -> [Slot] {
    var demands = columns.map { column in
      var demand = demand(of: column)
      demand.header = max(demand.header, widths[column])
      return demand
    }
    let cells = width - ColumnLayout.gap * max(0, columns.count - 1)
    if let last = demands.indices.last {
      demands[last].least = min(demands[last].least, max(0, cells - demands.dropLast().reduce(0) { $0 + $1.least }))
    }
    var offset = 0
    return zip(columns, ColumnShare.widths(of: demands, in: cells)).enumerated().map { index, share in
      defer { offset += share.1 + ColumnLayout.gap }
      return Slot(column: share.0, offset: offset, width: share.1, isFrozen: index < frozen)
    }
  }

  /// Whether shown columns lie out of sight on the left, behind the frozen ones.
  package var isScrolled: Bool { firstInSight > frozen }

  /// Returns whether shown columns lie out of sight on the right.
  func continues(width: Int) -> Bool {
    guard let last = slots(width: width).last else { return false }
    return last.column != shown.last || last.width < demand(of: last.column).least
  }

  /// Returns the number of shown columns that lie out of sight on the right.
  func hiddenCount(width: Int) -> Int {
    guard let last = slots(width: width).last, let position = shown.firstIndex(of: last.column) else { return 0 }
    return shown.count - 1 - position
  }

  /// Returns the visible width of a column, or the width that it would have on its own if it is not visible.
  func width(of column: Int, in width: Int) -> Int {
    slots(width: width).first { $0.column == column }?.width ?? widths[column]
  }

  private var firstInSight: Int { max(first, frozen) }

  /// Returns the visible frozen columns, as positions among the shown columns: as many as leave room for the revealed column.
  private func frozenInSight(width: Int) -> Range<Int> {
    let shown = shown
    guard let revealed, let position = shown.firstIndex(of: revealed) else { return 0..<frozen }
    func span(_ positions: Range<Int>) -> Int { positions.reduce(0) { $0 + widths[shown[$1]] + ColumnLayout.gap } }
    if position < frozen {
      let start = (0..<position).first { span($0..<position + 1) <= width + ColumnLayout.gap }
      return (start ?? position)..<frozen
    }
    let room = width - min(widths[revealed], width / 2)
    let end = (0...frozen).last { span(0..<$0) <= room }
    return 0..<(end ?? 0)
  }

  /// Scrolls so that `column` is visible, as far as there is room.
  package mutating func reveal(_ column: Int, width: Int) {
    revealed = column
    guard let position = shown.firstIndex(of: column), position >= frozen else { return }
    first = min(firstInSight, position)
    while firstInSight < position, !isWhole(column, width: width) { first = firstInSight + 1 }
  }

  private func isWhole(_ column: Int, width: Int) -> Bool {
    slots(width: width).contains { $0.column == column && $0.width >= demand(of: column).least }
  }

  /// Gives a column the width that the user has chosen, which it keeps.
  package mutating func fix(_ width: Int, of column: Int) {
    guard widths.indices.contains(column) else { return }
    widths[column] = max(ColumnLayout.narrowest, width)
    fixed.insert(column)
    fit(into: room)
  }

  /// Hides a column; returns false for the last one shown.
  package mutating func hide(_ column: Int) -> Bool {
    guard shown.count > 1, let position = shown.firstIndex(of: column) else { return false }
    hidden.insert(column)
    if position < frozen { frozen -= 1 }
    fit(into: room)
    return true
  }

  mutating func show(only columns: [Int]) {
    hidden = Set(widths.indices).subtracting(columns)
    frozen = 0
    first = 0
    fit(into: room)
  }

  /// Moves some columns to the front, in the given order.
  mutating func putFirst(_ columns: [Int]) {
    for column in columns.reversed() {
      order.removeAll { $0 == column }
      order.insert(column, at: 0)
    }
  }

  /// Moves a column to the place right after the last of some others.
  mutating func put(_ column: Int, afterLastOf others: [Int]) {
    order.removeAll { $0 == column }
    order.insert(column, at: (order.lastIndex(where: others.contains) ?? order.count - 1) + 1)
  }

  /// Returns the shown columns on the left of a column, the nearest first, and then those on its right.
  func neighbors(of column: Int) -> [Int] {
    let shown = shown
    guard let position = shown.firstIndex(of: column) else { return shown }
    return shown[..<position].reversed() + shown[(position + 1)...]
  }

  /// Takes over the places and widths of the columns of a layout for the same columns.
  mutating func inherit(from before: ColumnLayout) {
    let awaitsMore = awaitsMore || before.awaitsMore
    self = before
    self.awaitsMore = awaitsMore
  }

  /// Takes over the places and widths that columns have in another layout, and which of them are hidden and frozen.
  ///
  /// - Parameter places: The index of each column in the other layout; nil for a new column, which follows the others.
  mutating func inherit(_ places: [Int?], from before: ColumnLayout) {
    let kept = places.enumerated().compactMap { index, place in place.map { ($0, index) } }
    let indexes = Dictionary(kept) { first, _ in first }
    order = before.order.compactMap { indexes[$0] } + places.indices.filter { places[$0] == nil }
    hidden = Set(before.hidden.compactMap { indexes[$0] })
    fixed = Set(before.fixed.compactMap { indexes[$0] })
    for (place, index) in kept { (needs[index], widths[index]) = (before.needs[place], before.widths[place]) }
    freeze(upTo: before.lastFrozen.flatMap { indexes[$0] })
    first = before.first
    fit(into: before.room)
  }

  package mutating func showAll() {
    let edge = lastFrozen
    hidden = []
    freeze(upTo: edge)
    fit(into: room)
  }

  mutating func show(_ column: Int) {
    let edge = lastFrozen
    hidden.remove(column)
    freeze(upTo: edge)
    fit(into: room)
  }

  /// Freezes the shown columns up to `column`, or unfreezes them if exactly these columns are frozen.
  ///
  /// Returns false, and freezes nothing, if they would leave too little room for the other columns.
  @discardableResult
  package mutating func toggleFreeze(upTo column: Int) -> Bool {
    let shown = shown
    guard let position = shown.firstIndex(of: column) else { return true }
    first = 0
    guard frozen != position + 1 else {
      frozen = 0
      return true
    }
    let taken = shown[...position].reduce(0) { $0 + widths[$1] + ColumnLayout.gap }
    guard room == 0 || taken + ColumnLayout.leastUnfrozen <= room else { return false }
    frozen = position + 1
    return true
  }

  /// The cells that frozen columns leave to the others.
  private static let leastUnfrozen = 12

  /// The last of the frozen columns; nil for none.
  private var lastFrozen: Int? { frozen > 0 && frozen <= shown.count ? shown[frozen - 1] : nil }

  private mutating func freeze(upTo column: Int?) {
    frozen = column.flatMap { shown.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  }
}
