/// A complete HTML table in which values contain no markup.
///
/// Numbers have the class `number`. NULL and blobs are in a `<span>`, so that a style sheet can distinguish them from equal texts:
///
/// ```html
/// <table>
/// <thead>
/// <tr><th scope="col">id</th><th scope="col">title</th></tr>
/// </thead>
/// <tbody>
/// <tr><td class="number">1</td><td>Fish &amp; chips</td></tr>
/// <tr><td class="number">2</td><td><span class="null">NULL</span></td></tr>
/// </tbody>
/// </table>
/// ```
struct HTMLFormat: RowFormat {
  let columns: [String]

  func start(_ out: inout ByteBuffer) {
    out.append("<table>\n<thead>\n<tr>")
    for column in columns {
      var column = column
      out.append("<th scope=\"col\">")
      column.withUTF8 { Self.write(UnsafeRawBufferPointer($0), &out) }
      out.append("</th>")
    }
    out.append("</tr>\n</thead>\n<tbody>\n")
  }

  func finish(_ out: inout ByteBuffer, isEmpty: Bool) {
    out.append("</tbody>\n</table>\n")
  }

  func startRow(_ out: inout ByteBuffer, isFirst: Bool) {
    out.append("<tr>")
  }

  func endRow(_ out: inout ByteBuffer) {
    out.append("</tr>\n")
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {}

  func null(_ out: inout ByteBuffer) {
    out.append("<td><span class=\"null\">NULL</span></td>")
  }

  func integer(_ value: Int64, _ out: inout ByteBuffer) {
    out.append("<td class=\"number\">")
    out.append(decimal: value)
    out.append("</td>")
  }

  func real(_ value: Double, _ out: inout ByteBuffer) {
    out.append("<td class=\"number\">")
    out.append(real: value)
    out.append("</td>")
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append("<td>")
    Self.write(bytes, &out)
    out.append("</td>")
  }

  func blob(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append("<td><span class=\"blob\">")
    out.append(blobLiteral: bytes)
    out.append("</span></td>")
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&"): out.append("&amp;")
      case UInt8(ascii: "<"): out.append("&lt;")
      case UInt8(ascii: ">"): out.append("&gt;")
      case UInt8(ascii: "\""): out.append("&quot;")
      case UInt8(ascii: "\n"): out.append("<br>")
      case UInt8(ascii: "\r") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"): break
      // HTML cannot contain control characters, so their pictures are written.
      case ..<0x20 where byte != UInt8(ascii: "\t"): out.append([0xE2, 0x90, 0x80 + byte])
      case 0x7f: out.append([0xE2, 0x90, 0xA1])
      default: out.append(byte)
      }
    }
  }
}
