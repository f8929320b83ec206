extension ThemeCatalog {
  /// The themes with where each lies, a line each: what `quarry themes` prints.
  ///
  /// The one in force has a mark.
  public func listing(chosen: String) -> String {
    let width = names.map(\.count).max() ?? 0
    return names.map { name in
      let padding = String(repeating: " ", count: width - name.count)
      return "\(name == chosen ? "*" : " ") \(name)\(padding)  \(place(of: name))\n"
    }.joined()
  }

  /// The default theme as a file, to begin one's own with.
  public static var defaultText: String { BuiltInThemes.text(of: BuiltInThemes.standard) ?? "" }

  private func place(of name: String) -> String {
    if case .file(let path)? = origin(of: name) { path } else { "built in" }
  }
}
