import QuarryEngine
import Terminal

/// The columns of a grid: which are shown, how wide, which are frozen, and how far the others are scrolled.
struct ColumnLayout: Hashable, Sendable {
  /// Cells between two columns.
  static let gap = 2
  /// The greatest width that a key or a number takes by itself.
  static let widest = 40
  static let narrowest = 3

  /// What a column would like to have.
  struct Need: Hashable, Sendable {
    /// The cells that its header and its values at hand take.
    var width: Int
    /// Whether its values may be cut, as texts are: keys and numbers are shown whole.
    var canBeCut: Bool
    /// Whether they are cut at the edge of the screen alone, as dates are.
    var isCutLast = false
    /// The cells that it takes with the name of its type whole, where there is room to spare.
    var wish = 0
  }

  /// The width of every column, hidden ones too, in cells.
  private(set) var widths: [Int]
  private var needs: [Need]
  /// The cells that the columns were fitted into last.
  private var room = 0
  private(set) var hidden: Set<Int> = []
  /// The indexes of all columns, hidden ones too, from left to right.
  private var order: [Int]
  /// The number of shown columns that always stay on the left.
  private(set) var frozen = 0
  /// The first of the other shown columns that is in sight, as a position among the shown.
  private var first = 0
  /// The column that has to be in sight, the cursor's.
  private var revealed: Int?
  /// The columns whose width the person has set.
  private(set) var fixed: Set<Int> = []

  init(needs: [Need]) {
    self.needs = needs
    widths = needs.map(\.width)
    order = Array(widths.indices)
  }

  // MARK: Sharing the room

  /// Shares `room` cells among the shown columns: each gets what it needs, and where that is too much, the longest texts are cut first.
  ///
  /// Where not all columns fit however much the texts are cut, they are cut to a fair share, and the others are scrolled to.
  mutating func fit(into room: Int) {
    self.room = room
    let shown = shown
    let gaps = ColumnLayout.gap * max(0, shown.count - 1)
    let cut = shown.filter { canBeCut($0) && !fixed.contains($0) }
    let whole = shown.filter { !canBeCut($0) || fixed.contains($0) }
    for column in whole where !fixed.contains(column) { widths[column] = min(ColumnLayout.widest, needs[column].width) }
    let left = room - gaps - whole.reduce(0) { $0 + widths[$1] }
    let cap = max(ColumnLayout.fairShare(of: room), ColumnLayout.cap(of: cut.map { needs[$0].width }, within: left))
    for column in cut { widths[column] = max(ColumnLayout.narrowest, min(cap, needs[column].width)) }
    grantWishes(of: shown.filter { !fixed.contains($0) }, within: room - gaps - shown.reduce(0) { $0 + widths[$1] })
  }

  /// Gives what room is left to columns whose type is cut, from left to right.
  private mutating func grantWishes(of columns: [Int], within room: Int) {
    var room = room
    for column in columns where room > 0 {
      let more = min(room, max(0, needs[column].wish - widths[column]))
      widths[column] += more
      room -= more
    }
  }

  /// Returns the cells that a long text keeps where there is not enough room for all columns.
  private static func fairShare(of room: Int) -> Int { min(ColumnLayout.widest, max(19, room / 5)) }

  /// Returns the greatest width to which texts can be cut so that together they take no more than `room`.
  private static func cap(of widths: [Int], within room: Int) -> Int {
    var rest = room
    for (index, width) in widths.sorted().enumerated() {
      let share = rest / (widths.count - index)
      if width > share { return share }
      rest -= width
    }
    return Int.max
  }

  /// Raises what a column needs to the width of a value that has come into sight; never lowers it, so that nothing moves to and fro.
  mutating func raise(to width: Int, of column: Int) {
    guard needs.indices.contains(column), width > needs[column].width else { return }
    needs[column].width = width
  }

  /// Takes other needs, where the values are shown in another way.
  mutating func replaceNeeds(_ needs: [Need]) {
    self.needs = needs
    fit(into: room)
  }

  /// The cells that are left when every shown column has what it needs; negative where some do not.
  var spare: Int {
    let shown = shown
    return room - shown.reduce(0) { $0 + needs[$1].width } - ColumnLayout.gap * max(0, shown.count - 1)
  }

  /// Returns whether a column's values may be cut for the sake of others.
  func canBeCut(_ column: Int) -> Bool { needs[column].canBeCut && !needs[column].isCutLast }

  // MARK: What is in sight

  /// The indexes of the columns that are not hidden, from left to right.
  var shown: [Int] { order.filter { !hidden.contains($0) } }

  /// A column on the screen.
  struct Slot: Hashable {
    var column: Int
    /// The first cell, counted from the left of the grid.
    var offset: Int
    var width: Int
    var isFrozen: Bool
  }

  /// A column that has less room than this at the right edge is not shown: it would hold little but the mark of what is cut.
  private static let leastShown = 5

  /// Returns the cells without which a column is not shown at the right edge: a number is shown whole or not at all.
  private func least(of column: Int) -> Int {
    needs[column].canBeCut || column == revealed ? min(widths[column], ColumnLayout.leastShown) : widths[column]
  }

  /// Returns the columns in sight within `width` cells; the last may be cut.
  func slots(width: Int) -> [Slot] {
    let shown = shown
    var slots: [Slot] = []
    var offset = 0
    let frozenPositions = frozenInSight(width: width)
    for (position, column) in shown.enumerated() where frozenPositions.contains(position) || position >= firstInSight {
      guard offset < width, slots.isEmpty || width - offset >= least(of: column) else { break }
      slots.append(Slot(column: column, offset: offset, width: min(widths[column], width - offset), isFrozen: position < frozen))
      offset += widths[column] + ColumnLayout.gap
    }
    return slots
  }

  /// Whether shown columns lie out of sight on the left, behind the frozen ones.
  var isScrolled: Bool { firstInSight > frozen }

  /// Returns whether shown columns lie out of sight on the right.
  func continues(width: Int) -> Bool {
    guard let last = slots(width: width).last else { return false }
    return last.column != shown.last || last.width < widths[last.column]
  }

  private var firstInSight: Int { max(first, frozen) }

  /// Returns the frozen columns in sight, as positions among the shown: as many as leave room for the revealed column.
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

  /// Scrolls so that `column` is in sight, as far as there is room.
  mutating func reveal(_ column: Int, width: Int) {
    revealed = column
    guard let position = shown.firstIndex(of: column), position >= frozen else { return }
    first = min(firstInSight, position)
    while firstInSight < position, !isWhole(column, width: width) { first = firstInSight + 1 }
  }

  private func isWhole(_ column: Int, width: Int) -> Bool {
    slots(width: width).contains { $0.column == column && $0.width == widths[column] }
  }

  /// Gives a column the width that a person has chosen, which it keeps.
  mutating func fix(_ width: Int, of column: Int) {
    guard widths.indices.contains(column) else { return }
    widths[column] = max(ColumnLayout.narrowest, width)
    fixed.insert(column)
    fit(into: room)
  }

  /// Hides a column; returns false for the last one shown.
  mutating func hide(_ column: Int) -> Bool {
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

  /// Moves a column to the place right after another one.
  mutating func put(_ column: Int, after other: Int) {
    order.removeAll { $0 == column }
    order.insert(column, at: (order.firstIndex(of: other) ?? order.count - 1) + 1)
  }

  /// Takes over the places and widths that the first columns have in another layout, and which of them are hidden and frozen.
  mutating func inherit(_ count: Int, from before: ColumnLayout) {
    order = before.order.filter { $0 < count } + Array(count..<widths.count)
    hidden = before.hidden.filter { $0 < count }
    fixed = before.fixed.filter { $0 < count }
    for column in 0..<count { (needs[column], widths[column]) = (before.needs[column], before.widths[column]) }
    freeze(upTo: before.lastFrozen)
    first = before.first
    fit(into: before.room)
  }

  mutating func showAll() {
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

  /// Freezes the shown columns up to `column`, or unfreezes them where just these are frozen.
  ///
  /// Returns false, and freezes nothing, where they would leave too little room for the others.
  @discardableResult
  mutating func toggleFreeze(upTo column: Int) -> Bool {
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
