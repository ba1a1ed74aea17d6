// Checks a record against its seal in the reader's own browser: games/rules/RECORD.md, "The seal".
(() => {
  "use strict";

  const WORD = 2 ** 32;

  const bytesOf = (hex) =>
    Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
      Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
    );
  const hexOf = (bytes) =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = new TextEncoder();

  const hashOf = async (hex) =>
    hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(hex))));

  const hmac = async (key, message) => {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    const signed = await crypto.subtle.sign("HMAC", imported, text.encode(message));
    return new Uint8Array(signed);
  };

  const keyOf = (seed, contributions) => hmac(bytesOf(seed), contributions.join("\n"));

  // Returns a function that gives the next number below n of the label's stream.
  const streamOf = (key, label) => {
    let words = [];
    let block = 0;
    return async (n) => {
      const limit = n * Math.floor(WORD / n);
      for (;;) {
        if (!words.length) {
          const view = new DataView((await hmac(key, `${label}:${block}`)).buffer);
          words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i));
          block += 1;
        }
        const word = words.shift();
        if (word < limit) return word % n;
      }
    };
  };

  const shuffled = async (key, label, items) => {
    const below = streamOf(key, label);
    const result = [...items];
    for (let i = result.length - 1; i > 0; i -= 1) {
      const j = await below(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  };

  const isSame = (one, other) =>
    one.length === other.length && one.every((item, i) => item === other[i]);

  const count = (items, wanted) => items.filter((item) => item === wanted).length;
  // The cards in the order in which RECORD.md has them shuffled.
  const sorted = (cards, order) =>
    order.flatMap((card) => Array.from({ length: count(cards, card) }, () => card));

  const wrongHashes = async (hashes, contributions, path) => {
    const wrong = [];
    for (const [seat, contribution] of contributions.entries()) {
      if (contribution !== null && (await hashOf(contribution)) !== hashes[seat]) {
        wrong.push(`${path}.hashes[${seat}]`);
      }
    }
    return wrong;
  };

  const repeatedHashes = (hashes, earlier, path) =>
    hashes.flatMap((told, seat) => (earlier.has(told) ? [`${path}.hashes[${seat}]`] : []));

  const isDrawnByLot = async (seal) => {
    const places = [...seal.contributions.keys()].sort((one, other) => {
      const [a, b] = [seal.contributions[one], seal.contributions[other]];
      return a < b ? -1 : a > b ? 1 : 0;
    });
    const key = await keyOf(seal.seed, places.map((place) => seal.contributions[place]));
    return (await shuffled(key, "seats", places)).every((place, seat) => place === seat);
  };

  const checkSeal = async (seal) => {
    const wrong = [];
    if ((await hashOf(seal.seed)) !== seal.commitment) wrong.push("seal.commitment");
    if ((seal.version ?? 1) === 1) return wrong;
    wrong.push(...(await wrongHashes(seal.hashes, seal.contributions, "seal")));
    seal.hashes.forEach((told, seat) => {
      if (seal.hashes.indexOf(told) < seat) wrong.push(`seal.hashes[${seat}]`);
    });
    if (seal.seats_drawn && !(await isDrawnByLot(seal))) wrong.push("seal.contributions");
    const gone = new Set();
    const earlier = new Set();
    const attempts = seal.attempts ?? [];
    for (const [number, attempt] of attempts.entries()) {
      const path = `seal.attempts[${number}]`;
      if (attempt.seed !== undefined) {
        if ((await hashOf(attempt.seed)) !== attempt.commitment) wrong.push(`${path}.commitment`);
        wrong.push(...(await wrongHashes(attempt.hashes, attempt.contributions, path)));
      }
      for (const seat of attempt.missing) {
        if (seal.by[seat] !== "server") wrong.push(`seal.by[${seat}]`);
      }
      const isRepeated = new Set(attempt.missing).size < attempt.missing.length;
      if (isRepeated || attempt.missing.some((seat) => gone.has(seat))) {
        wrong.push(`${path}.missing`);
      }
      for (const seat of attempt.missing) gone.add(seat);
      wrong.push(...repeatedHashes(attempt.hashes, earlier, path));
      for (const told of attempt.hashes) earlier.add(told);
    }
    wrong.push(...repeatedHashes(seal.hashes, earlier, "seal"));
    const commitments = [...attempts.map((attempt) => attempt.commitment), seal.commitment];
    if (new Set(commitments).size < commitments.length) wrong.push("seal.attempts");
    return wrong;
  };

  const check = async ({ seal, deal, shuffles = [], seats }) => {
    const wrong = await checkSeal(seal);
    const key = await keyOf(seal.seed, seal.contributions);
    const roles = sorted(deal.roles, ["liberal", "fascist", "hitler"]);
    if (!isSame(await shuffled(key, "roles", roles), deal.roles)) wrong.push("deal.roles");
    const deck = async (label, pile) =>
      isSame(await shuffled(key, label, sorted(pile, ["liberal", "fascist"])), pile);
    if (!(await deck("deck", deal.draw_pile))) wrong.push("deal.draw_pile");
    const first = await streamOf(key, "candidate")(seats.length);
    if (first !== deal.first_candidate) wrong.push("deal.first_candidate");
    for (const [number, pile] of shuffles.entries()) {
      if (!(await deck(`shuffle:${number + 1}`, pile))) wrong.push(`shuffles[${number}]`);
    }
    return [...new Set(wrong)].sort();
  };

  const look = async () => {
    const box = document.getElementById("own-check");
    if (!box) return;
    const show = (verdict, places = []) => {
      for (const line of box.querySelectorAll("[data-when]")) {
        line.hidden = line.dataset.when !== verdict;
      }
      for (const list of box.querySelectorAll("[data-places]")) {
        list.replaceChildren(
          ...places.map((place) => {
            const item = document.createElement("li");
            item.append(Object.assign(document.createElement("code"), { textContent: place }));
            return item;
          }),
        );
      }
      box.dataset.verdict = verdict;
    };
    if (!globalThis.crypto?.subtle) return show("cannot");
    show("checking");
    try {
      const answer = await fetch(box.dataset.record, { signal: AbortSignal.timeout(20_000) });
      if (!answer.ok) throw new Error(String(answer.status));
      const read = await answer.json();
      // In a line of a dump, the record has claims beside it.
      const wrong = await check(read.record ?? read);
      const told = [...new Set(box.dataset.server.split(" ").filter(Boolean))].sort();
      if (!isSame(wrong, told)) show("disagrees", wrong);
      else show(wrong.length ? "broken" : "holds", wrong);
    } catch {
      show("failed");
    }
  };

  look();
})();
