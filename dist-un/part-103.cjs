"use strict";const part_TIADEP3J=(()=>{const {
  ledgerLine
}=require("./part-94.cjs").part_2PKLHWHB;const {
  lockSession,
  recordSources,
  signAnew
}=require("./part-89.cjs").part_JDYKD6X4;;
;

// src/cli/keep-ledger-current.ts
async function keepLedgerCurrent(session, planned, options, terminal) {
  const lock = () => lockSession(session, options, terminal);
  if (await recordSources(session, planned, lock))
    terminal.err("The ledger now records where secrets and variables are read from.");
  if (await signAnew(session, lock))
    terminal.out(ledgerLine(session.store, session.ledger, session.host.clock.now()));
}

return{keepLedgerCurrent:keepLedgerCurrent};})();exports.part_TIADEP3J=part_TIADEP3J;
const part_NW56GQRD=(()=>{const {
  agreedAction,
  isApproved,
  isRest,
  isSame,
  place,
  saveSessionPlan,
  uncompared,
  unplaced
}=require("./part-116.cjs").part_LBJ4LO3O;const {
  decode,
  sealing
}=require("./part-116.cjs").part_HBWHGLK5;const {
  openPlan,
  openSettledPlan
}=require("./part-101.cjs").part_VCZ3M53L;const {
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  show
}=require("./part-88.cjs").part_RDEMRLSM;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  cutCounted,
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;

// src/approval/differences.ts
function differences(approved, current) {
  if (isApproved(approved, current)) return [];
  const [old, now] = [byAddress(approved), byAddress(current)];
  const addresses = [.../* @__PURE__ */ new Set([...old.keys(), ...now.keys()])].sort();
  const causes = [
    ...ofSources(approved, current),
    ...addresses.flatMap((address) => ofBasis(address, old.get(address), now.get(address)))
  ];
  if (causes.length > 0) return causes;
  const judgements = addresses.flatMap(
    (address) => isSame(unplacedChange(old.get(address)), unplacedChange(now.get(address))) ? [] : [{ cause: "judgement", address, what: "the change is different" }]
  );
  if (judgements.length > 0) return judgements;
  const problems = [
    ...messagesOnlyIn(current, approved).map((text) => `the plan now says: ${text}`),
    ...messagesOnlyIn(approved, current).map((text) => `the plan no longer says: ${text}`)
  ];
  if (problems.length > 0) return problems.map((what) => ({ cause: "problem", what }));
  return [{ cause: "judgement", what: "its requests, or their order, are different" }];
}
function ofSources({ sources: old = [] }, { sources: now = [] }) {
  const [was, is] = [old, now].map((list) => new Map(list.map(({ name, source }) => [name, source])));
  return [.../* @__PURE__ */ new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [before, after] = [was.get(name), is.get(name)];
    if (before === after) return [];
    const what = after === void 0 ? `the ${name} is no longer read` : before === void 0 ? `the ${name} is now read, from ${after}` : `the ${name} is read from ${after}; the approved plan read it from ${before}`;
    return [{ cause: "configuration", what }];
  });
}
function byAddress({ basis, changes }) {
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  return new Map(basis.map((one) => [one.address, { basis: one, change: changeOf.get(one.address) }]));
}
var unplacedChange = (one) => one?.change && unplaced(one.change);
function ofBasis(address, old, now) {
  const isWanted = (one) => one?.basis.wanted !== void 0;
  const isFound = (one) => (one?.basis.ids.length ?? 0) > 0;
  if (isWanted(old) !== isWanted(now))
    return [
      {
        cause: "configuration",
        address,
        what: isWanted(now) ? "it is now declared" : "it was removed from the configuration"
      }
    ];
  if (!old || !now)
    return [
      isFound(now ?? old) ? { cause: "outside", address, what: now ? "it now exists" : "it no longer exists" } : {
        cause: "judgement",
        address,
        what: now ? "it is now in the plan" : "it is no longer in the plan"
      }
    ];
  const wanted = namesThatDiffer(old.basis.wanted, now.basis.wanted).map(
    (field) => ofWanted(address, field, old, now)
  );
  if (isFound(old) !== isFound(now))
    return [
      ...wanted,
      { cause: "outside", address, what: isFound(now) ? "it now exists" : "it no longer exists" }
    ];
  if (!isSame(old.basis.ids, now.basis.ids))
    return [
      ...wanted,
      { cause: "outside", address, what: "it is now a different object with the same name" }
    ];
  const found = namesThatDiffer(old.basis.found, now.basis.found).filter((field) => field in old.basis.found && field in now.basis.found).map((field) => ofFound(address, field, old, now));
  return [...wanted, ...found];
}
function ofWanted(address, field, old, now) {
  const [was, is] = [old.basis.wanted?.[field], now.basis.wanted?.[field]];
  const about = { address, field };
  if (isSecret(was) && isSecret(is)) {
    const what = was.secret === null ? "was not compared when the plan was approved" : is.secret === null ? "is not available here, so it cannot be compared" : "has a different value now";
    return { ...about, cause: "secret", what };
  }
  if (was === void 0 || is === void 0)
    return {
      ...about,
      cause: "configuration",
      what: is === void 0 ? "was removed from the configuration" : "is declared now"
    };
  const values = isSecret(was) || isSecret(is) ? {} : { approved: sideOf(old, field, "after"), now: sideOf(now, field, "after") };
  return { ...about, cause: "configuration", what: "is declared differently", ...known(values) };
}
function ofFound(address, field, old, now) {
  if (field === place) return { cause: "outside", address, what: "its position was changed outside" };
  const about = { address, field, cause: "outside", what: "was changed outside" };
  if (isSecret(old.basis.found[field]) || isSecret(now.basis.found[field])) return about;
  const isSameWanted = namesThatDiffer(old.basis.wanted, now.basis.wanted).length === 0;
  const foundBy = (one, other) => {
    const side = sideOf(one, field, "before");
    return side === void 0 && isSameWanted ? sideOf(other, field, "after") : side;
  };
  return { ...about, ...known({ approved: foundBy(old, now), now: foundBy(now, old) }) };
}
var isSecret = (mark) => typeof mark === "object";
var namesThatDiffer = (one = {}, other = {}) => [.../* @__PURE__ */ new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name])).sort();
function sideOf({ change }, path, side) {
  const field = change?.fields.find((one) => one.path === path && !one.secret);
  return field ? field[side] ?? null : side === "before" ? change?.deleted?.[path] : void 0;
}
var known = ({ approved, now }) => approved === void 0 || now === void 0 ? {} : { approved, now };
var messagesOnlyIn = (one, other) => {
  const others = other.diagnostics.map(unplaced);
  return one.diagnostics.filter((diagnostic) => !others.some((known2) => isSame(known2, unplaced(diagnostic)))).map(({ message }) => message);
};

// src/approval/plan-as-approved.ts
var again = "plan again with `trueup plan --out FILE` and have the new plan approved";
async function planAsApproved(session, file, approved, options) {
  refuseOthers(approved, session, file);
  const review = approved.diagnostics.some(({ code }) => code === "secret/left-out");
  const planned = await openSettledPlan(session, { ...options, review });
  refuseChanged(approved, planned, session, file);
  return { ...planned, digest: approved.checksum };
}
function refuseOthers(approved, { ledger, owner, key, desired, store, guards }, file) {
  const refuse = (code, message, hint) => {
    throw new Problems([problem(code, message, { hint })]);
  };
  const here = { stack: desired.stack, owner: owner.id, baseUrl: ledger.baseUrl };
  const words = { stack: "stack", owner: "account", baseUrl: "base URL" };
  for (const name of ["stack", "owner", "baseUrl"])
    if (approved[name] !== here[name])
      refuse(
        "approval/foreign",
        `${file} is a plan for a different ${words[name]}: ${approved[name]}, not ${here[name]}`,
        "check --file, `platform:`, the token, --base-url and --twin; nothing was changed"
      );
  const seal = sealing(approved, key);
  if (seal.state === "none")
    refuse(
      "approval/not-sealed",
      `${file} is not sealed: it was made without a key, or its seal was removed`,
      "apply only accepts plans sealed with the ledger key: plan where the key is available (on the main branch, or on your machine) and have that plan approved"
    );
  if (seal.state === "unknown")
    refuse(
      "approval/key",
      `${file} is sealed with the key ${seal.key}, but the key here is ${key?.id}`,
      "set TRUEUP_LEDGER_KEY to the key that the plan was made with; nothing was changed"
    );
  if (seal.state === "broken")
    refuse("approval/edited", `${file} was edited after it was sealed, so it is not applied`, again);
  if (seal.state === "sealed" && seal.key !== key?.id)
    refuse(
      "approval/key",
      `${file} was made with the previous ledger key and does not cover what the new key records`,
      again
    );
  if (ledger.generation < approved.generation)
    refuse(
      "approval/older-ledger",
      `the ledger ${store.place} is at generation ${ledger.generation}, and ${file} was made on generation ${approved.generation}: an older ledger has been put in its place`,
      "find out why; restore the newest ledger, or review this one and plan again"
    );
  if (approved.guards?.file !== void 0 && guards?.file === void 0)
    refuse(
      "approval/guards",
      `${file} was checked against ${approved.guards.file}, but no guards are given here`,
      "pass them with --guards or TRUEUP_GUARDS; nothing was changed"
    );
  if (approved.guards?.checks && !guards?.checks)
    refuse(
      "approval/guards",
      `${file} was checked by ${approved.guards.checks.join(" and ")}, but no check is given here`,
      "pass it with --check; nothing was changed"
    );
  const addresses = uncompared(approved);
  if (addresses.length > 0)
    refuse(
      "approval/not-compared",
      `${addresses.join(", ")}: a secret was not compared when ${file} was made, so it cannot be confirmed as the approved one`,
      "plan again with all secrets and TRUEUP_LEDGER_KEY available, and have the new plan approved"
    );
}
function refuseChanged(approved, { plan }, session, file) {
  const current = saveSessionPlan(session, plan, approved.options, approved);
  if (isApproved(approved, current)) return;
  const isBegun = session.ledger.plan === approved.checksum;
  if (isBegun && isRest(approved, current)) return;
  const found = differences(approved, current);
  const howMany = `${count(found.length, "difference")}${found.length > most ? `, the first ${most} are below` : ""}`;
  throw new Problems([
    problem(
      "approval/changed",
      `${file} no longer matches what would be applied, so nothing was changed: ${howMany}${isBegun ? ". It was applied before, at least in part" : ""}`,
      { hint: again }
    ),
    ...found.slice(0, most).map((difference) => diagnosticOf(difference, plan, approved)),
    ...plan.diagnostics.filter(({ severity }) => severity === "error")
  ]);
}
var most = 5;
function diagnosticOf(difference, { changes }, { key }) {
  const { cause, address, field, what, approved, now } = difference;
  const at = changes.find((change) => change.address === address)?.at;
  const value = (side) => cutCounted(show(decode(side)), 60);
  const subject = [address, field && `\`${field}\``].filter(Boolean).join(": ");
  const values = approved === void 0 || now === void 0 ? "" : `: ${cause === "outside" ? "planned on" : "approved as"} ${value(approved)}, now it is ${value(now)}`;
  const because = {
    configuration: ` (the configuration changed${at ? `, ${at.file}:${at.line}` : ""})`,
    secret: " (a secret)",
    outside: " (the account changed)",
    judgement: `, although its declaration is unchanged: its surroundings in the account changed, the ledger changed, ${key === void 0 ? "the file was edited, " : ""}or another version of trueup made the plan`,
    problem: ""
  }[cause];
  const message = `${subject}${subject && field === void 0 ? ":" : ""} ${what}${values}${because}`.trim();
  return problem(`approval/${cause}`, message, address === void 0 ? {} : { address });
}
async function planAsShown(session, shown, options) {
  const current = await openPlan(session, options);
  refuseUnlikeShown(shown.plan, current.plan);
  return current;
}
function refuseUnlikeShown(shown, current) {
  const [before, now] = [shown, current].map(
    ({ reads: _, unlisted: __, waiting: ___, changedBy: ____, actions, ...plan }) => jsonText([planJson({ ...plan, unmanaged: [] }), actions?.map(agreedAction)])
  );
  if (before === now) return;
  throw new Problems([
    problem("apply/changed", "the account changed after the plan was shown, so nothing was changed", {
      hint: "run apply again to see the current plan"
    })
  ]);
}

return{planAsApproved:planAsApproved,refuseOthers:refuseOthers,refuseChanged:refuseChanged,planAsShown:planAsShown,refuseUnlikeShown:refuseUnlikeShown};})();exports.part_NW56GQRD=part_NW56GQRD;
