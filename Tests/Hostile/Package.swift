// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// It plays the built program from outside, so it compiles none of it. The tests of the main package use `HostileWorld` too.
let package = Package(
  name: "hostile",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "HostileWorld", swiftSettings: settings),
    .executableTarget(name: "hostile", dependencies: ["HostileWorld"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
