/// The list of all screens.
///
/// A new screen is a folder and a line in this list.
enum ScreenList {
  static let standard: [any Screen.Type] = [
    CatalogPane.self,
    RowsScreen.self,
    SQLPane.self,
    RecordScreen.self,
    DetailsScreen.self,
    AdviceScreen.self,
    Picker.self,
    PromptScreen.self,
    ParameterForm.self,
    CellEditor.self,
    ChangesScreen.self,
    CommitsScreen.self,
    UndoConflictsScreen.self,
    MergeScreen.self,
    CountsScreen.self,
    ProfileScreen.self,
    FacetsScreen.self,
    ChartScreen.self,
    MapScreen.self,
    SearchScreen.self,
    HealthScreen.self,
    ExportScreen.self,
    ImportScreen.self,
    DesignScreen.self,
    PathsScreen.self,
    SettingsScreen.self,
    DiffScreen.self,
    StartScreen.self,
    TourScreen.self,
  ]
}

/// The screens above the panes, the last one on top, and the guide below the panes.
package struct ScreenStack: Sendable {
  private var screens: [OpenScreen] = []
  /// The screen with its own area, while the other screens keep the focus; it stays open when they are closed.
  package private(set) var guide: OpenScreen?
  /// Whether the panel beside the rows on top of the stack has yielded the focus to the panes.
  var yieldsFocus = false
  /// The last assigned number; the panes have the first numbers.
  private var last = ScreenID.rows.number

  package var top: OpenScreen? { screens.last }
  package var isEmpty: Bool { screens.isEmpty }
  package var count: Int { screens.count }
  var ids: [ScreenID] { screens.map(\.id) }
  package var all: [OpenScreen] { screens }

  /// Pushes a screen onto the stack; returns its number.
  mutating func push(_ screen: some Screen) -> ScreenID {
    last += 1
    let id = ScreenID(number: last)
    let opened = OpenScreen(id: id, screen: screen, restoresYieldedFocus: yieldsFocus)
    if screen.placement.isPanel { yieldsFocus = false }
    if screen.placement == .guide { guide = opened } else { screens.append(opened) }
    return id
  }

  mutating func remove(_ id: ScreenID) {
    if let top, top.id == id, top.screen.placement.isPanel { yieldsFocus = top.restoresYieldedFocus && screens.count > 1 }
    screens.removeAll { $0.id == id }
    if guide?.id == id { guide = nil }
  }

  func contains(_ id: ScreenID) -> Bool { guide?.id == id || screens.contains { $0.id == id } }

  /// Changes a screen in place; returns nil if it has been closed.
  mutating func change<Result>(_ id: ScreenID, _ body: (inout any Screen) -> Result) -> Result? {
    if guide?.id == id, var screen = guide?.screen {
      defer { guide?.screen = screen }
      return body(&screen)
    }
    guard let index = screens.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&screens[index].screen)
  }
}
