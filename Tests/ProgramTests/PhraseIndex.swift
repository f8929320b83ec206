/// Phrases by their first words, for searches in long texts.
struct PhraseIndex {
  private var byFirstWord: [Substring: [[Substring]]] = [:]

  init(_ phrases: [String]) {
    for phrase in Set(phrases) {
      let words = phrase.split(separator: " ")
      byFirstWord[words[0], default: []].append(words)
    }
  }

  /// Returns the phrases that occur in a text, ignoring case and punctuation.
  func phrases(in text: String) -> [String] {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    var found: [String] = []
    for (index, word) in words.enumerated() {
      for phrase in byFirstWord[word] ?? [] where words[index...].starts(with: phrase) {
        found.append(phrase.joined(separator: " "))
      }
    }
    return found
  }
}
