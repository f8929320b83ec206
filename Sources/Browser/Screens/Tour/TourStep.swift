/// One of the things that the tour shows.
struct TourStep: Sendable {
  let title: String
  /// Two or three lines, in which `{find}` stands for the key of a command.
  let text: String
  /// What to press, written in the same way.
  let task: String
  /// The commands that do it, one after the other; each may be any of several.
  let commands: [[Command]]
  /// The table that it takes place in; nil for any.
  var table: String?
}

extension TourStep {
  /// The tables of the demo that the tour goes through.
  static let tables: Set<String> = ["events", "people", "reminders"]

  static let all: [TourStep] = reading + relating + writing
  /// How many there are, for whoever announces the tour.
  static var count: String { "\(all.count) steps" }

  private static let reading: [TourStep] = [
    TourStep(
      title: "Jump to a table",
      text: "The list on the left has the tables and views. From anywhere {jump-to-table} finds one by a few letters of its name.",
      task: "{jump-to-table}, type ev, Enter", commands: [[.jumpToTable], [.accept]]),
    TourStep(
      title: "Move in 100,000 rows",
      text:
        "Nothing is loaded first: the last row is as near as the next. Arrows and hjkl move, a number before {move-to-bottom} is a row's, "
        + "before {move-to-percent} a part of them all.",
      task: "{move-to-bottom}, then 50000{move-to-bottom}, then {move-to-top}", commands: [[.moveToBottom, .moveToPercent], [.moveToTop]],
      table: "events"),
    TourStep(
      title: "Filter",
      text:
        "The bar under the rows takes conditions, checked while you write: what is wrong is underlined, with the way out. Tab completes "
        + "columns and values. {drop-filter} drops the filter.",
      task: "{filter}, type seconds > 900 and kind ~ snoozed, Enter", commands: [[.filter, .filterColumn], [.accept]], table: "events"),
    TourStep(
      title: "Sort by two keys",
      text: "{sort-column} sorts by the column under the cursor, again to turn the order around. {sort-further} adds a further key, which "
        + "orders the rows that are equal in the first. {natural-order} gives the natural order back.",
      task:
        "{go-to-column}, type kind, Enter; {sort-column} {sort-column}; {go-to-column}, type sec, Enter; then {sort-further}",
      commands: [[.sortColumn], [.sortFurther]], table: "events"),
    TourStep(
      title: "Count values, and choose among them",
      text:
        "{count-values} counts the values of the column under the cursor; Enter there keeps the rows with one. {facets} shows all columns "
        + "with their most frequent values beside the rows: what is chosen narrows the others, and stands in the filter.",
      task: "{go-to-column}, type kind, Enter; {count-values}, Enter; then {facets}, Enter on a value, and {facets} again",
      commands: [[.includeValue], [.facets], [.toggleValue], [.facets]], table: "events"),
  ]

  private static let relating: [TourStep] = [
    TourStep(
      title: "Follow a foreign key, and come back",
      text:
        "A column marked with an arrow refers to another table. {go-to-column} goes to a column by name, {follow-foreign-key} to the row "
        + "that it refers to, {go-back} comes back. {referring-rows} shows who refers to a row.",
      task: "{go-to-column}, type pers, Enter; {follow-foreign-key}; {go-back}", commands: [[.followForeignKey], [.goBack]], table: "events"
    ),
    TourStep(
      title: "See a row whole",
      text:
        "A record has every value whole: JSON laid out, dates spelled out, bytes as bytes. ] and [ go to the next and the previous row.",
      task: "{open-record}, then Esc", commands: [[.openRecord], [.backOut, .close]], table: "reminders"),
    TourStep(
      title: "Copy as CSV or JSON",
      text: "{copy} copies a value, {copy-row} a row, {copy-as} the rows in a format: CSV, TSV, JSON, Markdown, INSERT. {select-rows} and "
        + "{select-cells} select first. On the command line `quarry rows` writes them to a file.",
      task: "{select-rows}, move down, {copy-as}, Enter", commands: [[.copyAs], [.accept, .backOut]], table: "reminders"),
  ]

  private static let writing: [TourStep] = [
    TourStep(
      title: "Change a value, and take it back",
      text:
        "What you type replaces the old value; an arrow edits it. {changes} shows what is staged and commits it: nothing is written before. "
        + "{new-row} adds a row, {delete-rows} deletes one, "
        + "{undo-change} takes the last change back. In a file of yours {commits} undoes what was committed.",
      task: "{go-to-column}, type title, Enter; {edit-cell}, write another title, Enter; then {undo-change}",
      commands: [[.editCell], [.accept], [.undoChange]], table: "reminders"),
    TourStep(
      title: "Write SQL; parameters ask for their values",
      text:
        "{edit-sql} opens the editor, Tab completes names, F5 runs the statement. One with :names asks for their values in a form first; "
        + "Alt-Down there offers some. Alt-s saves a statement, F9 lists those saved.",
      task: "{edit-sql}, type select * from reminders where priority >= :least, then F5, 2, Enter",
      commands: [[.runStatement, .runAll, .parameters], [.accept]]),
    TourStep(
      title: "Find your way",
      text: "{help} shows the keys of the place where you are, {palette} every command, also by other words for it: try export, or color, "
        + "which leads to the themes. The last line can be clicked.",
      task: "Esc to the rows, then {help} or {palette}", commands: [[.help, .palette, .chooseTheme]]),
  ]
}
