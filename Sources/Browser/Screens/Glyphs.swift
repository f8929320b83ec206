/// The marks on the screen that are no text, in Unicode or in plain ASCII.
public struct Glyphs: Hashable, Sendable {
  var vertical, horizontal, topLeft, topRight, bottomLeft, bottomRight: String
  var unfolded, folded, cursor, key, reference, null, ellipsis, dot, frozen, scrollLeft, scrollRight, wrapped, bar, prompt: String
  var right, wrong, lamp, ascending, descending: String

  public static let unicode = Glyphs(
    vertical: "│", horizontal: "─", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
    unfolded: "▾", folded: "▸", cursor: "▸", key: "◆", reference: "→", null: "∅", ellipsis: "…", dot: "·", frozen: "┃",
    scrollLeft: "‹", scrollRight: "›", wrapped: "↳", bar: "█", prompt: "›",
    right: "✓", wrong: "✗", lamp: "●", ascending: "▲", descending: "▼")

  public static let ascii = Glyphs(
    vertical: "|", horizontal: "-", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
    unfolded: "v", folded: ">", cursor: ">", key: "*", reference: ">", null: "NULL", ellipsis: "~", dot: "-", frozen: "#",
    scrollLeft: "<", scrollRight: ">", wrapped: "+", bar: "#", prompt: ">",
    right: "ok", wrong: "!!", lamp: "o", ascending: "^", descending: "v")
}
