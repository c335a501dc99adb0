"use strict";const part_EOX35J2K=(()=>{const {
  isGiven,
  saveSessionPlan,
  shapingNames,
  uncompared
}=require("./part-116.cjs").part_LBJ4LO3O;const {
  isSavedPlan,
  parseSavedPlan,
  savedPlan,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;const {
  requireKey
}=require("./part-89.cjs").part_JDYKD6X4;const {
  isSignature,
  signature,
  signerOf
}=require("./part-32.cjs").part_FIZFKDRW;const {
  outputFile
}=require("./part-18.cjs").part_CTIH5LY5;const {
  isFailed
}=require("./part-87.cjs").part_PVJV4EET;const {
  array,
  literal,
  strictObject,
  string
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  digest
}=require("./part-85.cjs").part_SJG7KYTO;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { lstat, readFile }=require("node:fs/promises");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/plan-file.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;

// src/approval/saved-stacks.ts
var part = strictObject({
  /** `shop`, or `shop@staging`. */
  id: string(),
  path: string(),
  stage: string().optional(),
  needs: array(string()),
  /** The objects that other parts create before: nothing was known of them, and only they may differ. */
  awaits: array(strictObject({ address: string(), stack: string() })).optional(),
  plan: savedPlan
});
var savedStacks = strictObject({
  format: literal("trueup plans"),
  formatVersion: literal(1),
  parts: array(part).min(1),
  key: string().optional(),
  seal: string().optional(),
  checksum: string()
});
var isSavedStacks = (text) => /^\s*\{\s*"format"\s*:\s*"trueup plans"/.test(text);
function sealedStacks(parts, key) {
  const body = { format: "trueup plans", formatVersion: 1, parts };
  const named = key ? { ...body, key: key.id } : body;
  const sealed = key ? { ...named, seal: signature(key, "plan", "stacks", textOf(named)) } : named;
  return { ...sealed, checksum: checksumOf(sealed) };
}
function parseSavedStacks(text, place) {
  const damaged = (why) => new Problems([
    problem("approval/damaged", `${place}: these plans were damaged or edited: ${why}`, {
      hint: "create new plans with `trueup plan --all --out FILE` and have them approved"
    })
  ]);
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged("it is not valid JSON");
  }
  if (json?.formatVersion > 1)
    throw new Problems([
      problem("approval/newer", `${place}: these plans were saved by a newer version of trueup`, {
        hint: "upgrade trueup"
      })
    ]);
  const result = savedStacks.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw damaged(`${issue?.path.join(".") || "the document"} is not in the form trueup writes`);
  if (result.data.checksum !== checksumOf(json)) throw damaged("the checksum does not match");
  for (const { id, plan } of result.data.parts) parseSavedPlan(JSON.stringify(plan), `${place}, ${id}`);
  return result.data;
}
function sealingOf(saved, key) {
  if (saved.key === void 0 || saved.seal === void 0) return { state: "none" };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: "unknown", key: saved.key };
  const isIntact = isSignature(saved.seal, signer, "plan", "stacks", textOf(saved));
  return { state: isIntact ? "sealed" : "broken", key: saved.key };
}
var textOf = ({ seal: _, checksum: __, ...rest }) => canonical(rest);
var checksumOf = ({ checksum: _, ...rest }) => digest("trueup plans", rest);

// src/cli/plan-file.ts
var readPlanFile = async (path, host) => parseSavedPlan(await readText(path, host), path);
async function readText(path, host) {
  return readFile(pathOn(host, path), "utf8").catch((error) => {
    throw new Problems([
      problem("approval/unreadable", `the plan ${path} cannot be read: ${systemText(error)}`, {
        hint: "pass a file written by `trueup plan --out FILE`"
      })
    ]);
  });
}
async function writeApproval(path, saved, host) {
  await refuseOtherFile(path, host);
  try {
    await (0, import_write_file_atomic.default)(await outputFile(host, path), `${jsonText(saved)}
`, { mode: 384 });
  } catch (error) {
    if (error instanceof Problems) throw error;
    throw unwritable(path, error.message);
  }
}
async function refuseOtherFile(path, host) {
  const status = await lstat(pathOn(host, path)).catch((error) => {
    if (error.code === "ENOENT") return void 0;
    throw unwritable(path, error.message);
  });
  if (!status) return;
  const text = status.isFile() ? await readFile(pathOn(host, path), "utf8").catch((error) => {
    throw unwritable(path, error.message);
  }) : void 0;
  if (text !== void 0 && (text === "" || isSavedPlan(text) || isSavedStacks(text))) return;
  throw new Problems([
    problem("approval/exists", `${path} already exists and is not a plan, so it is not overwritten`, {
      hint: "choose another file with --out"
    })
  ]);
}
var unwritable = (path, why) => new Problems([
  problem("approval/unwritable", `the plan cannot be written to ${path}: ${why}`, {
    hint: "choose a file in a writable folder"
  })
]);
var newPlanFile = (path, host) => ({
  /** Throws `Problems` if there is something else than a plan. */
  refuseOther: () => refuseOtherFile(path, host),
  /**
   * Makes sure that there is a key to seal an approved plan with. In CI it makes none: without a key in the environment, the saved
   * plan is good for reading only.
   */
  keyToApprove: async (session, options) => {
    if (!host.env.CI || options.twin) await requireKey(session, options);
  },
  save: (session, plan, options) => save(session, plan, path, options)
});
async function save(session, plan, path, options) {
  if (hasErrors(plan.diagnostics)) return [`${path} was not written: a plan with errors cannot be approved.`];
  const saved = saveSessionPlan(session, plan, options);
  await writeApproval(path, saved, session.host);
  const repeat = ["file", "var", "varFile", "ledger", "twin", "baseUrl", "tokenFile"].filter(
    (name) => options[name] !== void 0
  );
  const same = repeat.length > 0 ? `, with the same ${repeat.map(flagOf).join(", ")}` : "";
  const shown = `Saved to ${path}. \`trueup show ${path}\` shows it`;
  if (!session.key)
    return [`${shown}. It is not sealed, since no key is available here: it can be read but not applied.`];
  const done = `${shown}, \`trueup apply ${path}\` applies it${same}.`;
  const addresses = uncompared(saved);
  if (addresses.length === 0) return [done];
  return [
    done,
    `It cannot be applied as it is, since a secret was not compared: ${addresses.join(", ")}. Plan where that secret is available.`
  ];
}
async function approvedPlan(file, given, host) {
  refuseShaping(given);
  return readPlanFile(file, host);
}
function refuseShaping(given) {
  const flags = shapingNames.filter((name) => isGiven(name, given[name])).map(flagOf);
  if (flags.length === 0) return;
  throw new Problems([
    problem("approval/options", `${flags.join(", ")} cannot be combined with a saved plan`, {
      hint: "a saved plan is applied as it is; pass them to `trueup plan --out FILE` and have that plan approved"
    })
  ]);
}
var flagOf = (name) => `--${name === "actions" ? "no-" : ""}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
async function saveStacks(planned, path, host) {
  if (planned.length === 0) return [`${path} was not written: there is no plan.`];
  if (planned.some(({ report }) => isFailed(report)))
    return [`${path} was not written: a plan with errors cannot be approved.`];
  const parts = planned.map(({ session, report, options }) => {
    const { id, path: of, stage, needs } = report;
    const plan = report.plan;
    return {
      id,
      path: of,
      ...stage === void 0 ? {} : { stage },
      needs,
      ...plan.awaits ? { awaits: plan.awaits } : {},
      plan: saveSessionPlan(session, plan, options)
    };
  });
  const { key } = planned[0].session;
  await writeApproval(path, sealedStacks(parts, key), host);
  const shown = `Saved to ${path}. \`trueup show ${path}\` shows it`;
  if (!key)
    return [`${shown}. It is not sealed, since no key is available here: it can be read but not applied.`];
  const addresses = parts.flatMap(({ id, plan }) => uncompared(plan).map((address) => `${id}: ${address}`));
  return [
    `${shown}, \`trueup apply ${path}\` applies it.`,
    ...addresses.length > 0 ? [`It cannot be applied as it is, since a secret was not compared: ${addresses.join(", ")}.`] : []
  ];
}
var readStacksFile = async (path, host) => parseSavedStacks(await readText(path, host), path);
var shownStacks = ({ parts }) => parts.map(({ plan, awaits, ...about }) => ({
  ...about,
  stack: plan.stack,
  plan: { ...shownPlan(plan), ...awaits ? { awaits } : {} }
}));

return{isSavedStacks:isSavedStacks,parseSavedStacks:parseSavedStacks,sealingOf:sealingOf,readPlanFile:readPlanFile,readText:readText,refuseOtherFile:refuseOtherFile,newPlanFile:newPlanFile,approvedPlan:approvedPlan,refuseShaping:refuseShaping,flagOf:flagOf,saveStacks:saveStacks,readStacksFile:readStacksFile,shownStacks:shownStacks};})();exports.part_EOX35J2K=part_EOX35J2K;
