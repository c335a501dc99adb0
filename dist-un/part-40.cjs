"use strict";const part_JLV4KSGL=(()=>{const {
  deliverSecret,
  placeOf,
  undeliverable
}=require("./part-68.cjs").part_TKJ67INM;const {
  follow,
  lookupAt
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { join, relative, resolve }=require("node:path");;
;
;
;

// src/action/send-action.ts
var Refused = class extends Problems {
  /** Only since it is not the time for it: a rate limit asks for a longer wait, or something else is under way. */
  isForLater;
  constructor(diagnostics, { isForLater }) {
    super(diagnostics);
    this.isForLater = isForLater;
  }
};
var Unknown = class extends Problems {
  isUnknown = true;
};
var settling = 6e4;
async function sendAction(action, request, ground) {
  try {
    return await ground.send(request) ?? {};
  } catch (error) {
    const { sent } = error;
    if (sent === void 0) throw error;
    if (!sent) throw refusal(action, error);
    const found = await foundAgain(action, ground, `No answer came (${error.message}).`);
    if (found) return found;
    throw unknown(action, error.message);
  }
}
var hints = {
  402: () => "the account's plan or a payment limit does not allow this; trueup does not retry it",
  403: ({ name }) => `the token lacks permission: use one from somebody who may ${name}`,
  404: () => "something it refers to does not exist: check the address and the input",
  409: () => "it is not possible in the current state: check with `trueup get`, then run it again",
  410: () => "its target no longer exists"
};
function refusal({ name }, error) {
  const hint = (error.status === void 0 ? void 0 : hints[error.status]?.({ name })) ?? error.hint;
  return new Refused(
    [
      problem("run/refused", `${name} was refused: ${error.message}`, {
        hint: hint ?? "fix what the message names and run it again"
      })
    ],
    { isForLater: error.rateLimit !== void 0 }
  );
}
async function foundAgain({ lost }, ground, because) {
  if (!lost) return void 0;
  const { lookups, ids, mark, since, say, clock, stop } = ground;
  say(`${because} Checking whether it went through ...`);
  const read = lookupAt(lookups.get(lost.lookup), lost.input({ since }), ids, ground);
  let found;
  const stopped = new Promise((done) => stop.addEventListener("abort", () => done()));
  const following = follow({
    look: () => read((object) => lost.is(object, mark)),
    stand: ({ objects }) => objects.length > 0 ? "reached" : "under way",
    onSeen: ({ objects }) => {
      found = objects[0];
    },
    clock,
    stop,
    within: settling
  }).catch((error) => {
    if (error.sent === void 0) throw error;
  });
  await Promise.race([following, stopped]);
  if (found) say("It went through.");
  return found && { ...found, id: found.id ?? found.uid };
}
var unknown = ({ name, repeatable }, why) => new Unknown([
  problem("run/unknown", `the outcome of ${name} is unknown: ${why}`, {
    hint: repeatable ? "it is safe to repeat: run it again" : "check the account before you run it again"
  })
]);

// src/run/deliveries.ts
;
function openDeliveries({ plan, ledger }, { twinFolder, say, ...places }) {
  const { cwd } = places;
  const options = (address) => ({
    ...places,
    mayReplace: twinFolder !== void 0 || ledger.entries[address] !== void 0
  });
  const openly = (address) => ({ ...options(address), reserved: [] });
  const besideTwin = (file) => ({ file: join(twinFolder, relative(cwd, resolve(cwd, file))) });
  const wrongWith = async (to, address) => {
    if (twinFolder === void 0 || to === "discard") return undeliverable(to, options(address));
    if ("command" in to) return void 0;
    return await undeliverable(to, options(address)) ?? undeliverable(besideTwin(to.file), openly(address));
  };
  const deliver = async (to, secret, address) => {
    if (twinFolder === void 0 || to === "discard") return deliverSecret(to, secret, options(address));
    if ("command" in to)
      return say(`${address}: the twin's secret is not passed to the command; a real one would be.`);
    const place = besideTwin(to.file);
    await deliverSecret(place, secret, openly(address));
    say(`${address}: the twin's secret is in ${place.file}; a real one would be in ${to.file}.`);
  };
  return { deliver, check: () => refuseUndeliverable(plan, cwd, wrongWith) };
}
async function refuseUndeliverable({ changes, operations }, cwd, wrongWith) {
  const shown = new Set(
    operations.flatMap(({ requests }) => requests.flatMap(({ shows }) => shows?.address ?? []))
  );
  const holders = await holdersOf(changes, cwd);
  const found = await Promise.all(
    changes.map(async ({ address, after, at }) => {
      const to = after?.meta.secretTo;
      if (to === void 0 || !shown.has(address)) return [];
      const other = holders.find((one) => one.includes(address))?.find((one) => one !== address);
      const wrong = other ? { message: `the secret of ${other} goes to the same file`, hint: "give each its own file" } : await wrongWith(to, address);
      const message = `${address}: its secret could not be delivered: ${wrong?.message}`;
      return wrong ? [problem("secret/undeliverable", message, { address, hint: wrong.hint, ...at ? { at } : {} })] : [];
    })
  );
  const problems = found.flat();
  if (problems.length > 0) throw new Problems(problems);
}
async function holdersOf(changes, cwd) {
  const holders = /* @__PURE__ */ new Map();
  for (const { address, after } of [...changes].sort(byAddress)) {
    const to = after?.meta.secretTo;
    if (to === void 0 || to === "discard" || "command" in to) continue;
    const place = await placeOf(to.file, cwd);
    if (typeof place !== "string") continue;
    holders.set(place, [...holders.get(place) ?? [], address]);
  }
  return [...holders.values()];
}

return{Refused:Refused,Unknown:Unknown,sendAction:sendAction,foundAgain:foundAgain,openDeliveries:openDeliveries};})();exports.part_JLV4KSGL=part_JLV4KSGL;
