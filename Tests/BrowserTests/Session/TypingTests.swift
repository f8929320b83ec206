import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

/// Characters that come faster than they are met are put in together, and come to the same as one by one.
@Suite(.gated) struct TypingTests {
  private func events(_ text: String) -> [Event] { text.map { .key($0 == "\r" ? Key(.enter) : Key($0)) } }

  @Test func `characters in a row are one message, and other events stand between them`() {
    let messages = Message.messages(of: events("ab\rc") + [.paste("x"), .key(Key("d", .control))] + events("ef"))
    let words = messages.map { message in
      switch message {
      case .typed(let text): text
      case .eventArrived(.key(let key)): "\(key.code) \(key.modifiers.rawValue)"
      default: "another"
      }
    }
    #expect(words == ["ab", "enter 0", "character(\"c\") 0", "another", "character(\"d\") 4", "ef"])
  }

  @Test(arguments: ["/song 12", "&length > 3 and title ~ song", ":copy", "3jlfoo", "zhjjgg/x", "\u{10}best"])
  func `what is typed at once comes to the same as key by key`(_ text: String) {
    var (slow, fast) = (BrowserFixture.openBrowser(), BrowserFixture.openBrowser())
    let keys = text.map { $0 == "\u{10}" ? Event.key(Key("p", .control)) : .key(Key($0)) }
    let slowly = keys.flatMap { slow.update(.eventArrived($0)) }
    let quickly = Message.messages(of: keys).flatMap { fast.update($0) }
    #expect(fast.screen == slow.screen)
    #expect(fast.notice == slow.notice)
    #expect(quickly.last?.work == slowly.last?.work)
  }

  @Test func `the editor takes a text at once with the same steps to undo`() {
    var (slow, fast) = (EditorPane(), EditorPane())
    let text = "select  a, b from t where x = 1"
    for character in text { _ = slow.handle(Key(character)) }
    fast.type(text)
    #expect(fast.text == text && slow.text == text)
    while slow.undo() {
      let isUndone = fast.undo()
      #expect(isUndone)
      #expect(fast.text == slow.text)
    }
    let isMore = fast.undo()
    #expect(!isMore)
  }

  @Test func `a long text is looked at once, and not for each of its characters`() {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    let effects = browser.update(.typed(String(repeating: "abc ", count: 1_000)))
    #expect(effects.requests(CheckView.self).count == 1)
  }

  @Test func `a line holds so much and says what it leaves out`() {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    _ = browser.update(.typed(String(repeating: "x", count: 80_000)))
    #expect(browser.rows.filter.bar.field.characters.count == 10_000)
    #expect(browser.notice?.text.contains("70,000") == true)
    _ = browser.update(.eventArrived(.paste("more")))
    #expect(browser.notice?.text.contains("the last 4 were cut off") == true)
  }

  @Test func `a key copies none of the lines of a long text`() {
    var browser = BrowserFixture.openBrowser()
    browser.press("f4")
    _ = browser.update(.eventArrived(.paste(String(repeating: "select 1;\n", count: 5_000))))
    // With room for some more lines.
    browser.press("enter")
    let place = browser.sql.editor.buffer.lines.withUnsafeBufferPointer(\.baseAddress)
    browser.type("abc")
    browser.press("enter")
    browser.press("backspace")
    #expect(browser.sql.editor.buffer.lines.withUnsafeBufferPointer(\.baseAddress) == place)
  }

  @Test func `lines typed at once are put together for the next start once`() {
    var browser = BrowserFixture.openBrowser()
    browser.press("f4")
    let effects = Message.messages(of: events(String(repeating: "select 1;\r", count: 100))).flatMap { browser.update($0) }
    let saved = [effects, browser.remember(), browser.remember()].map { effects in
      effects.compactMap { if case .saveMemory(let memory) = $0 { memory.buffers?.map(\.text) } else { nil } }
    }
    #expect(saved == [[], [[String(repeating: "select 1;\n", count: 100)]], []])
  }
}
