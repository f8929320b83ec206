# A flake for Nix. Not tested here: replace the address by that of the published tarball, and run `nix flake check`.
{
  description = "Full-screen browser for SQLite databases in the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      pkgs = nixpkgs.legacyPackages.x86_64-linux;
      quarry = pkgs.stdenvNoCC.mkDerivation {
        pname = "quarry-db";
        version = "@VERSION@";
        src = pkgs.fetchurl {
          url = "https://quarry.invalid/releases/quarry-@VERSION@-linux-x86_64.tar.gz";
          hash = "@SRI@";
        };
        dontStrip = true;
        installPhase = ''
          mkdir -p $out
          cp -r bin share $out
        '';
        meta.license = pkgs.lib.licenses.mit;
        meta.mainProgram = "quarry";
      };
    in
    {
      packages.x86_64-linux.default = quarry;
      apps.x86_64-linux.default = {
        type = "app";
        program = "${quarry}/bin/quarry";
      };
    };
}
