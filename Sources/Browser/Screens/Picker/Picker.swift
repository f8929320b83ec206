import QuarryEngine
import Terminal

/// A list to choose one item from, filtered by the typed text: commands, tables, columns, themes, formats.
package struct Picker: Sendable {
  var title: String
  var placeholder: String
  var field = TextField()
  private var items: [PickerItem]
  /// The widths of the widest labels, details and trailing texts of all items.
  ///
  /// The width of the list therefore does not change while it is filtered.
  private(set) var widths: Widths
  /// The matching items, best match first, with the matched characters.
  package private(set) var matches: [Match] = []
  private(set) var cursor = 0
  /// The lines of the list, from top to bottom; each section begins with its title if the list is not filtered.
  private(set) var lines: [Line] = []
  /// The index of the first visible line.
  private(set) var top = 0
  package var height = 1 {
    didSet { reveal() }
  }

  struct Widths: Hashable, Sendable {
    var label, detail, trailing: Int
  }

  enum Line: Hashable, Sendable {
    case heading(String)
    /// A match, by its index.
    case match(Int)
  }

  package struct Match: Sendable {
    /// The item, and its index in the unfiltered list.
    package var item: PickerItem
    var index: Int
    var positions: [Int]
  }

  /// The text above the list, if there is room for it.
  var introduction = ""
  /// The text shown if nothing matches.
  var emptyText: String

  /// Whether all details begin in the same column, even if that cuts a label whose detail is short.
  var alignsDetails = false
  /// Whether the list is aligned to the right edge, so that its preview stays visible.
  var isBeside = false
  /// The handler that runs when the cursor moves to another item: it shows a theme.
  var preview: Handler<Int>?
  /// The follow-up that runs when the list is closed without a choice.
  var cancel = FollowUp.nothing
  /// Returns the follow-up that replaces the list once the text names a command with an argument: `diff `; nil for any other text.
  var argument: @Sendable (String) -> FollowUp? = { _ in nil }
  /// The function that runs when the list opens.
  var begin: @Sendable (inout Picker, inout ScreenContext<Picker>) -> Void = { _, _ in }
  /// Whether an item has been chosen.
  private(set) var isTaken = false

  package init(title: String, placeholder: String, items: [PickerItem], emptyText: String = "no match", cursor: Int = 0) {
    self.title = title
    self.placeholder = placeholder
    self.items = items
    func widest(_ text: (PickerItem) -> String) -> Int { items.map { TextWidth.columns(of: text($0)) }.max() ?? 0 }
    widths = Widths(label: widest(\.label), detail: widest(\.detail), trailing: widest(\.trailing))
    self.emptyText = emptyText
    matches = found()
    self.cursor = min(max(0, cursor), max(0, matches.count - 1))
    layLines()
    fullCount = lines.count
  }

  /// The number of lines in the unfiltered list.
  private(set) var fullCount = 0

  /// Whether the item under the cursor is shown in full below the list.
  var hasPreviews: Bool { items.contains { !$0.preview.isEmpty } }

  var current: PickerItem? { matches.indices.contains(cursor) ? matches[cursor].item : nil }

  /// Chooses the item under the cursor, or reports the reason why it is not available.
  mutating func choose(_ context: inout ScreenContext<Picker>) {
    guard let item = current else { return }
    if let reason = item.reason { return context.notify(reason, .warning) }
    isTaken = true
    context.close()
    context.then(item.perform)
  }

  /// Closes the list if the text names a command with an argument.
  mutating func takeArgument(_ context: inout ScreenContext<Picker>) {
    guard let next = argument(field.text) else { return }
    isTaken = true
    context.close()
    context.then(next)
  }

  mutating func move(by count: Int) {
    cursor = min(max(cursor + count, 0), max(0, matches.count - 1))
    reveal()
  }

  mutating func select(_ index: Int) {
    move(by: index - cursor)
  }

  /// Changes the filter text; returns false if `change` does.
  package mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = field.text
    guard change(&field) else { return false }
    if field.text != before { narrow() }
    return true
  }

  /// Sets the text at the right of an item.
  ///
  /// - Parameter index: The index of the item in the unfiltered list.
  mutating func setTrailing(_ trailing: String, of index: Int) {
    items[index].trailing = trailing
    widths.trailing = max(widths.trailing, TextWidth.columns(of: trailing))
    for match in matches.indices where matches[match].index == index { matches[match].item.trailing = trailing }
  }

  private mutating func narrow() {
    matches = found()
    cursor = 0
    top = 0
    layLines()
  }

  /// Returns the items that match the typed text, the best first.
  ///
  /// Items that cannot be chosen come last, except for an item whose whole name was typed.
  private func found() -> [Match] {
    let text = field.text
    guard !field.isEmpty else {
      return items.enumerated().filter { !$1.isOnlyFound }.map { Match(item: $1, index: $0, positions: []) }
    }
    let found = items.enumerated().compactMap { place, item in
      item.match(text).map { (place: place, score: $0.score, match: Match(item: $0.item, index: place, positions: $0.positions)) }
    }
    func rank(_ item: PickerItem, _ score: Int) -> Int { item.isOnlyFound && score < PickerItem.wholeName ? 1 : 0 }
    return found.sorted {
      (rank($0.match.item, $0.score), $1.score, $0.place) < (rank($1.match.item, $1.score), $0.score, $1.place)
    }.map(\.match)
  }

  private mutating func layLines() {
    lines = []
    for (index, match) in matches.enumerated() {
      let section = match.item.section
      if field.isEmpty, !section.isEmpty, index == 0 || matches[index - 1].item.section != section { lines.append(.heading(section)) }
      lines.append(.match(index))
    }
  }

  /// Scrolls to the cursor, and to the title of its section if the cursor is on the first item.
  private mutating func reveal() {
    let line = lines.firstIndex(of: .match(cursor)) ?? 0
    var first = line
    while first > 0, case .heading = lines[first - 1] { first -= 1 }
    top = max(min(top, first), line - height + 1, 0)
  }
}

/// One item of a picker.
package struct PickerItem: Sendable {
  package var label: String
  /// The role of the label: keys have their own color.
  var role = Role.text
  /// The text beside the label, which is also searched.
  var detail = ""
  /// The text at the right: a key, a number.
  var trailing = ""
  /// Synonyms that the item is also found by.
  var aliases: [String] = []
  /// The text beside the label for each related word, if the item is found by that word.
  var notes: [String: String] = [:]
  /// The title of the section in the unfiltered list.
  var section = ""
  /// The reason why the item is not available; nil if it is.
  package var reason: String?
  /// Whether it is listed only when the typed text finds it.
  var isOnlyFound = false
  /// The text shown below the list while the item is under the cursor.
  var preview = ""
  /// The follow-up that runs when the item is chosen.
  var perform = FollowUp.nothing
}

extension PickerItem {
  /// The score of an item whose label was typed in full.
  fileprivate static let wholeName = Int.max

  /// Returns the score of the item for a text, and the item as it is shown then; nil if it does not match.
  ///
  /// It matches synonyms and related words, the letters of the label, and the words of the label and the detail.
  fileprivate func match(_ text: String) -> (item: PickerItem, score: Int, positions: [Int])? {
    let wanted = text.lowercased().split(separator: " ").joined(separator: " ")
    if label.lowercased() == wanted { return (self, Self.wholeName, Array(0..<label.count)) }
    if aliases.contains(wanted) { return (self, .max - 1, []) }
    if let note = notes[wanted] { return (noted(note), 1_800, []) }
    let byLabel = FuzzyMatch(text, in: label).map { (item: self, score: $0.score, positions: $0.positions) }
    if let byLabel, byLabel.score >= FuzzyMatch.together { return byLabel }
    if wanted.count > 1 {
      if aliases.contains(where: { $0.hasPrefix(wanted) }) { return (self, FuzzyMatch.together - 100, []) }
      if let note = notes.first(where: { $0.key.hasPrefix(wanted) })?.value { return (noted(note), FuzzyMatch.together - 200, []) }
    }
    if let byLabel { return byLabel }
    let said = ([label, detail] + aliases).joined(separator: " ").lowercased()
    guard wanted.count > 1, wanted.split(separator: " ").allSatisfy({ said.contains($0) }) else { return nil }
    return (self, .min, [])
  }

  private func noted(_ note: String) -> PickerItem {
    var item = self
    item.detail = note
    return item
  }
}

/// The match of a text with a pattern: the letters of the pattern in order, not necessarily adjacent.
struct FuzzyMatch: Hashable, Sendable {
  /// The score; a greater one is better.
  let score: Int
  /// The matched characters of the text.
  let positions: [Int]

  /// The least score of adjacent letters, except for the deduction for a long text.
  static let together = 900

  /// Matches a pattern without regard to case; nil if a letter is missing.
  ///
  /// An empty pattern matches every text with the same score.
  init?(_ pattern: String, in text: String) {
    let wanted = Array(pattern.lowercased().filter { !$0.isWhitespace })
    let original = Array(text)
    let letters = Array(text.lowercased())
    guard !wanted.isEmpty else {
      (score, positions) = (0, [])
      return
    }
    // Lowercasing may change the number of characters ("İ"), which would invalidate the positions.
    guard letters.count == original.count else { return nil }
    let starts = FuzzyMatch.starts(of: wanted, in: letters)
    if let start = starts.first(where: { FuzzyMatch.isWordStart(original, $0) }) ?? starts.first {
      positions = Array(start..<(start + wanted.count))
      let isWhole = wanted.count == letters.count
      score = 1_000 + (isWhole ? 1_000 : start == 0 ? 500 : FuzzyMatch.isWordStart(original, start) ? 250 : 0) - letters.count
      return
    }
    var found: [Int] = []
    var total = 0
    for (index, letter) in letters.enumerated() where found.count < wanted.count && letter == wanted[found.count] {
      total += FuzzyMatch.isWordStart(original, index) ? 20 : 0
      total += found.last == index - 1 ? 15 : 0
      found.append(index)
    }
    guard found.count == wanted.count else { return nil }
    positions = found
    score = total - letters.count
  }

  private static func starts(of wanted: [Character], in letters: [Character]) -> [Int] {
    guard wanted.count <= letters.count else { return [] }
    return (0...(letters.count - wanted.count)).filter { letters[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  private static func isWordStart(_ text: [Character], _ index: Int) -> Bool {
    guard index > 0 else { return true }
    let before = text[index - 1]
    return !(before.isLetter || before.isNumber) || (before.isLowercase && text[index].isUppercase)
  }
}
