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
      "    \"${COMP_WORDS[0]}\" \"${@}\" \"${words[@]}\" 2>/dev/null\n}\n\n\(bashNames)"
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

  /// Functions that add names from a database to the completions of bash.
  private static let bashNames = #"""
    # Adds lines quoted for the shell, which must not expand names from a database.
    #
    # Readline quotes names of files, but of other names it leaves "`" and "$(" as they are.
    __quarry_add_names() {
        local line name quote
        quote="$(__quarry_open_quote)"
        [[ "${quote}" != none ]] || return
        while IFS='' read -r line; do
            # In double quotes, history is expanded and no backslash is removed from "\!".
            [[ -n "${line}" && "${quote}${line}" != \"*!* ]] || continue
            name="${line}"
            __quarry_quote_name
            # bash 3 has no compopt, and readline quotes once more.
            [[ "${BASH_VERSINFO[0]}" -ge 4 || "${name}" == "${line}" ]] || continue
            compopt +o filenames 2>/dev/null
            COMPREPLY+=("${name}")
        done <<<"${1}"
    }

    # Prints the quote in which the cursor is, or nothing outside of quotes, or "none" if the quote does not begin a word.
    __quarry_open_quote() {
        local -r text="${COMP_LINE:0:COMP_POINT}"
        local character quote='' before=' ' place=' '
        local -i index
        for ((index = 0; index < ${#text}; index++)); do
            character="${text:index:1}"
            if [[ "${character}" == \\ && "${quote}" != \' ]]; then
                ((index++))
            elif [[ "${character}" == "${quote}" ]]; then
                quote=''
            elif [[ -z "${quote}" && "${character}" == [\'\"] ]]; then
                quote="${character}"
                place="${before}"
            fi
            before="${character}"
        done
        [[ -z "${quote}" || "${place}" == [[:space:]=:] ]] || quote=none
        printf %s "${quote}"
    }

    # Quotes `name` for the place of the cursor, which is in `quote`.
    __quarry_quote_name() {
        local character escaped
        case "${quote}" in
        \')
            escaped="'\\''"
            name=${name//\'/"${escaped}"}
            ;;
        \")
            for character in \\ \" \$ \`; do
                escaped="\\${character}"
                name=${name//"${character}"/"${escaped}"}
            done
            ;;
        *)
            printf -v name %q "${name}"
            name=${name//\\,/,}
            ;;
        esac
    }

    """#

  private static let zsh = [
    // zsh quotes matches for the current options: without banghist, it does not quote `!`.
    (
      "    emulate -RL zsh -G\n",
      "    local -i expands_history=0\n    [[ -o banghist ]] && expands_history=1\n    emulate -RL zsh -G\n"
    ),
    ("    unsetopt aliases banghist\n", "    unsetopt aliases banghist\n    (( expands_history )) && setopt banghist\n"),
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
