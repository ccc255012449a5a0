"""Ports of the loopback interface that no other program gets while the tests run."""

import socket

# Below the ports that Linux gives to connections and to listeners on port 0.
FIRST_PORT, LAST_PORT = 15_000, 32_000
BLOCK_SIZE = 100
_claims = []


def _ports():
    """The ports of blocks that belong to this process alone, each once."""
    for block in range(FIRST_PORT, LAST_PORT, BLOCK_SIZE):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # The name without a file exists until this process ends. Other test processes then use other blocks.
            claim.bind(f"\0perennial-tests-{block}")
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        yield from range(block, block + BLOCK_SIZE)


_unused = _ports()


def reserved_port():
    """A free port, each time another one.

    A port that a socket on port 0 had may belong to another program as soon as the socket is closed. The ports from
    here stay free for a server that starts later or again, and nobody else answers at them.
    """
    for port in _unused:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError("no port is free")
