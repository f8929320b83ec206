internal import ArgumentParser
internal import Essentials
internal import Libc
internal import QuarryEngine

/// The words of a command line that a shell completes.
package struct CompletionWords {
  /// The words before the current one, without the program.
  let earlier: [String]
  /// The current word, as far as it is typed.
  let current: String

  /// Creates the words from those of a shell, which still have their quotes.
  ///
  /// - Parameter index: The index of the current word; the program is the word 0.
  package init(_ words: [String], index: Int) {
    let texts = words.map(Self.unquoted)
    earlier = Array(texts.prefix(max(0, index)).dropFirst())
    current = texts.indices.contains(index) ? texts[index] : ""
  }

  /// The file whose names complete the word, and the words after it: the first database, else the first CSV or JSON file.
  ///
  /// Addresses on other machines are ignored, because a completion never uses the network.
  var file: (path: String, isDatabase: Bool, later: [String])? {
    let files = earlier.indices.filter { Self.isRegularFile(earlier[$0]) }
    let database = files.first { Self.isDatabase(earlier[$0]) }
    guard let index = database ?? files.first(where: mayBeData) else { return nil }
    return (earlier[index], database != nil, Array(earlier[(index + 1)...]))
  }

  /// Returns whether a file can be one with rows: SQL and written files are not.
  private func mayBeData(_ index: Int) -> Bool {
    !earlier[index].lowercased().hasSuffix(".sql") && (index == 0 || !["-o", "--output", "-f", "--file"].contains(earlier[index - 1]))
  }

  /// Returns the word after the last of some options.
  func value(of options: [String]) -> String? {
    guard let index = earlier.lastIndex(where: options.contains), earlier.indices.contains(index + 1) else { return nil }
    // bash splits --table=Name at the equals sign.
    let value = earlier[index + 1]
    return value == "=" ? earlier.dropFirst(index + 2).first : value
  }

  /// The options for reading CSV and JSON files, without invalid ones.
  var dataOptions: DataFileOptions {
    let given = ["--header", "--separator", "--skip", "--comment", "--encoding"].flatMap { option -> [String] in
      guard let words = value(of: [option]).map({ [option, $0] }), (try? DataFileOptions.parse(words)) != nil else { return [] }
      return words
    }
    return (try? DataFileOptions.parse(given)) ?? DataFileOptions()
  }

  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return PathText.withPath(path, { stat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isDatabase(_ path: String) -> Bool {
    (try? OpenFile.contents(of: path, limit: DatabaseFile.beginning.count)) == DatabaseFile.beginning
  }

  /// Returns a word without the quotes and escapes of a POSIX shell, and with `~` expanded.
  static func unquoted(_ word: String) -> String {
    var (text, quote, isEscaped) = ("", Character?.none, false)
    for character in word {
      switch (character, quote) {
      case _ where isEscaped:
        // In double quotes a backslash escapes only these.
        if quote != nil, !"\"\\$`".contains(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
      case ("\\", nil), ("\\", "\""): isEscaped = true
      case ("'", nil), ("\"", nil): quote = character
      case (_, let open?) where character == open: quote = nil
      default: text.append(character)
      }
    }
    guard word.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return text }
    return home + text.dropFirst()
  }
}
