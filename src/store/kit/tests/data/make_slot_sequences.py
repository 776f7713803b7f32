"""Writes slot_sequences.txt: random operations on slots with the answers of an independent model.

usage: make_slot_sequences.py FOLDER_OF_MODEL > slot_sequences.txt

FOLDER_OF_MODEL holds model.py, a model of the written rules in Python that shares no code with this project; it was
compared with Lua scripts on a real Redis, answer by answer. Nothing of it is needed to build or to run the tests.
"""
import random
import sys

sys.path.insert(0, sys.argv[1])
from model import Namespace  # noqa: E402

SEQUENCES, OPERATIONS, SEED = 300, 40, 20261201
START = 1_790_000_000_000
TTLS = (100, 1000, 30_000, 3_600_000)


class Sequence:
    def __init__(self, number, pick):
        self.pick, self.number, self.tokens = pick, number, 0
        self.now = START
        self.limit, self.tolerance = pick.choice((1, 2, 3, 8, 12)), pick.choice((0, 50, 5000))
        self.space = Namespace()
        self.space.prefill_step("n", 0, self.limit)
        self.space.prefill_finish("n", self.limit, self.tolerance)
        self.requests, self.leases = [], []

    def step_clock(self):
        turn = self.pick.random()
        if turn < 0.5:
            self.now += self.pick.randrange(400)
        elif turn < 0.6:
            self.now += self.pick.choice((5000, 31_000, 4_000_000))
        elif turn < 0.68:
            self.now -= self.pick.choice((1, 500, 10_000, 3_600_000))

    def acquire(self, request):
        owner, token, limit, tolerance, ttl, preferred = request
        words = self.space.acquire(owner, token, limit, ttl, tolerance, preferred, 16, self.now)
        if words[0] == "ok":
            slot, fence, expires, floor, ceiling, now, reason, duplicate = words[1:9]
            self.leases.append((slot, owner, token, int(fence), int(floor), int(ceiling), ttl))
            answer = lease(slot, fence, expires, floor, ceiling, now) + f" {reason}" + (" duplicate" if duplicate == "1" else "")
        else:
            answer = {"mismatch": "mismatch", "exhausted": f"exhausted until {words[1]}"}[words[0]]
        return f"acquire {self.now} {owner} {token} {limit} {tolerance} {ttl} {preferred or '-'}", answer

    def new_request(self):
        pick = self.pick
        self.tokens += 1
        later = self.tokens > 1   # the first request settles the namespace
        limit = self.limit + (later and pick.random() < 0.03)
        tolerance = self.tolerance + (later and pick.random() < 0.03)
        preferred = pick.choice(("", "", str(pick.randrange(self.limit))))
        request = (f"o{pick.randrange(pick.choice((2, 9)))}", f"i{self.number}-{self.tokens}", limit, tolerance,
                   pick.choice(TTLS), preferred)
        self.requests.append(request)
        return request

    def bent(self):
        slot, owner, token, fence, floor, ceiling, ttl = self.pick.choice(self.leases[-20:])
        turn = self.pick.randrange(16)
        if turn == 0:
            owner = "ox"
        elif turn == 1:
            token = "x"
        elif turn == 2:
            fence += self.pick.choice((-1, 1))
        elif turn == 3:
            slot = str(self.pick.randrange(self.limit + 1))
        return slot, owner, token, fence, floor, ceiling, ttl

    def renew(self):
        slot, owner, token, fence, _, _, ttl = self.bent()
        ttl = self.pick.choice((ttl, ttl, self.pick.choice(TTLS)))
        words = self.space.renew(slot, owner, token, fence, ttl, self.tolerance, self.now)
        if words[0] == "ok":
            expires, floor, ceiling, now = words[1:]
            answer = lease(slot, fence, expires, floor, ceiling, now)
        else:
            answer = lost(words, fence)
        return f"renew {self.now} {slot} {owner} {token} {fence} {ttl} {self.tolerance}", answer

    def release(self):
        pick = self.pick
        slot, owner, token, fence, floor, ceiling, _ = self.bent()
        last = pick.choice((floor - 1, floor, ceiling - 1, ceiling, max(floor - 2, -1), pick.randint(floor, ceiling),
                            min(max(floor, self.now), ceiling - 1), ceiling + 10**7))
        words = self.space.release(slot, owner, token, fence, last)
        answer = {"ok": "released", "invalid": "invalid"}.get(words[0]) or lost(words, fence)
        return f"release {self.now} {slot} {owner} {token} {fence} {last}", answer

    def step(self):
        self.step_clock()
        turn = self.pick.random()
        if turn < 0.4 or not self.leases:
            return self.acquire(self.new_request())
        if turn < 0.5:
            return self.acquire(self.pick.choice(self.requests[-12:]))
        return self.renew() if turn < 0.75 else self.release()


def lease(slot, fence, expires, floor, ceiling, now):
    return f"slot {slot} fence {fence} expires {expires} window {floor}..{ceiling} now {now}"


def lost(words, fence):
    return "lost, rollback suspected" if fence > int(words[1]) else "lost"


pick = random.Random(SEED)
for number in range(SEQUENCES):
    print("sequence", number)
    sequence = Sequence(number, pick)
    for _ in range(OPERATIONS):
        print(" => ".join(sequence.step()))
