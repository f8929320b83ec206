import Testing

@testable import Browser

@Suite("The places of files")
struct LocationsTests {
  @Test("are those of the XDG variables")
  func variables() {
    let locations = Locations(
      environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"])
    #expect(locations.settingsFile == "/c/quarry/config.toml")
    #expect(locations.keymapFile == "/c/quarry/keys.toml")
    #expect(locations.themesFolder == "/c/quarry/themes")
    #expect(locations.statementsFolder == "/d/quarry/statements")
    #expect(locations.historyFile == "/s/quarry/history")
  }

  @Test("are below the home where a variable is missing, empty or relative", arguments: [nil, "", "relative/path"])
  func home(value: String?) {
    var environment = ["HOME": "/h"]
    environment["XDG_CONFIG_HOME"] = value
    let locations = Locations(environment: environment)
    #expect(locations.configuration == "/h/.config/quarry")
    #expect(locations.data == "/h/.local/share/quarry")
    #expect(locations.state == "/h/.local/state/quarry")
  }

  @Test("are none without a home")
  func homeless() {
    let locations = Locations(environment: [:])
    #expect(locations.settingsFile == nil && locations.statementsFolder == nil && locations.historyFile == nil)
  }
}
