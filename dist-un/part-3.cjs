"use strict";const part_33APWL5K=(()=>{const {
  judgeSecrets
}=require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;const {
  inFolder,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  loadStages,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  isOfStacks,
  withConfiguration,
  withSources,
  withStacks
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;const {
  oncePerPlace
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;const {
  annotate,
  noTokenReason,
  note
}=require("./part-15.cjs").part_BAXXSSA2;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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
;

// src/cli/validate.ts
function validateCommand(command, provider, run) {
  withStacks(withSources(withConfiguration(command))).addOption(
    new Option("--format <format>", "output format; sarif is for code scanning").choices(["text", "json", "sarif"]).default("text")
  ).option("--twin", "accepted for consistency; no account is contacted").action(async (options) => {
    const terminal = terminalFor(run, options);
    const reason = noTokenReason(run.host);
    if (reason !== void 0)
      note(`${capitalized(reason)}: validated, not planned.`, "trueup validate", terminal);
    if (options.format !== "text") {
      const diagnostics2 = await diagnosticsOf(provider, options, run);
      const file = options.file?.[0] ?? "trueup.yaml";
      terminal.out(
        options.format === "json" ? (await Promise.resolve().then(()=>require("./part-77.cjs").part_YIBEJC5O)).validationJson(diagnostics2) : (await Promise.resolve().then(()=>require("./part-117.cjs").part_XOU4YKEL)).sarifLog(diagnostics2, run.host, file)
      );
      if (hasErrors(diagnostics2)) run.exitCode = 1;
      return;
    }
    const { looked, diagnostics, notes } = await look(provider, options, run);
    terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
    annotate(diagnostics, terminal);
    for (const { name, desired } of looked)
      terminal.out(
        `The configuration${cleanLine(name)} is valid: ${count(desired.resources.size, "resource")} in ${count(desired.inputs.length, "file")}.`
      );
    for (const { message, hint, at } of notes)
      terminal.err(`Note: ${cleanLine(message)} (${at?.file}:${at?.line}).
  ${cleanLine(hint ?? "")}`);
  });
}
var capitalized = (text) => text[0].toUpperCase() + text.slice(1);
async function lookAtStacks(provider, options, run) {
  if (options.file || options.stage)
    throw new Problems([
      problem("all/one-stack", "--file and --stage cannot be combined with --all", {
        hint: "validate one stack with --file and --stage, or all stacks with --all"
      })
    ]);
  const { chosen, folder, notes: said } = await workspaceStacks(provider, options, run);
  for (const text of said) terminalFor(run, options).err(cleanLine(text));
  const looked = [];
  const diagnostics = [];
  const notes = [];
  const sources = sourcesFor(options, inFolder(run, folder).host);
  for (const { id, look: look2 } of chosen) {
    looked.push({ name: ` of ${id}`, desired: look2.desired });
    diagnostics.push(...look2.diagnostics);
    notes.push(...look2.notAllowed, ...await judgeSecrets(look2, sources));
  }
  if (hasErrors(diagnostics)) throw new Problems(oncePerPlace(diagnostics));
  return { looked, diagnostics: oncePerPlace(diagnostics), notes: oncePerPlace(notes) };
}
async function look(provider, options, run) {
  if (isOfStacks(options)) return lookAtStacks(provider, options, run);
  const sources = sourcesFor(options, run.host);
  const looked = [];
  const diagnostics = [];
  const notes = [];
  const wrong = [];
  for (const { stage, load } of await loadStages(provider, options, run, { sources, isLook: true }))
    try {
      const configuration = await load();
      looked.push({
        name: stage === void 0 ? "" : ` of the stage ${stage}`,
        desired: configuration.desired
      });
      diagnostics.push(...configuration.diagnostics);
      notes.push(...configuration.notAllowed, ...await judgeSecrets(configuration, sources));
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      wrong.push(...error.diagnostics);
    }
  if (wrong.length > 0) throw new Problems(oncePerPlace([...wrong, ...diagnostics]));
  return { looked, diagnostics: oncePerPlace(diagnostics), notes: oncePerPlace(notes) };
}
async function diagnosticsOf(provider, options, run) {
  try {
    const { diagnostics, notes } = await look(provider, options, run);
    return [...diagnostics, ...notes.map((one) => ({ ...one, severity: "warning" }))];
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics;
    throw error;
  }
}
return{validateCommand:validateCommand};})();exports.part_33APWL5K=part_33APWL5K;
