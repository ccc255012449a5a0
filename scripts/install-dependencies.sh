#!/usr/bin/env bash
# Installs what the build needs and the machine lacks (Debian and Ubuntu), and says what it installs.
#
#   scripts/install-dependencies.sh          for building and running
#   scripts/install-dependencies.sh test     for the tests too: Python with venv, a PostgreSQL server, Node, Java, Go
#
# Does nothing when everything is there. On other systems it says what is needed.
set -euo pipefail

purpose=${1:-build}
case $purpose in build | test) ;; *)
    echo "usage: scripts/install-dependencies.sh [build|test]" >&2
    exit 64
    ;;
esac

if ! command -v swift >/dev/null; then
    echo "Swift 6.2 or newer is needed first: https://www.swift.org/install/" >&2
    exit 1
fi
swift_version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1)
read -r major minor <<<"${swift_version:-0 0}"
if ((major < 6 || (major == 6 && minor < 2))); then
    echo "Swift 6.2 or newer is needed; this is $major.$minor: https://www.swift.org/install/" >&2
    exit 1
fi

if [[ $(uname -s) == Darwin ]]; then
    # SQLite and zlib come with the system, Python with the command line tools.
    if ! pkg-config --exists libpq libzstd 2>/dev/null; then
        echo "libpq and zstd are needed: brew install libpq zstd pkg-config, and libpq's folder in PKG_CONFIG_PATH" >&2
        exit 1
    fi
    exit 0
fi

header() { # does the C compiler's usual place have this header?
    [[ -e /usr/include/$1 ]]
}
venv_works() {
    command -v python3 >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null
}

missing=()
header sqlite3.h || missing+=(libsqlite3-dev)
header zlib.h || missing+=(zlib1g-dev)
header zstd.h || missing+=(libzstd-dev)
header postgresql/libpq-fe.h || missing+=(libpq-dev)
command -v pkg-config >/dev/null || missing+=(pkg-config)
command -v git >/dev/null || missing+=(git)
[[ -e /etc/ssl/certs/ca-certificates.crt ]] || missing+=(ca-certificates)
if [[ $purpose == test ]]; then
    command -v python3 >/dev/null || missing+=(python3)
    command -v curl >/dev/null || missing+=(curl)
    command -v ps >/dev/null || missing+=(procps)
    command -v openssl >/dev/null || missing+=(openssl)
    command -v strace >/dev/null || missing+=(strace)
    venv_works || missing+=(python3-venv)
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
    # What the guides show is run as well: backends in Node, Java and Go, a unit of systemd, a backup.
    command -v node >/dev/null || missing+=(nodejs)
    command -v go >/dev/null || missing+=(golang-go)
    javac -version >/dev/null 2>&1 || missing+=(default-jdk-headless)
    command -v sqlite3 >/dev/null || missing+=(sqlite3)
    command -v systemd-analyze >/dev/null || missing+=(systemd)
fi

if ((${#missing[@]} == 0)); then
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    echo "This is neither Debian nor Ubuntu, so nothing is installed. What these Debian packages contain is needed:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    exit 1
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${missing[*]}. Run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing: ${missing[*]}" >&2
# The tests start a PostgreSQL server of their own: the package need not make and start one for the whole machine.
if [[ " ${missing[*]} " == *" postgresql "* && ! -e /etc/postgresql-common/createcluster.conf ]]; then
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
export DEBIAN_FRONTEND=noninteractive
# A lost connection, and another program that installs something, are waited for.
patient=(-o Acquire::Retries=5 -o DPkg::Lock::Timeout=600)
"${as_root[@]}" apt-get "${patient[@]}" update -qq >&2
"${as_root[@]}" apt-get "${patient[@]}" install -y -qq --no-install-recommends "${missing[@]}" </dev/null >&2
