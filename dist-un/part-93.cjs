"use strict";const part_UFNWTKGU=(()=>{const {
  ancestorsOf,
  can,
  comparedFields,
  namesOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  collectionId
}=require("./part-106.cjs").part_DT2CDXHV;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  asksForWrite
}=require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  escapeName,
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  holesIn,
  isRef
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  inside,
  walk
}=require("./part-80.cjs").part_YNHFC6K5;const {
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;
;

// src/plan/needs.ts
function needsOf(change, kinds) {
  const kind = kinds.get(change.kind);
  return /* @__PURE__ */ new Set([
    ...ancestorsOf(kinds, kind, change.parent).map(({ address }) => address),
    ...referencesIn(change.after?.fields ?? {}, kind, change.parent, kinds),
    ...change.after?.meta.dependsOn ?? []
  ]);
}
function referencesIn(fields, kind, parent, kinds) {
  const refs = holesIn(fields).flatMap((hole) => "$ref" in hole ? [hole.$ref] : []);
  return [...refs, ...namesIn(fields, kind, parent, kinds)];
}
function namesIn(fields, kind, parent, kinds, softOnly = false) {
  const near = (target) => ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === target.parent)?.address;
  const schemas = comparedFields(kind);
  return Object.entries(fields).flatMap(([name, value]) => {
    const texts = [value].flat().filter((one) => typeof one === "string");
    const schema = texts.length > 0 && schemas[name];
    if (!schema) return [];
    const { softRef, within } = traitsOf(schema);
    const target = kinds.get(softRef ?? within ?? "");
    if (!target || softOnly && softRef === void 0) return [];
    const named = within === void 0 ? texts : texts.flatMap(suffixesOf);
    return named.map((one) => addressOf(near(target), target.section, [escapeName(one)]));
  });
}
var suffixesOf = (name) => {
  const labels = name.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
};
function holdersOf(changes, kinds, live) {
  const holders = /* @__PURE__ */ new Map();
  const units = /* @__PURE__ */ new Map();
  const { roots, byId } = deletionsIn(changes, live, kinds);
  for (const one of live.resources.values())
    for (const { id } of one.rows ?? []) units.set(id, [...units.get(id) ?? [], one]);
  for (const change of changes) {
    const { before, after, needs = [] } = change;
    if (!before) continue;
    const parent = before.transfer?.parent ?? change.parent;
    const held = [
      ...parent === void 0 ? [] : [parent],
      ...[before, ...(before.rows ?? []).flatMap(({ id }) => units.get(id) ?? [])].flatMap(({ fields }) => [
        ...referencesIn(fields, kinds.get(change.kind), parent, kinds),
        ...idsIn(fields, byId).flatMap((address) => roots.get(address) ?? [])
      ]),
      // The `needs` of a declared object are about its future.
      ...after ? [] : needs
    ];
    for (const address of held) {
      const of = holders.get(address) ?? /* @__PURE__ */ new Set();
      holders.set(address, of.add(change));
    }
  }
  return (address) => [...holders.get(address) ?? []].filter((change) => change.address !== address);
}
function deletionsIn(changes, live, kinds) {
  const roots = /* @__PURE__ */ new Map();
  for (const { action, address } of changes)
    if (action === "delete" || action === "replace") roots.set(address, address);
  const byId = /* @__PURE__ */ new Map();
  if (roots.size === 0) return { roots, byId };
  for (const { address, kind, parent } of live.resources.values()) {
    const around = ancestorsOf(kinds, kinds.get(kind), parent).find((above) => roots.has(above.address));
    if (around && !roots.has(address)) roots.set(address, roots.get(around.address));
  }
  for (const address of roots.keys()) {
    const one = live.resources.get(address);
    const id = one && madeIdOf(one, live, kinds);
    if (id !== void 0) byId.set(id, address);
  }
  return { roots, byId };
}
function madeIdOf(one, live, kinds) {
  const { id, fields, parent } = one;
  const kind = kinds.get(one.kind);
  if (kind.shape.byAddress || kind.key.length === 0) return void 0;
  const others = [
    ...parent === void 0 ? [] : [parent],
    ...holesIn(fields).flatMap((hole) => "$ref" in hole ? [hole.$ref] : [])
  ];
  const isOfAnother = others.some((address) => live.resources.get(address)?.id === id);
  const isName = idsIn(fields, /* @__PURE__ */ new Map([[id, one.address]])).length > 0;
  return isName || isOfAnother ? void 0 : id;
}
function idsIn(value, byId) {
  if (byId.size === 0) return [];
  const found = [];
  walk(value, (one) => {
    if (typeof one === "string") found.push(...[byId.get(one) ?? []].flat());
    return one instanceof Sealed ? void 0 : inside;
  });
  return found;
}
function contentOf(container, { ledger, live, kinds }) {
  const isInside = (address) => isWithin(address, container);
  const known = [...Object.entries(ledger.entries), ...live.resources].filter(([address, { kind }]) => {
    const of = kinds.get(kind);
    return address !== container && isInside(address) && of && can(of, "delete");
  }).map(([address]) => address);
  const about = [...live.resources.values()].filter(({ address, kind, fields }) => {
    const of = kinds.get(kind);
    return of && can(of, "delete") && !isInside(address) && isAbout(of, fields, isInside);
  }).map(({ address }) => address);
  return [.../* @__PURE__ */ new Set([...known, ...about])];
}
var isAbout = (kind, fields, isGoing) => Object.entries(fields).some(
  ([name, value]) => isRef(value) && isGoing(value.$ref) && isInAddress(kind, name, fields)
);
function isInAddress(kind, name, fields) {
  if (kind.key.includes(name) || kind.shape.place.includes(name)) return true;
  if (!kind.yaml.names) return false;
  const { [name]: _, ...rest } = fields;
  return namesOf(kind, fields).join("/") !== namesOf(kind, rest).join("/");
}

// src/plan/select.ts
var matchesAny = (globs, address) => globs !== void 0 && globs.length > 0 && matcherOf(globs)(address);
var unmatched = (globs, addresses) => globs.filter((glob) => !addresses.some(matcherOf([glob]))).map(
  (glob) => problem("target/nothing", `no address matches ${glob}`, {
    hint: "addresses look like `projects/web/env/API_URL@production`; `**` matches any number of parts"
  })
);
function select(changes, input, report) {
  const { targets, excludes, part } = input.options ?? {};
  if (!targets?.length && !excludes?.length) return changes;
  const addresses = changes.map(({ address }) => address);
  if (!part) unmatched([...targets ?? [], ...excludes ?? []], addresses).forEach(report);
  const required = requirementsOf(changes, input);
  const isTarget = targets?.length ? matcherOf(targets) : () => true;
  const isExcluded = excludes?.length ? matcherOf(excludes) : () => false;
  const targeted = new Set(changes.filter(({ address }) => isTarget(address)));
  const chosen = new Set(targeted);
  for (const change of chosen) for (const other of required(change)) chosen.add(other);
  const dropped = /* @__PURE__ */ new Set();
  for (const change of chosen) if (isExcluded(change.address)) chosen.delete(change);
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const change of chosen)
      if (!required(change).every((other) => chosen.has(other))) {
        chosen.delete(change);
        dropped.add(change);
      }
  }
  const names = (of) => [...of].filter(({ action }) => action !== "noop").map(({ address }) => address).sort().join(", ");
  const added = names([...chosen].filter((change) => !targeted.has(change)));
  if (added)
    report(warning("target/closure", `the targets depend on ${added}, so the plan includes them too`));
  const left = names(dropped);
  if (left)
    report(warning("target/excluded", `${left} depends on what is excluded, so the plan leaves it out too`));
  return changes.filter((change) => chosen.has(change));
}
function requirementsOf(changes, { kinds, live, anew = /* @__PURE__ */ new Map() }) {
  const partners = new Map([...anew, ...[...anew].map(([from, to]) => [to, from])]);
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const holders = holdersOf(changes, kinds, live);
  const lists = groupBy(
    changes.filter(({ kind }) => kinds.get(kind).shape.orderDecides),
    ({ kind, parent }) => collectionId(kind, parent)
  );
  const isNeeded = (needed, { after }) => needed.action === "create" || needed.before?.transfer !== void 0 || // Remembered with what is in it.
  needed.after?.meta.existing === true || after?.meta.dependsOn?.includes(needed.address) && sends(needed);
  const required = (change) => {
    const { address, kind, parent, action } = change;
    const list = lists.get(kinds.get(kind).shape.orderDecides ? collectionId(kind, parent) : "") ?? [];
    const partner = [byAddress.get(partners.get(address) ?? "") ?? []].flat();
    if (action === "delete") return [...list, ...partner, ...holders(address).filter(sends)];
    const transfer = change.before?.transfer;
    const together = transfer ? [...holders(transfer.from).filter(sends), ...[byAddress.get(transfer.with ?? "") ?? []].flat()] : [];
    const needed = [...needsOf(change, kinds)].flatMap((other) => byAddress.get(other) ?? []);
    const renamed = action === "create" ? changes.filter(({ before }) => before?.renamedTo === address) : [];
    return [
      ...list,
      ...partner,
      ...together,
      ...needed.filter((other) => isNeeded(other, change)),
      ...renamed
    ];
  };
  const known = /* @__PURE__ */ new Map();
  return (change) => {
    const answer = known.get(change) ?? required(change);
    known.set(change, answer);
    return answer;
  };
}
var sends = ({ action, fields, before }) => before?.transfer !== void 0 || action === "update" || action === "replace" || action === "delete" || action === "create" || action === "adopt" && fields.some(asksForWrite);

return{needsOf:needsOf,namesIn:namesIn,holdersOf:holdersOf,deletionsIn:deletionsIn,idsIn:idsIn,contentOf:contentOf,isAbout:isAbout,matchesAny:matchesAny,unmatched:unmatched,select:select};})();exports.part_UFNWTKGU=part_UFNWTKGU;
const part_FJCNLGFD=(()=>{const {
  matchesAny
}=part_UFNWTKGU;const {
  makerOfId
}=require("./part-32.cjs").part_FIZFKDRW;const {
  childKinds,
  comparedFields,
  knownFields,
  leavesOf,
  secretIdOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  byCollection,
  collectionId
}=require("./part-106.cjs").part_DT2CDXHV;const {
  placeOf,
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  holdsSecret,
  holesIn,
  isPlainObject,
  isRef,
  isSecretRef,
  namesIn,
  sealAt
}=require("./part-80.cjs").part_DGIOX4B4;const {
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;

// src/plan/gathered.ts
var most = 3;
var resources = ({ address }) => address && wholeAddress(address);
var alike = {
  "secret/unset": {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their environment variables are not set`,
    hint: (variables) => `set ${variables.join(", ")}`
  },
  "secret/stand-in": {
    upTo: 1,
    about: ({ secret }) => secret?.name,
    message: (count) => `using placeholders for ${count} secrets (secrets are not read for the embedded twin)`
  },
  "source/env": {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their environment variables may not be read`,
    hint: (variables) => `write \`NAME: {}\` and set TRUEUP_SECRET_NAME, or allow them with ${variables.map((name) => `--allow-env ${name}`).join(" ")}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${variables.join(",")}\``
  },
  "source/file": {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their files may not be read`,
    hint: () => "allow them with --allow-files, for example --allow-files 'secrets/*.txt'; `trueup validate` names each"
  },
  "source/command": {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their commands may not run`,
    hint: () => "allow them with --allow-command, for example --allow-command 'op read op://deploy/*'; `trueup validate` names each"
  },
  "secret/not-compared": {
    about: resources,
    message: (count) => `the secrets of ${count} resources are not available here, so they were not compared`
  },
  "secret/previous-key": {
    about: resources,
    message: (count) => `the ledger entries for secrets of ${count} resources stay under the previous ledger key, since those secrets are not available here`,
    hint: () => "keep TRUEUP_LEDGER_KEY_PREVIOUS until they have been applied with their secrets"
  },
  "secret/unverified": {
    about: resources,
    message: (count) => `the secrets of ${count} resources cannot be read back, and their last applied values are unknown`,
    hint: () => "they are left as they are; to send them once, use --send-unverified GLOB"
  },
  "secret/changed-outside": {
    about: resources,
    message: (count) => `${count} resources may have changed outside: the platform has later writes than ours, and their secrets cannot be read back`,
    hint: () => "they are left as they are; to send them once, use --send-unverified GLOB"
  },
  // One cause, and one thing to do, however few there are.
  "secret/no-key": {
    upTo: 0,
    message: (_, all) => `TRUEUP_LEDGER_KEY is not set: ${all === 1 ? "1 secret is" : `${all} secrets are`} not compared`,
    hint: () => "set it to the key the ledger was written with; until then these secrets stay as they are"
  }
};
function gathered(given) {
  const diagnostics = [...groupBy(given.entries(), ([at, one]) => ofWhole(one) ?? String(at)).values()].map(
    (alike2) => together(alike2.map(([, one]) => one))
  );
  const byCode = groupBy(diagnostics, ({ code }) => code);
  return diagnostics.flatMap((one) => {
    const kind = alike[one.code];
    const of = byCode.get(one.code);
    if (!kind || of.length <= (kind.upTo ?? most)) return one;
    if (one !== of[0]) return [];
    const abouts = kind.about ? distinct(of.map(kind.about)) : [];
    const shown = abouts.length > 0 ? `: ${abouts.slice(0, most).join(", ")}` : "";
    const rest = abouts.length > most ? ` and ${abouts.length - most} more` : "";
    const users = distinct(of.flatMap(({ secret }) => secret?.users ?? []));
    const more = users.length > most ? ` and ${users.length - most} more` : "";
    const needed = users.length > 0 ? `; needed by ${users.slice(0, most).join(", ")}${more}` : "";
    const hint = kind.hint?.(distinct(of.map(({ secret }) => secret?.variable)));
    return warning(one.code, `${kind.message(abouts.length, of.length)}${shown}${rest}${needed}`, {
      ...one.at ? { at: one.at } : {},
      ...hint ? { hint } : {}
    });
  });
}
function ofWhole({ address, hint: _, ...one }) {
  const whole = address && wholeAddress(address);
  if (address === void 0 || whole === void 0 || whole === address) return void 0;
  return JSON.stringify([whole, one]).replaceAll(address, whole);
}
function together(alike2) {
  const [first] = alike2;
  const { address } = first;
  const places = distinct(alike2.map((one) => one.address && placeOf(one.address)));
  if (address === void 0 || places.length < 2) return first;
  const whole = wholeAddress(address);
  const isSameHint = alike2.every(({ hint }) => hint === first.hint);
  return {
    ...first,
    message: first.message.replace(address, () => `${whole} [${places.join(", ")}]`),
    ...isSameHint || first.hint === void 0 ? {} : { hint: `${first.hint}; likewise for its other targets` }
  };
}
var distinct = (items) => [
  ...new Set(items.filter((item) => item !== void 0))
];
var otherCause = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;
function leftOut(diagnostics) {
  const unset = diagnostics.filter(({ code }) => code === "secret/unset");
  if (unset.length === 0) return diagnostics;
  const isOnly = !diagnostics.some(({ code }) => otherCause.test(code));
  const isSaid = ({ code }) => code === "secret/unset" || isOnly && code === "secret/not-compared";
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const shown = names.slice(0, most).join(", ");
  const rest = names.length > most ? ` and ${names.length - most} more` : "";
  const [are, they] = names.length === 1 ? ["secret is", "it is"] : ["secrets are", "they are"];
  return [
    ...diagnostics.filter((one) => !isSaid(one)),
    warning(
      "secret/left-out",
      `${names.length} ${are} not available to pull request plans, so ${they} not compared: ${shown}${rest}`
    )
  ];
}
function concerning(diagnostics, { changes, partial }, { resources: resources2 }) {
  const wanted = partial ? changes.flatMap(({ address }) => resources2.get(address) ?? []) : [...resources2.values()];
  const holes = wanted.flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  const used = new Set(holes.map(({ $secret }) => $secret));
  const isInPlan = (one) => !partial || changes.some(({ address }) => isUnitOf(address, one));
  return diagnostics.filter(
    ({ severity, address, secret }) => severity === "error" || (address === void 0 || isInPlan(address)) && (secret === void 0 || used.has(secret.name))
  );
}
function isUnitOf(address, block) {
  const list = /^(.*\/)#\d+$/.exec(block)?.[1];
  return address === block || address.startsWith(list ?? `${block}@`);
}

// src/plan/note-secrets.ts
function noteSecrets({ unverified, touched, unavailable }, one) {
  const { want, entry, input, report } = one;
  const { address, at } = want;
  for (const path of unavailable)
    report(
      warning(
        "secret/not-compared",
        `${address}: the secret in \`${path}\` is not available here, so it was not compared`,
        { address, at }
      )
    );
  const previous = [input.key?.previous, input.key?.previous?.former].map((one2) => one2?.id);
  const isUnderPrevious = (path) => {
    const key = entry?.secrets[path]?.key;
    return key !== void 0 && previous.includes(key);
  };
  for (const path of unavailable.filter(isUnderPrevious))
    report(
      warning(
        "secret/previous-key",
        `${address}: the ledger entry for \`${path}\` stays under the previous ledger key, since the secret is not available here`,
        { address, at, hint: "keep TRUEUP_LEDGER_KEY_PREVIOUS until it has been applied with the secret" }
      )
    );
  const isKeyless = (path) => !input.key && entry?.secrets[path] !== void 0;
  for (const path of unverified)
    if (isKeyless(path)) report(withoutKey(address, path, at));
    else if (!touched.includes(path))
      report(
        warning(
          "secret/unverified",
          `${address}: \`${path}\` cannot be read back, and its last applied value is unknown`,
          { address, at, hint: `it is left as it is; to send it once, use ${flags(one)}` }
        )
      );
  for (const path of touched.filter((path2) => !(unverified.includes(path2) && isKeyless(path2))))
    report(
      warning(
        "secret/changed-outside",
        `${address}: may have changed outside: the platform has a later write than the one recorded here, and \`${path}\` cannot be read back`,
        { address, at, hint: `it is left as it is; to send it once, use ${flags(one)}` }
      )
    );
}
function flags({ want, found, kind, input: { live, desired } }) {
  const shares = (address) => live.resources.get(address)?.ids.some((id) => found?.ids.includes(id)) ?? false;
  const collection = collectionId(kind.name, want.parent);
  const siblings = byCollection(desired.resources).get(collection) ?? [];
  const together2 = siblings.map(({ address }) => address).filter(shares);
  return [.../* @__PURE__ */ new Set([want.address, ...together2])].sort().map((address) => `--send-unverified '${address}'`).join(" ");
}
var withoutKey = (address, path, at) => warning("secret/no-key", `TRUEUP_LEDGER_KEY is not set: \`${path}\` of ${address} is not compared`, {
  address,
  ...at ? { at } : {},
  hint: "set it to the key this was applied with; until then it stays as it is"
});
function sealLive(input) {
  const { desired, live, ledger, kinds } = input;
  const sealed = (resource) => {
    const kind = kinds.get(resource.kind);
    const want = desired.resources.get(resource.address);
    const isSecret = kind && want && holdsSecret(want.fields);
    const wanted = isSecret ? leavesOf(comparedFields(kind), want.fields) : [];
    const paths = [
      ...Object.keys(ledger.entries[resource.address]?.secrets ?? {}),
      ...ledger.entries[resource.address]?.hidden ?? [],
      ...wanted.filter(({ value }) => holdsSecret(value)).map(({ path }) => path)
    ].map(namesIn);
    if (paths.length === 0) return resource;
    const fieldsOf = (fields) => paths.reduce((value, path) => sealAt(value, path), fields);
    return {
      ...resource,
      fields: fieldsOf(resource.fields),
      ...resource.rows ? { rows: resource.rows.map((row) => ({ ...row, fields: fieldsOf(row.fields) })) } : {},
      ...resource.alternatives ? { alternatives: resource.alternatives.map(sealed) } : {}
    };
  };
  const resources2 = new Map([...live.resources].map(([address, resource]) => [address, sealed(resource)]));
  return { ...input, live: { ...live, resources: resources2 } };
}

// src/plan/input.ts
var factsUnder = (parent, { facts, live }) => parent === void 0 ? facts : { ...facts, ...live.resources.get(parent)?.facts };
var attributeIn = ({ resources: resources2 }) => (address, attr) => {
  const target = resources2.get(address);
  return attr === "id" ? target?.id : target?.fields[attr];
};

// src/plan/match.ts
function match(live, want, entry) {
  const all = live?.alternatives ?? (live ? [live] : []);
  const chosen = want?.meta.id;
  const has = (id) => all.find((one) => one.ids.includes(id));
  const known = entry?.ids.findLast(has);
  const meant = has(known ?? chosen ?? "");
  if (want && !entry && chosen !== void 0 && !meant)
    return { others: all, problem: noSuchId(want, chosen, all) };
  if (all.length < 2) return { ...live ? { found: live } : {}, others: [] };
  if (!meant)
    return want ? { others: all, problem: ambiguous(want, all) } : { found: live, others: all.slice(1) };
  const others = all.filter((one) => one !== meant);
  const holder = others.find((one) => one.renamedTo === void 0);
  return want && meant.renamedTo !== void 0 && holder ? { found: meant, others, problem: nameTaken(want, meant, holder) } : { found: meant, others };
}
var idsOf = (all) => all.map(({ id }) => id).join(", ");
var ambiguous = ({ address, at }, all) => problem("match/ambiguous", `${all.length} live objects are named ${address}: ${idsOf(all)}`, {
  address,
  at,
  hint: "write `$id: ID` in the block to select one"
});
var noSuchId = ({ address, at }, id, all) => problem(
  "match/no-such-id",
  `${address} says \`$id: ${id}\`, but ${all.length === 0 ? "no object in the account has that name" : `the objects with that name are ${idsOf(all)}`}`,
  { address, at, hint: "correct the `$id`; without `$id`, a missing object is created" }
);
var nameTaken = ({ address, at }, meant, holder) => problem(
  "match/name-taken",
  `${address} is now named ${meant.renamedTo} in the account (${meant.id}), and another object (${holder.id}) has the old name`,
  {
    address,
    at,
    hint: "rename or delete one of them in the account, or declare both under their current names"
  }
);
function unidentifiable(one) {
  const { kind, found, entry, input, address, want, report } = one;
  const secretId = secretIdOf(kind);
  if (secretId === void 0 || found) return false;
  if (!entry) return isNotCompared(one, secretId);
  if (entry.ids.some((id) => makerOfId(input.key, id))) return false;
  if (want && matchesAny(input.options?.sendUnverified, address)) return false;
  if (!input.key) {
    report(withoutKey(address, "id", want?.at));
    return true;
  }
  report(
    warning(
      "secret/unverified",
      `${address}: the ledger identifies it by a digest of another key, so the object cannot be determined`,
      {
        address,
        ...want ? { at: want.at } : {},
        hint: want ? `run with the key it was applied with, or create a new one with --send-unverified '${address}'` : "run with the key it was applied with; until then it stays"
      }
    )
  );
  return true;
}
function isNotCompared({ kind, parent, input, address, want, report }, secretId) {
  const { desired, live, ledger, secrets } = input;
  const value = want?.fields[secretId];
  if (!want || value === void 0 || holesIn(value).every((hole) => "$secret" in hole && secrets.has(hole.$secret)))
    return false;
  const isFree = (one) => one.kind === kind.name && one.parent === parent && !desired.resources.has(one.address) && !ledger.entries[one.address];
  if (![...live.resources.values()].some(isFree)) return false;
  report(
    warning(
      "secret/not-compared",
      `${address}: the secret in \`${secretId}\` is not available here, so it was not compared; it may already be in the account`,
      { address, at: want.at }
    )
  );
  return true;
}
function claimedByName(input) {
  const { desired, live, ledger, kinds } = input;
  const resources2 = new Map(live.resources);
  const claims = new Map(input.claims);
  for (const one of live.resources.values()) {
    const { address, renamedTo, kind } = one;
    if (renamedTo === void 0 || one.alternatives || desired.resources.has(address)) continue;
    const isFree = desired.resources.has(renamedTo) && !resources2.has(renamedTo) && !ledger.entries[renamedTo];
    if (!isFree || !ledger.entries[address] || childKinds(kinds, kind).length > 0) continue;
    const { renamedTo: _, ...rest } = one;
    resources2.delete(address);
    resources2.set(renamedTo, { ...rest, address: renamedTo });
    claims.set(renamedTo, address);
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources: resources2 } };
}
function withClaims(ledger, claims) {
  const entries = { ...ledger.entries };
  for (const [address, old] of claims) {
    const entry = entries[old];
    if (!entry) continue;
    delete entries[old];
    entries[address] = entry;
  }
  return { ...ledger, entries };
}
function paired(input) {
  const { desired, live, kinds, secrets, ledger } = input;
  const resources2 = new Map(live.resources);
  const claims = new Map(input.claims);
  const unnamed = [...desired.resources.values()].filter(({ kind }) => kinds.get(kind)?.shape.pair);
  const attribute = attributeIn(live);
  const found = byCollection(live.resources);
  for (const [id, wanted] of groupBy(unnamed, ({ kind, parent }) => collectionId(kind, parent))) {
    const kind = kinds.get(wanted[0].kind);
    const pairing = kind.shape.pair({
      kind,
      wanted,
      found: new Map((found.get(id) ?? []).map((one) => [one.address, one])),
      fieldsOf: (want) => knownFields(kind, want, { secrets, attribute }),
      isKnown: (address) => ledger.entries[address] !== void 0
    });
    for (const address of pairing.gone) resources2.delete(address);
    for (const one of pairing.put) resources2.set(one.address, one);
    for (const [now, old] of pairing.claims) claims.set(now, old);
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources: resources2 } };
}

// src/kind/said-twice.ts
function saidTwice(all, live, kinds) {
  const byKind = groupBy([...all], ({ kind }) => kind);
  const isIdOf = (value, parent) => isRef(value) ? value.$ref === parent : value === live.resources.get(parent)?.id;
  const found = [];
  for (const [of, ones] of byKind)
    for (const { name, mirrored } of mirrorsIn(kinds.get(of))) {
      const { kind, own } = mirrored;
      const others = groupBy(byKind.get(kind) ?? [], ({ fields }) => fields[own.field]);
      for (const one of ones) {
        const fact = live.resources.get(one.address)?.facts?.[own.fact];
        const items = one.fields[name];
        if (fact === void 0 || !Array.isArray(items)) continue;
        const parents = items.filter(isPlainObject).map((item) => item[mirrored.parent]);
        for (const other of others.get(fact) ?? [])
          if (parents.some((parent) => isIdOf(parent, other.parent))) found.push({ one, name, other });
      }
    }
  return found;
}
var mirrorsIn = ({ fields }) => Object.entries(fields).flatMap(([name, schema]) => {
  const { mirrors } = traitsOf(schema);
  return mirrors ? [{ name, mirrored: mirrors }] : [];
});

return{gathered:gathered,leftOut:leftOut,concerning:concerning,factsUnder:factsUnder,attributeIn:attributeIn,noteSecrets:noteSecrets,sealLive:sealLive,match:match,unidentifiable:unidentifiable,claimedByName:claimedByName,paired:paired,saidTwice:saidTwice};})();exports.part_FJCNLGFD=part_FJCNLGFD;
