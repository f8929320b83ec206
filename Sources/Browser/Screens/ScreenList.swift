/// The list of all screens.
///
/// A new screen is a folder and a line here.
enum ScreenList {
  static let standard: [any Screen.Type] = [
    CatalogPane.self,
    RowsScreen.self,
    SQLPane.self,
    RecordScreen.self,
    DetailsScreen.self,
    Picker.self,
    PromptScreen.self,
    ParameterForm.self,
  ]
}

/// The screens over the panes, the last on top.
struct ScreenStack: Sendable {
  private var screens: [OpenScreen] = []
  /// Whether the panel on top that lies beside the rows has left the keys to the panes.
  var hasLeftKeys = false
  /// The last number given; the panes have the first ones.
  private var last = ScreenID.rows.number

  var top: OpenScreen? { screens.last }
  var isEmpty: Bool { screens.isEmpty }
  var count: Int { screens.count }
  var ids: [ScreenID] { screens.map(\.id) }
  var all: [OpenScreen] { screens }

  /// Puts a screen on top; returns its number.
  mutating func push(_ screen: some Screen) -> ScreenID {
    last += 1
    let id = ScreenID(number: last)
    if screen.placement == .side { hasLeftKeys = false }
    screens.append(OpenScreen(id: id, screen: screen))
    return id
  }

  mutating func remove(_ id: ScreenID) {
    if top?.id == id, top?.screen.placement == .side { hasLeftKeys = false }
    screens.removeAll { $0.id == id }
  }

  mutating func removeAll() { (screens, hasLeftKeys) = ([], false) }

  func contains(_ id: ScreenID) -> Bool { screens.contains { $0.id == id } }

  /// Changes a screen in place; returns nil where it has been closed.
  mutating func change<Result>(_ id: ScreenID, _ body: (inout any Screen) -> Result) -> Result? {
    guard let index = screens.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&screens[index].screen)
  }
}
