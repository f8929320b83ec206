import Browser
import Terminal
import TestSupport
import Testing

@Suite("The keymap", .gated)
struct KeymapTests {
  static let declarations: [CommandDeclaration] = [
    .init(.help, "Help", [.everywhere: ["?", "f1"]]),
    .init(.quit, "Quit", [.everywhere: ["ctrl-q", "Z Z"]]),
    .init(.toggleCatalog, "Catalog", [.everywhere: ["g c"]]),
    .init(.paneLeft, "Left", [.everywhere: ["ctrl-w h"]]),
    .init(.refresh, "Refresh", [.everywhere: ["R"], .grid: ["f5"]]),
    .init(.followForeignKey, "Follow", [.grid: ["g d", "f12"]]),
    .init(.moveToTop, "Top", [.grid: ["g g"]]),
    .init(.accept, "Accept", [.bar: ["enter"]]),
    .init(.open, "Open"), .init(.redraw, "Redraw"),
  ]

  let keymap = Keymap(commands: CommandList(Self.declarations))

  func keys(_ notation: String) -> [Key] { Keymap.parse(notation) ?? [] }

  func keymap(_ text: String) -> Keymap { Keymap(commands: CommandList(Self.declarations), userText: text, file: "keys.toml") }

  @Test("finds a command in its context and everywhere's in all")
  func found() {
    #expect(keymap.resolve(keys("f12"), in: .grid) == .command(.followForeignKey))
    #expect(keymap.resolve(keys("f12"), in: .catalog) == .none)
    #expect(keymap.resolve(keys("ctrl-q"), in: .record) == .command(.quit))
    #expect(keymap.resolve(keys("?"), in: .everywhere) == .command(.help))
    #expect(keymap.resolve([], in: .grid) == .none)
  }

  @Test("finds the commands of the context that another one is in, less those that it overrides")
  func nested() throws {
    let groups = KeyContext("groups", place: "in the groups", in: .grid)
    let declarations = Self.declarations + [.init(.openRecord, "Open", [groups: ["f12", "g z"]])]
    let keymap = Keymap(commands: CommandList(declarations))
    #expect(keymap.resolve(keys("f12"), in: groups) == .command(.openRecord))
    #expect(keymap.resolve(keys("g d"), in: groups) == .command(.followForeignKey))
    #expect(keymap.resolve(keys("f5"), in: groups) == .command(.refresh))
    #expect(keymap.resolve(keys("ctrl-q"), in: groups) == .command(.quit))
    #expect(keymap.keys(for: .followForeignKey, in: groups) == ["gd"])
    #expect(keymap.resolve(keys("g z"), in: .grid) == .none)
    guard case .pending(let continuations) = keymap.resolve(keys("g"), in: groups) else {
      Issue.record("g is not pending")
      return
    }
    #expect(continuations.map(\.display) == ["c", "d", "g", "z"])
    let changed = Keymap(commands: CommandList(declarations), userText: "[groups]\n\"g d\" = \"\"\n", file: "keys.toml")
    #expect(changed.resolve(keys("g d"), in: groups) == .none)
    #expect(changed.resolve(keys("g d"), in: .grid) == .command(.followForeignKey))
  }

  @Test("waits for the keys that follow, the context's and everywhere's together")
  func pending() throws {
    guard case .pending(let continuations) = keymap.resolve(keys("g"), in: .grid) else {
      Issue.record("g is not pending")
      return
    }
    #expect(continuations.map(\.display) == ["c", "d", "g"])
    #expect(continuations.map(\.command) == [.toggleCatalog, .followForeignKey, .moveToTop])
    #expect(keymap.resolve(keys("g c"), in: .grid) == .command(.toggleCatalog))
    #expect(keymap.resolve(keys("g d"), in: .grid) == .command(.followForeignKey))
    #expect(keymap.resolve(keys("g x"), in: .grid) == .none)
    #expect(keymap.resolve(keys("g d d"), in: .grid) == .none)
  }

  @Test("leaves to text fields the keys that edit text")
  func textFields() {
    #expect(keymap.resolve(keys("?"), in: .bar) == .none)
    #expect(keymap.resolve(keys("g"), in: .bar) == .none)
    #expect(keymap.resolve(keys("ctrl-w"), in: .editor) == .none)
    #expect(keymap.resolve(keys("f1"), in: .bar) == .command(.help))
    #expect(keymap.resolve(keys("ctrl-q"), in: .form) == .command(.quit))
    #expect(keymap.resolve(keys("enter"), in: .bar) == .command(.accept))
  }

  @Test("tells the keys that reach a command in a context, its own first")
  func reverse() {
    #expect(keymap.keys(for: .refresh, in: .grid) == ["F5", "R"])
    #expect(keymap.keys(for: .refresh, in: .catalog) == ["R"])
    #expect(keymap.keys(for: .followForeignKey, in: .grid) == ["gd", "F12"])
    #expect(keymap.notations(for: .quit, in: .grid) == ["ctrl-q", "Z Z"])
    #expect(keymap.keys(for: .quit, in: .editor) == ["^Q"])
    #expect(keymap.keys(for: .open, in: .grid) == [])
  }

  @Test("lets a user's key take the place of a default one, and shows it first")
  func overridden() {
    let keymap = keymap("[grid]\n\"f12\" = \"refresh\"\n\"x\" = \"follow-foreign-key\"\n\"X\" = \"follow-foreign-key\"")
    #expect(keymap.warnings.isEmpty)
    #expect(keymap.resolve(keys("f12"), in: .grid) == .command(.refresh))
    #expect(keymap.keys(for: .followForeignKey, in: .grid) == ["x", "X", "gd"])
    #expect(keymap.keys(for: .refresh, in: .grid) == ["F12", "F5", "R"])
  }

  @Test("unbinds a key in one context also of what it does everywhere")
  func unbound() {
    let keymap = keymap("[grid]\nR = \"\"\nf5 = \"\"\n[everywhere]\nf1 = \"\"")
    #expect(keymap.warnings.isEmpty)
    #expect(keymap.resolve(keys("R"), in: .grid) == .none)
    #expect(keymap.resolve(keys("R"), in: .catalog) == .command(.refresh))
    #expect(keymap.resolve(keys("f1"), in: .grid) == .none)
    #expect(keymap.keys(for: .refresh, in: .grid) == [])
    #expect(keymap.keys(for: .help, in: .grid) == ["?"])
  }

  @Test("unbinds what begins with a key, so that the key is free")
  func unboundBeginning() {
    let keymap = keymap("[grid]\n\"g x\" = \"quit\"\ng = \"\"")
    #expect(keymap.warnings.isEmpty)
    #expect(keymap.resolve(keys("g x"), in: .grid) == .command(.quit))
    #expect(keymap.resolve(keys("g d"), in: .grid) == .none)
    #expect(keymap.keys(for: .followForeignKey, in: .grid) == ["F12"])
  }

  @Test("hides what everywhere does with keys that begin with one of the context's own")
  func shadowed() {
    let keymap = keymap("[catalog]\nZ = \"open\"")
    #expect(keymap.resolve(keys("Z"), in: .catalog) == .command(.open))
    #expect(keymap.keys(for: .quit, in: .catalog) == ["^Q"])
    #expect(keymap.keys(for: .quit, in: .grid) == ["^Q", "ZZ"])
  }
}

@Suite("The default keys", .gated)
struct DefaultKeysTests {
  @Test("all parse, and read back as they are written")
  func parse() {
    for declaration in CommandList.standard.declarations {
      for (context, notations) in declaration.keys {
        for notation in notations {
          #expect(throws: Never.self, "\(declaration.command)") { try KeyNotation.keys(of: notation) }
          #expect(Keymap.parse(notation).map(Keymap.notation) == notation)
          #expect(Keymap.parse(notation)?.first.flatMap(context.obstacle) == nil, "\(notation) in \(context)")
        }
      }
    }
  }

  @Test("do not stand in each other's way")
  func conflicts() {
    for context in CommandList.standard.contexts {
      let keys = CommandList.standard.declarations.flatMap { declaration in
        (declaration.keys[context] ?? []).map { (declaration.command, $0) }
      }
      for (index, (command, notation)) in keys.enumerated() {
        for (rival, other) in keys[..<index] {
          let overlap = (Keymap.parse(notation) ?? []).overlaps(Keymap.parse(other) ?? [])
          #expect(!overlap, "\(notation) (\(command)) and \(other) (\(rival)) in \(context)")
        }
      }
    }
  }

  @Test("reach their commands where they are declared, in the order of their declaration")
  func reach() {
    let keymap = Keymap()
    for declaration in CommandList.standard.declarations {
      for (context, notations) in declaration.keys {
        #expect(Array(keymap.notations(for: declaration.command, in: context).prefix(notations.count)) == notations)
      }
    }
  }

  @Test("are declared once for every command, with help of one line")
  func declarations() {
    #expect(Set(CommandList.standard.declarations.map(\.command)).count == CommandList.standard.declarations.count)
    for declaration in CommandList.standard.declarations {
      #expect(!declaration.help.isEmpty && !declaration.help.hasSuffix(".") && !declaration.help.contains("\n"))
    }
  }

  @Test("are written by the default keymap file, which the user's parser reads back without a warning")
  func file() {
    let defaults = Keymap()
    let names = CommandList.standard.declarations.map { CommandDeclaration($0.command, $0.help, $0.keys.mapValues { _ in [] }) }
    let read = Keymap(commands: CommandList(names), userText: Keymap.defaultText, file: "keys.toml")
    #expect(read.warnings == [])
    for context in CommandList.standard.contexts {
      for command in CommandList.standard.declarations.map(\.command) {
        #expect(read.notations(for: command, in: context) == defaults.notations(for: command, in: context), "\(command) in \(context)")
      }
    }
    #expect(Keymap(userText: Keymap.defaultText, file: "keys.toml").warnings == [])
  }
}
