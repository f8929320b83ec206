"""What is done with an installed program: verbs on a database, and the tour in terminals of eight types."""

import json
import shutil
import sqlite3
import subprocess
import time
import uuid

TERMINALS = [
    "xterm-256color", "xterm-kitty", "tmux-256color", "screen-256color", "linux", "vt100", "foot", "no-such-terminal",
]
PATIENCE = 60  # seconds, far more than a step takes, so that a busy machine does not fail


def expect(what, value, expected):
    if value == expected:
        return
    if isinstance(value, dict):
        value, expected = [sorted(set(one.items()) - set(other.items())) for one, other in [(value, expected), (expected, value)]]
    raise AssertionError(f"{what}: {value!r} and not {expected!r}")


def call(program, *arguments, status=0, **variables):
    """Runs the program with an empty environment, and returns its output and messages."""
    environment = {"SWIFT_BACKTRACE": "enable=no", **variables}
    result = subprocess.run(
        ["env", "-i", *[f"{name}={value}" for name, value in environment.items()], *absolute(program.command(*arguments))],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    if result.returncode != status:
        raise AssertionError(
            f"quarry {' '.join(arguments)} ended with status {result.returncode} and not {status}: {result.stdout}{result.stderr}")
    return result.stdout if status == 0 else result.stderr


def absolute(command):
    return [shutil.which(command[0]) or command[0], *command[1:]]


def everything(program, version, folder):
    """Calls the verbs, and plays the tour in each type of terminal."""
    folder.mkdir(parents=True, exist_ok=True)
    verbs(program, version, folder)
    for name in TERMINALS:
        tour(program, name, program.place(folder))


def make_music(path):
    """Makes a database like Chinook: artists, albums, tracks and customers."""
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE Artist(ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
            CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title NVARCHAR(160) NOT NULL, ArtistId INTEGER REFERENCES Artist);
            CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, AlbumId INTEGER REFERENCES Album, Milliseconds INTEGER, Price REAL);
            CREATE TABLE Customer(CustomerId INTEGER PRIMARY KEY, LastName TEXT, Country TEXT, Email TEXT);
            CREATE INDEX TrackAlbum ON Track(AlbumId);
            CREATE VIEW LongTrack AS SELECT * FROM Track WHERE Milliseconds > 300000;
            INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Björk'), (3, '無');
            INSERT INTO Album SELECT value, 'Album ' || value, value % 3 + 1 FROM generate_series(1, 12);
            INSERT INTO Track SELECT value, 'Track ' || value, value % 12 + 1, value * 997 % 600000, 0.99 FROM generate_series(1, 3000);
            INSERT INTO Customer VALUES (1, 'Gonçalves', 'Brazil', 'luis@example.org'), (2, 'Köhler', 'Germany', 'leo@example.org');
        """.replace("generate_series(1, 12)", series(12)).replace("generate_series(1, 3000)", series(3000)))
    connection.close()


def series(count):
    return f"(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < {count}) SELECT value FROM n)"


def verbs(program, version, folder):
    music, csv = folder / "music.db", folder / "new.csv"
    make_music(music)
    csv.write_text("CustomerId,LastName,Country,Email\n3,Almeida,Brazil,roberto@example.org\n")
    seen, home = program.place(music), program.place(folder)

    def quarry(*arguments, status=0):
        return call(program, *arguments, status=status, HOME=home)

    expect("--version", quarry("--version").split()[:2], ["quarry", version])
    expect("tables", [line.split(",")[0::3] for line in quarry("tables", seen).splitlines()[1:]],
           [["Album", "12"], ["Artist", "3"], ["Customer", "2"], ["LongTrack", ""], ["Track", "3000"]])
    expect("rows", quarry("rows", seen, "Customer", "--where", "Country = 'Brazil' or Email ~ gmail", "--columns", "LastName"),
           'LastName\n"Gonçalves"\n')
    rows = json.loads(quarry("query", seen, "SELECT ArtistId AS id, count(*) AS n FROM Album GROUP BY 1", "--format", "json"))
    expect("query", rows, [{"id": 1, "n": 4}, {"id": 2, "n": 4}, {"id": 3, "n": 4}])
    quarry("import", seen, "Customer", program.place(csv))
    expect("import", quarry("rows", seen, "Customer", "--columns", "LastName").split()[-1], "Almeida")
    quarry("backup", seen, program.place(folder / "copy.db"))
    quarry("diff", seen, program.place(folder / "copy.db"))
    for verb in [["schema", seen], ["profile", seen, "Track"], ["search", seen, "jör"], ["man"], ["keys"], ["--help"]]:
        if not quarry(*verb).strip():
            raise AssertionError(f"quarry {' '.join(verb)} printed nothing")
    if "no such table" not in quarry("query", seen, "SELECT * FROM nowhere", status=1):
        raise AssertionError("a wrong query is not explained")
    without_home(program, seen)


def without_home(program, database):
    """Without HOME, what needs no home folder works, and what needs one says so."""
    expect("query without HOME", call(program, "query", database, "SELECT 1 AS one"), "one\n1\n")


def without_proc(program):
    message = call(program, "--version", status=1)
    if "/proc is not mounted" not in message:
        raise AssertionError(f"without /proc the program says: {message}")


def tour(program, terminal, home):
    """Plays the tour from the start screen to its last step, and quits."""
    socket = f"quarry-{uuid.uuid4().hex[:8]}"

    def tmux(*arguments):
        return subprocess.run(["tmux", "-L", socket, *arguments], capture_output=True, text=True, timeout=PATIENCE).stdout

    command = " ".join([
        "env", "-i", f"TERM={terminal}", f"HOME={home}", "LC_ALL=C.UTF-8", *absolute(program.command()), "; echo ended with $?; cat"])
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", "100", "-y", "30", command)
    try:
        def wait(text):
            end = time.monotonic() + PATIENCE
            while text not in (screen := tmux("capture-pane", "-p", "-t", "t")):
                if time.monotonic() > end or "ended with" in screen:
                    raise AssertionError(f"TERM={terminal}: the screen does not show “{text}” but\n{screen}")
                time.sleep(0.02)

        def press(*keys):
            tmux("send-keys", "-t", "t", *keys)

        wait("the tour")
        press("t")
        for step in range(1, 11):
            wait(f"{step} of 10")
            press("Space")
        press("C-q")
        wait("ended with 0")
    finally:
        tmux("kill-server")


def remove_traces(root):
    """Removes what the programs wrote into a home folder below a root: that is the user's, and no package removes it."""
    shutil.rmtree(root / "tmp" if (root / "tmp").exists() else root / "play", ignore_errors=True)
