import QuarryEngine
import Terminal

/// A list narrowed by what is typed, from which one item is taken: commands, tables, columns, themes, formats.
struct Picker: Sendable {
  var title: String
  var placeholder: String
  var field = TextField()
  private var items: [PickerItem]
  /// The cells that the widest labels, details and trailing texts take, so that the list stays as wide while it is narrowed.
  private(set) var widths: Widths
  /// The items that match, the best first, with the characters that were matched.
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

  /// What is said where nothing matches.
  var emptyText: String

  /// What is done when another item comes under the cursor: a theme is shown.
  var preview: @Sendable (inout Browser, Int) -> Void = { _, _ in }
  /// What is done where the list is left without taking an item.
  var cancel: @Sendable (inout Browser) -> Void = { _ in }
  /// Begins what the list needs besides.
  var begin: @Sendable (inout Picker, inout ScreenContext<Picker>) -> Void = { _, _ in }
  /// Whether an item has been taken.
  private(set) var isTaken = false

  init(title: String, placeholder: String, items: [PickerItem], emptyText: String = "nothing of that name", cursor: Int = 0) {
    self.title = title
    self.placeholder = placeholder
    self.items = items
    func widest(_ text: (PickerItem) -> String) -> Int { items.map { TextWidth.columns(of: text($0)) }.max() ?? 0 }
    widths = Widths(label: widest(\.label), detail: widest(\.detail), trailing: widest(\.trailing))
    self.emptyText = emptyText
    matches = items.enumerated().map { Match(item: $1, index: $0, positions: []) }
    self.cursor = min(max(0, cursor), max(0, items.count - 1))
  }

  /// How many items there are, with those that do not match.
  var itemCount: Int { items.count }

  /// Whether an item is shown whole under the list.
  var hasPreviews: Bool { items.contains { !$0.preview.isEmpty } }

  var current: PickerItem? { matches.indices.contains(cursor) ? matches[cursor].item : nil }

  /// Takes the item under the cursor, or says why it cannot be taken.
  mutating func take(_ context: inout ScreenContext<Picker>) {
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

  /// Changes the text that narrows the list; returns false where `change` does.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = field.text
    guard change(&field) else { return false }
    if field.text != before { narrow() }
    return true
  }

  /// Shows something at the right of an item, by its index among all, that has come to be known of it.
  mutating func setTrailing(_ trailing: String, of index: Int) {
    items[index].trailing = trailing
    widths.trailing = max(widths.trailing, TextWidth.columns(of: trailing))
    for match in matches.indices where matches[match].index == index { matches[match].item.trailing = trailing }
  }

  private mutating func narrow() {
    let text = field.text
    let found = items.enumerated().compactMap { place, item -> (place: Int, score: Int, match: Match)? in
      if item.aliases.contains(text) { return (place, .max, Match(item: item, index: place, positions: [])) }
      if let match = FuzzyMatch(text, in: item.label) {
        return (place, match.score, Match(item: item, index: place, positions: match.positions))
      }
      guard text.count > 1, item.detail.lowercased().contains(text.lowercased()) else { return nil }
      return (place, Int.min, Match(item: item, index: place, positions: []))
    }
    matches = found.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map(\.match)
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
  /// Said beside the label, and searched too.
  var detail = ""
  /// Stands at the right: a key, a number.
  var trailing = ""
  var aliases: [String] = []
  /// Why it cannot be taken now; nil where it can.
  var reason: String?
  /// A text that is shown under the list while the item is the one under the cursor.
  var preview = ""
  /// What taking the item does.
  var perform: @Sendable (inout Browser) -> Void
}

/// How well a text matches what was typed: its letters in order, not necessarily side by side.
struct FuzzyMatch: Hashable, Sendable {
  /// Greater is better.
  let score: Int
  /// Which characters of the text were matched.
  let positions: [Int]

  /// Matches without regard to case; nil where a letter is missing.
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
    // Lowercasing may change the number of characters ("İ"); places are only known where it does not.
    guard letters.count == original.count else { return nil }
    let places = FuzzyMatch.places(of: wanted, in: letters)
    if let start = places.first(where: { FuzzyMatch.isWordStart(original, $0) }) ?? places.first {
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

  private static func places(of wanted: [Character], in letters: [Character]) -> [Int] {
    guard wanted.count <= letters.count else { return [] }
    return (0...(letters.count - wanted.count)).filter { letters[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  private static func isWordStart(_ text: [Character], _ index: Int) -> Bool {
    guard index > 0 else { return true }
    let before = text[index - 1]
    return !(before.isLetter || before.isNumber) || (before.isLowercase && text[index].isUppercase)
  }
}
