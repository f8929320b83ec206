internal import Essentials

/// The completion scripts of the parser, extended for the full screen and for names from databases.
///
/// The parser does not complete the arguments of a verb that is omitted, and in bash it lets the shell expand names: a table named `$(x)`
/// would run a program.
package enum CompletionScript {
  /// The word in front of a request of a completion script.
  static let request = "---completion"

  /// Returns whether the words are a valid request of a completion script.
  ///
  ///     ---completion rows -- positional@1 3 0 quarry rows app.db ''
  static func isValidRequest(_ words: [String]) -> Bool {
    guard let end = words.firstIndex(of: "--"), words.count > end + 3 else { return false }
    return words[(end + 2)...(end + 3)].allSatisfy { Int($0).map { $0 >= 0 } ?? false }
  }

  /// Returns a script with the extensions; another text is returned unchanged.
  package static func extended(_ text: String, verbs: [String]) -> String {
    if text.hasPrefix("#!/bin/bash") { return replacing(bash, in: text) }
    if text.hasPrefix("#compdef") { return replacing(zsh, in: text) }
    return text.hasPrefix("function __quarry_") ? replacing(fish(verbs), in: text) : text
  }

  private static func replacing(_ changes: [(old: String, new: String)], in text: String) -> String {
    changes.reduce(text) { $0.replacing($1.old, with: $1.new) }
  }

  private static let bash = [
    ("__quarry_add_completions -W \"$(__quarry_custom_complete", "__quarry_add_names \"$(__quarry_custom_complete"),
    (
      "    \"${COMP_WORDS[0]}\" \"${@}\" \"${words[@]}\"\n}\n",
      """
          "${COMP_WORDS[0]}" "${@}" "${words[@]}" 2>/dev/null
      }

      # Adds lines as they are: the shell must not expand names from a database.
      __quarry_add_names() {
          local name
          while IFS='' read -r name; do
              [[ -n "${name}" ]] && COMPREPLY+=("${name}")
          done <<<"${1}"
      }

      """
    ),
    (
      "        # Offer subcommand completions\n        COMPREPLY+=",
      """
              # Offer verbs as the first word
              [[ "${#unparsed_words[@]}" -eq 0 && "${prev}" != -* ]] && COMPREPLY+=
      """
    ),
    // The list of verbs is followed by the end of the last branch.
    (
      " -- \"${cur}\"))\n        ;;\n    esac\n}\n\n_quarry_browse",
      " -- \"${cur}\"))\n        _quarry_browse\n        ;;\n    esac\n}\n\n_quarry_browse"
    ),
  ]

  private static let zsh = [
    ("\"${command_name}\" \"${@}\" \"${command_line[@]}\"", "\"${command_name}\" \"${@}\" \"${command_line[@]}\" 2>/dev/null"),
    (
      "        _describe -V subcommand subcommands && ret=0\n",
      "        _describe -V subcommand subcommands && ret=0\n        _files && ret=0\n"
    ),
    (
      "            \"_quarry_${words[1]}\" && ret=0\n            ;;\n",
      "            \"_quarry_${words[1]}\" && ret=0\n            ;;\n        *)\n            _quarry_browse && ret=0\n            ;;\n"
    ),
  ]

  private static func fish(_ verbs: [String]) -> [(old: String, new: String)] {
    [
      // The position of the cursor, which the program does not need, is known only on a terminal.
      (" (__quarry_tokens -tC)", " 0"),
      ("    command $tokens[1] $argv $tokens\n", "    command $tokens[1] $argv $tokens 2>/dev/null\n"),
      (
        "        switch $unparsed_tokens[1]\n        case 'browse'\n",
        """
                if set -q unparsed_tokens[1]; and not contains -- $unparsed_tokens[1] \(verbs.joined(separator: " "))
                    set -p unparsed_tokens browse
                end
                switch $unparsed_tokens[1]
                case 'browse'

        """
      ),
      (
        "complete -c 'quarry' -f\n",
        "complete -c 'quarry' -f\ncomplete -c 'quarry' -n '__quarry_should_offer_completions_for_positional \"quarry\" -eq 1' -F\n"
      ),
    ]
  }
}
