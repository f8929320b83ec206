import QuarryEngine
import Terminal

/// A list filtered by what is typed, from which one item is chosen: commands, tables, columns, themes, formats.
struct Picker: Sendable {
  var title: String
  var placeholder: String
  var field = TextField()
  private var items: [PickerItem]
  /// The widths of the widest labels, details and trailing texts, so that the list keeps its width while it is filtered.
  private(set) var widths: Widths
  /// The matching items, the best first, with the matched characters.
  private(set) var matches: [Match] = []
  private(set) var cursor = 0
  private(set) var top = 0
  var height = 1 {
    didSet { reveal() }
  }

  struct Widths: Hashable, Sendable {
    var label, detail, trailing: Int
  }

  struct Match: Sendable {
    /// The item, and its index among all.
    var item: PickerItem
    var index: Int
    var positions: [Int]
  }

  /// The message where nothing matches.
  var emptyText: String

  /// Whether the list keeps to the right edge, so that what it previews stays in sight.
  var isBeside = false
  /// Runs when another item comes under the cursor: shows a theme.
  var preview: @Sendable (inout Browser, Int) -> Void = { _, _ in }
  /// Runs when the list is closed without a choice.
  var cancel: @Sendable (inout Browser) -> Void = { _ in }
  /// Runs when the list opens.
  var begin: @Sendable (inout Picker, inout ScreenContext<Picker>) -> Void = { _, _ in }
  /// Whether an item has been chosen.
  private(set) var isTaken = false

  init(title: String, placeholder: String, items: [PickerItem], emptyText: String = "no match", cursor: Int = 0) {
    self.title = title
    self.placeholder = placeholder
    self.items = items
    func widest(_ text: (PickerItem) -> String) -> Int { items.map { TextWidth.columns(of: text($0)) }.max() ?? 0 }
    widths = Widths(label: widest(\.label), detail: widest(\.detail), trailing: widest(\.trailing))
    self.emptyText = emptyText
    matches = items.enumerated().map { Match(item: $1, index: $0, positions: []) }
    self.cursor = min(max(0, cursor), max(0, items.count - 1))
  }

  /// The number of items, with those that do not match.
  var itemCount: Int { items.count }

  /// Whether the item under the cursor is shown whole under the list.
  var hasPreviews: Bool { items.contains { !$0.preview.isEmpty } }

  var current: PickerItem? { matches.indices.contains(cursor) ? matches[cursor].item : nil }

  /// Chooses the item under the cursor, or reports why that is not possible.
  mutating func choose(_ context: inout ScreenContext<Picker>) {
    guard let item = current else { return }
    if let reason = item.reason { return context.notify(reason, .warning) }
    isTaken = true
    context.close()
    context.afterwards(item.perform)
  }

  mutating func move(by count: Int) {
    cursor = min(max(cursor + count, 0), max(0, matches.count - 1))
    reveal()
  }

  mutating func select(_ index: Int) {
    move(by: index - cursor)
  }

  /// Changes the filter text; returns false where `change` does.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = field.text
    guard change(&field) else { return false }
    if field.text != before { narrow() }
    return true
  }

  /// Shows a text at the right of an item, by its index among all.
  mutating func setTrailing(_ trailing: String, of index: Int) {
    items[index].trailing = trailing
    widths.trailing = max(widths.trailing, TextWidth.columns(of: trailing))
    for match in matches.indices where matches[match].index == index { matches[match].item.trailing = trailing }
  }

  private mutating func narrow() {
    let text = field.text
    let found = items.enumerated().compactMap { index, item -> (index: Int, score: Int, match: Match)? in
      if item.aliases.contains(text) { return (index, .max, Match(item: item, index: index, positions: [])) }
      if let match = FuzzyMatch(text, in: item.label) {
        return (index, match.score, Match(item: item, index: index, positions: match.positions))
      }
      guard text.count > 1, item.detail.lowercased().contains(text.lowercased()) else { return nil }
      return (index, Int.min, Match(item: item, index: index, positions: []))
    }
    matches = found.sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.match)
    cursor = 0
    top = 0
  }

  private mutating func reveal() {
    top = max(min(top, cursor), cursor - height + 1, 0)
  }
}

/// One item of a picker.
struct PickerItem: Sendable {
  var label: String
  /// Text beside the label, which is searched too.
  var detail = ""
  /// Text at the right: a key, a number.
  var trailing = ""
  var aliases: [String] = []
  /// Why it cannot be chosen now; nil where it can.
  var reason: String?
  /// A text shown under the list while the item is under the cursor.
  var preview = ""
  /// Runs when the item is chosen.
  var perform: @Sendable (inout Browser) -> Void
}

/// How well a text matches a pattern: its letters in order, not necessarily adjacent.
struct FuzzyMatch: Hashable, Sendable {
  /// Greater is better.
  let score: Int
  /// The matched characters of the text.
  let positions: [Int]

  /// Matches regardless of case; nil where a letter is missing.
  ///
  /// An empty pattern matches everything alike.
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
