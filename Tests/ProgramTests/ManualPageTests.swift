import Foundation
import TestSupport
import Testing
import quarry

/// The pages of the manual, and the Markdown that they are written in.
@Suite(.gated) struct ManualPageTests {
  @Test func `every page of the folder is in the manual, and begins with its title`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/quarry/Manual/pages").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let pages = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    #expect(Manual.pages.sorted() == pages.sorted())
    #expect(Manual.pages.filter { !$0.hasPrefix("# ") } == [])
  }

  @Test func `pages name only declared lists, and each of them once`() {
    let names = Manual.pages.flatMap { $0.matches(of: #/\{\{(.*?)\}\}/#).map { String($0.1) } }
    #expect(names.sorted() == ManualList.allCases.map(\.rawValue).sorted())
  }

  @Test func `no markup is left in the manual`() {
    let markup = #/(?m)^  (?:- |#+ |```).*|.*(?:\{\{|\}\}|\*\*).*/#
    #expect(Manual(pages: Manual.pages).text.matches(of: markup).map { String($0.output) } == [])
    let faulty = Manual(pages: ["# Rows\n\n- `a` without a meaning\n\n### Deep\n\n{{nothing}}\n"]).text
    #expect(faulty.matches(of: markup).map { String($0.output) } == ["  - `a` without a meaning", "  ### Deep", "  {{nothing}}"])
  }

  @Test func `a page has a title, headings, paragraphs, code, entries and lists`() {
    let manual = Manual(pages: [
      """
      # Rows

      A paragraph
      of two lines.

      - `a: b`: what is typed: `a`
        and b
      - **topic**: another

      ```sh
      quarry \\

      # - `code`: {{code}}
      ```

      ## In order

      ```
      first
      ```

      ```
      second
      ```
      """, "# Exit status\n\nOne of these:\n\n{{exit-statuses}}\n",
    ])
    #expect(
      manual.text.hasPrefix(
        """
        ROWS
          A paragraph of two lines.

            a: b   what is typed: `a` and b
            topic  another

            quarry \\

            # - `code`: {{code}}

          In order
            first

            second

        EXIT STATUS
          One of these:

            0    Done.
            1    The
        """))
  }
}
