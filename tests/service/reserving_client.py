"""usage: reserving_client.py PORT_FILE TOKEN OUTPUT: reserves on eight connections until it is killed.

One line an end: "200 KEY START END;", the status of a refusal, or "unknown" where the connection broke."""

import os
import pathlib
import sys
import time

from crowd import Crowd, reserve

CONNECTIONS = 8


def live(port, token, out, number):
    with Crowd(port, CONNECTIONS) as crowd:
        while len(crowd.open()) == CONNECTIONS:
            keys = [f"kill/k{(number + i) % 3}" for i in range(CONNECTIONS)]
            number += 1
            seen = [len(member.answers) for member in crowd.members]
            for member, key in zip(crowd.members, keys):
                member.send(reserve(token, key, 1 + number % 7))
            crowd.until(lambda: all(m.ended or len(m.answers) > s for m, s in zip(crowd.members, seen)), "answers")
            for member, before, key in zip(crowd.members, seen, keys):
                if len(member.answers) == before:
                    line = "unknown"
                elif member.answers[-1].status == 200:
                    got = member.answers[-1].json()
                    line = f"200 {key} {got['start']} {got['end']};"
                else:
                    line = str(member.answers[-1].status)
                os.write(out, f"\n{line}".encode())
            if all(member.answers[-1].status == 503 for member in crowd.open()):
                time.sleep(0.01)  # all were refused: asking on at once only burns the processor
    return number


def main():
    port_file, token, output = sys.argv[1:]
    out = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    number = os.getpid()
    while True:
        try:
            number = live(int(pathlib.Path(port_file).read_text()), token, out, number)
        except OSError:
            time.sleep(0.01)  # between two tries to reach a service that is down


main()
