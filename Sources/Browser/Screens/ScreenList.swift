/// The screens that there are.
///
/// A new one is a folder and a line here.
enum ScreenList {
  static let all: [any Screen.Type] = [
    CatalogPane.self,
    RowsScreen.self,
    SQLPane.self,
    RecordScreen.self,
    DetailsScreen.self,
    Picker.self,
    PromptScreen.self,
    ParameterForm.self,
  ]

  /// What keymap, help, palette and README need of the commands of all screens.
  static var declarations: [CommandDeclaration] { all.flatMap { $0.declarations } }
}
