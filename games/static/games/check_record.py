"""Check a game record against its seal: python3 check_record.py RECORD.json"""

import json
import sys
from hashlib import sha256
from hmac import digest


def numbers(key, label, limits):
    blocks = (digest(key, f"{label}:{block}".encode(), "sha256") for block in range(2**32))
    words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 32, 4))
    return [next(word for word in words if word < 2**32 // n * n) % n for n in limits]


def shuffled(key, label, cards):
    cards, places = list(cards), range(len(cards) - 1, 0, -1)
    for i, j in zip(places, numbers(key, label, [i + 1 for i in places]), strict=True):
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def check(name, found, told):
    if found != told:
        wrong.append(name)


with open(sys.argv[1], encoding="utf-8-sig") as file:
    record = json.load(file)
    record = record.get("record", record)
seal, deal, wrong, sealed = record["seal"], record["deal"], [], []
for one in [*(one for one in seal.get("attempts", []) if "seed" in one), seal]:
    sealed.append(("commitment", one["commitment"], one["seed"]))
    parts = zip(one.get("hashes", []), one["contributions"], strict=False)
    sealed += [(f"hash {told}", told, part) for told, part in parts]
for name, told, secret in sealed:
    check(name, sha256(bytes.fromhex(secret)).hexdigest() if secret else told, told)
check("something sealed twice", len({told for _, told, _ in sealed}), len(sealed))
parts, lot = seal["contributions"], sorted(seal["contributions"])
keys = [digest(bytes.fromhex(seal["seed"]), "\n".join(x).encode(), "sha256") for x in (parts, lot)]
if seal.get("seats_drawn"):
    check("seats", [lot[i] for i in shuffled(keys[1], "seats", range(len(lot)))], parts)
check("candidate", numbers(keys[0], "candidate", [len(parts)]), [deal["first_candidate"]])
piles = {"roles": deal["roles"], "deck": deal["draw_pile"]}
piles |= {f"shuffle:{n}": pile for n, pile in enumerate(record.get("shuffles", []), 1)}
for label, pile in piles.items():
    cards = sorted(pile, key=["liberal", "fascist", "hitler"].index)
    check(label, shuffled(keys[0], label, cards), pile)
sys.exit("mismatch: " + ", ".join(wrong)) if wrong else print("OK")
