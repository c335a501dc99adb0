"use strict";const part_FL4B4CBT=(()=>{const {
  documentsFor
}=require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  inFolder,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  isFile
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  changedSinceOption,
  ledgerHelp,
  ledgerIndexOption,
  standard,
  withConfigurationOf,
  workspaceOption
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  hasErrors
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
;
;
;

// src/cli/stacks.ts
function stacksCommand(command, provider, run) {
  withConfigurationOf(command).addOption(changedSinceOption()).addOption(workspaceOption()).option("--json", 'print a CI job matrix: {"include":[{"path":"shop","stage":"staging",...}]}').option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledgers").action(async (given) => {
    const options = { ...given, ...standard };
    const terminal = terminalFor(run, options);
    const found = await workspaceStacks(provider, options, run);
    for (const note of found.notes) terminal.err(cleanLine(note));
    const place = (stack) => ledgerOf(stack, found, options, run);
    if (options.json)
      terminal.out(jsonText({ include: found.chosen.map((one) => rowOf(one, place(one))) }));
    else for (const stack of found.chosen) terminal.out(lineOf(stack, place(stack), terminal));
    if (!options.json)
      terminal.err(
        found.chosen.length === found.all.length ? `${count(found.all.length, "stack")}.` : `${found.chosen.length} of ${count(found.all.length, "stack")}.`
      );
    for (const { id, look } of found.chosen.filter((one) => hasErrors(one.look.diagnostics))) {
      terminal.err(`
${cleanLine(id)} cannot be read:`);
      terminal.err(diagnosticsText(look.diagnostics, { style: terminal.errStyle }));
      run.exitCode = 1;
    }
    for (const text of await leftLedgers(found, options, run)) terminal.err(cleanLine(text));
  });
}
var rowOf = ({ id, path, stage, needs, look, entry }, ledger) => ({
  id,
  path,
  file: entry.file,
  ...stage === void 0 ? {} : { stage },
  ...look.desired.stack === "" ? {} : { stack: look.desired.stack },
  needs,
  ledger
});
function lineOf({ id, needs, look }, ledger, { outStyle }) {
  const { stack } = look.desired;
  const about = [
    `stack ${stack || "unknown"}`,
    ...needs.length > 0 ? [`needs ${needs.join(", ")}`] : [],
    ...stack === "" ? [] : [`ledger ${ledger}`]
  ];
  return cleanLine(`${id}  ${outStyle.quiet(about.join("; "))}`);
}
function ledgerOf({ look }, { folder }, options, run) {
  const { stack } = look.desired;
  return stack === "" ? "" : documentsFor(stack, options, inFolder(run, folder).host).place;
}
async function leftLedgers({ all, folder }, options, run) {
  if (all.some(({ look }) => look.desired.stack === "")) return [];
  const { host } = inFolder(run, folder);
  const known = new Set(all.map(({ look }) => look.desired.stack));
  const [first] = known;
  if (first === void 0) return [];
  const documents = documentsFor(first, options, host);
  const others = await documents.others().catch((error) => {
    const where = isFile(options, host) ? "the folder of the ledgers" : documents.place.replace(/^.* at /, "");
    return [{ place: where, text: "", error }];
  });
  return others.flatMap((one) => {
    if ("error" in one) return [`The ledgers at ${one.place} cannot be listed: ${one.error.message}`];
    const stack = stackIn(one.text ?? "");
    if (stack === void 0 || known.has(stack)) return [];
    return [
      `The ledger ${one.place} is of the stack ${stack}, which is not in the workspace. If that stack is gone, restore its configuration and run \`trueup destroy\`, or keep its objects: \`trueup ledger retire ${stack}\`.`
    ];
  });
}
function stackIn(text) {
  try {
    const { stack } = JSON.parse(text);
    return typeof stack === "string" ? stack : void 0;
  } catch {
    return void 0;
  }
}
return{stacksCommand:stacksCommand};})();exports.part_FL4B4CBT=part_FL4B4CBT;
