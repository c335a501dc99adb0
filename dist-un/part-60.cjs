"use strict";const part_PHFSSWKC=(()=>{const {
  countsText,
  isOfAction,
  isOfLedger,
  readHistory
}=require("./part-107.cjs").part_MXVH3ICS;const {
  documentsFor,
  keyOf,
  ledgerOf,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  isVerified
}=require("./part-27.cjs").part_EN3WE5DN;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  show
}=require("./part-88.cjs").part_RDEMRLSM;const {
  cutCounted
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
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

// src/history/log-text.ts
var signs = {
  create: "+",
  adopt: "=",
  update: "~",
  replace: "\xB1",
  move: ">",
  release: "o",
  forget: "o",
  delete: "-",
  noop: " "
};
function logText(entries, { style, details, hasKey }) {
  const texts = entries.map(({ record, changes }) => {
    const lines = [
      ...headLines(record, style, hasKey),
      ...details ? [...changeLines(record, changes, style), ...actionLines(record, style)] : []
    ];
    return lines.join("\n");
  });
  return plainly(texts.join(details ? "\n\n" : "\n"), style);
}
function headLines({ head, proof }, style, hasKey) {
  const { run, start, was, actor, ci, commit, stage } = head;
  const what = commandText(head);
  const doubt = hasKey && !isVerified(proof) ? [style.alarm(`not verified: ${doubtText(proof)}`)] : [];
  const first = [
    style.strong(`#${run}`),
    start.replace(/\.\d+Z$/, "Z"),
    `${cleanLine(what)}${stage === void 0 ? "" : ` (${cleanLine(stage)})`}`,
    ...was === void 0 && head.command !== "sign" && !isOfAction(head) ? [countsText(head)] : [],
    ...endText(head).map(style.warn),
    ...doubt
  ];
  const second = [
    actor ? `by ${cleanLine(actor.name)} (as ${cleanLine(actor.says)} says)` : "author unknown",
    ...ci ? [cleanLine([ci.name, ci.run, ci.url].filter(Boolean).join(" "))] : [],
    ...isOfLedger(head) ? ["no object was changed"] : [commitText(commit)]
  ];
  return [first.join("  "), style.quiet(`    ${second.join("; ")}`)];
}
var actionLines = ({ details }, style) => (details?.actions ?? []).map(
  ({ id, result }) => `    ${style.quiet(">")} ${cleanLine(id)}: ${actionWords[result]}`
);
var actionWords = {
  done: "sent",
  owed: "owed",
  refused: "failed, still pending",
  unknown: "unknown",
  nothing: "nothing to do"
};
var commitText = (commit) => commit ? `commit ${commit.id.slice(0, 12)}${commit.dirty ? ", with uncommitted changes" : ""}` : "no commit";
function commandText(head) {
  const { command, action, undoes, was, to, from } = head;
  if (action !== void 0) return `${command} ${action}`;
  if (undoes !== void 0) return `${command} of #${undoes}`;
  if (was !== void 0) return `renamed from ${was}`;
  const where = to !== void 0 ? ` to ${to}` : from !== void 0 ? ` from ${from}` : "";
  return isOfLedger(head) ? `ledger ${command}${where}` : command;
}
function endText({ outcome, resumes }) {
  const texts = {
    begun: ["has no recorded outcome: it is running, or was killed"],
    done: [],
    renamed: [],
    failed: ["failed"],
    "not finished": ["not finished: a rate limit"],
    interrupted: ["interrupted"]
  }[outcome];
  return [...texts, ...resumes === void 0 ? [] : [`went on with #${resumes}`]];
}
function doubtText(proof) {
  switch (proof.doubt) {
    case "no-key":
      return "no key here";
    case "unsigned":
      return "it is not signed";
    case "other-key":
      return `signed by a different key, ${proof.key}`;
    case "altered":
      return `changed after the key ${proof.key} signed it`;
  }
}
function changeLines({ details }, changes, style) {
  if (!details) return [style.quiet("    its changes are no longer kept: the run is too old")];
  const lines = changes.flatMap(({ address, action, result, fields, omitted }) => {
    const state = result === "done" ? "" : `  ${style.warn(`(${result})`)}`;
    const left = omitted ? [style.quiet("        its fields were not kept: there were too many")] : [];
    return [
      `    ${signs[action]} ${cleanLine(address)}${state}`,
      ...fields.map((one) => `        ${fieldText(one, style)}`),
      ...left
    ];
  });
  const more = details.more ?? 0;
  return more > 0 ? [...lines, style.quiet(`    ... and ${more} more, which were not kept`)] : lines;
}
var room = 60;
function fieldText({ path, before, after, cause, omitted, secret }, { quiet }) {
  const value = (side) => cutCounted(cleanLine(side === "(secret)" ? side : show(side)), room);
  const note = cause === "drift" || cause === "conflict" ? quiet("  (was changed outside)") : "";
  const name = cleanLine(path);
  if (omitted) return `${name}: ${secret ? "(secret)" : quiet("value not kept")}${note}`;
  if (before === void 0 || after === void 0) return `${name}: ${value(after ?? before)}${note}`;
  return `${name}: ${value(before)} \u2192 ${value(after)}${note}`;
}
var logJson = (entries, doubts, stack) => ({
  formatVersion: "1.0",
  stack,
  doubts,
  runs: entries.map(({ record: { head, proof, details }, changes }) => {
    const { formatVersion: _, details: __, previous: ___, ...facts } = head;
    return {
      ...facts,
      verified: isVerified(proof),
      ...isVerified(proof) ? {} : { notVerified: doubtText(proof) },
      ...details ? { changes } : { summarised: true }
    };
  })
});

// src/cli/history-place.ts
async function openHistory(stack, options, host) {
  const documents = documentsFor(stack, options, host);
  const key = await keyOf(options, host);
  const store = await storeFor(stack, options, host, key, documents);
  const ledger = await ledgerOf(stack, store);
  return { ...await readHistory(documents, ledger, key), key, ledger, documents };
}
function sayDoubts({ doubts, key, records }, terminal) {
  const { warn } = terminal.errStyle;
  if (records.length > 0 && !key)
    terminal.err(
      warn("Not verified: no key here. Anyone with write access to the store could have written this.")
    );
  for (const doubt of doubts) terminal.err(warn(cleanLine(`The history is incomplete: ${doubt}.`)));
}
function runNumber(text) {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== void 0) return Number(number);
  throw new Problems([
    problem("history/run", `${JSON.stringify(text)} is not a run number`, {
      hint: "`trueup log` lists them"
    })
  ]);
}
var noRun = (run, { records }) => new Problems([
  problem("history/unknown", `there is no record of run ${run}`, {
    hint: records.length === 0 ? "the history is empty; future applies are recorded" : `\`trueup log\` lists runs ${records[0].head.run} to ${records.at(-1).head.run}`
  })
]);

return{logText:logText,doubtText:doubtText,logJson:logJson,openHistory:openHistory,sayDoubts:sayDoubts,runNumber:runNumber,noRun:noRun};})();exports.part_PHFSSWKC=part_PHFSSWKC;
