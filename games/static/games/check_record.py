"""Check a game record against its seal: python3 check_record.py RECORD.json"""

import json
import sys
from hashlib import sha256
from hmac import digest


def sha(text):
    return sha256(bytes.fromhex(text)).hexdigest()


def key_of(seed, parts):
    return digest(bytes.fromhex(seed), "\n".join(parts).encode(), "sha256")


def numbers(key, label):
    for block in range(2**32):
        words = digest(key, f"{label}:{block}".encode(), "sha256")
        yield from (int.from_bytes(words[i : i + 4], "big") for i in range(0, 32, 4))


def below(n, stream):
    return next(word for word in stream if word < 2**32 // n * n) % n


def shuffled(key, label, cards):
    stream, cards = numbers(key, label), list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


with open(sys.argv[1], encoding="utf-8-sig") as file:
    record = json.load(file)
    record = record.get("record", record)
seal, deal, wrong = record["seal"], record["deal"], []
tries = [one for one in seal.get("attempts", []) if "seed" in one] + [seal]
for one in tries:
    wrong += ["commitment"] * (sha(one["seed"]) != one["commitment"])
    pairs = zip(one.get("hashes", []), one["contributions"], strict=False)
    wrong += [f"hash {told}" for told, part in pairs if part and sha(part) != told]
told = [one["commitment"] for one in tries] + [h for one in tries for h in one.get("hashes", [])]
wrong += ["something sealed twice"] * (len(set(told)) != len(told))
parts, seats = seal["contributions"], len(record["seats"])
key, by_lot = key_of(seal["seed"], parts), key_of(seal["seed"], sorted(parts))
lot = [sorted(parts)[i] for i in shuffled(by_lot, "seats", range(seats))]
wrong += ["seats"] * (bool(seal.get("seats_drawn")) and lot != parts)
roles = sorted(deal["roles"], key=["liberal", "fascist", "hitler"].index)
wrong += ["roles"] * (shuffled(key, "roles", roles) != deal["roles"])
wrong += ["candidate"] * (below(seats, numbers(key, "candidate")) != deal["first_candidate"])
piles = enumerate([deal["draw_pile"], *record.get("shuffles", [])])
for label, pile in ((f"shuffle:{n}" if n else "deck", pile) for n, pile in piles):
    wrong += [label] * (shuffled(key, label, sorted(pile, reverse=True)) != pile)
sys.exit("mismatch: " + ", ".join(wrong)) if wrong else print("OK")
