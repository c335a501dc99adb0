"use strict";const part_4IQERMVV=(()=>{const {
  planMarkdown
}=require("./part-95.cjs").part_HSR2BE55;const {
  code,
  commentLimit,
  diagnosticForms,
  plainPlaces,
  sizeOf,
  stackMarker
}=require("./part-95.cjs").part_T5M5UDUZ;const {
  awaitsTexts,
  overview,
  skippedText
}=require("./part-87.cjs").part_PVJV4EET;;
;
;

// src/report/markdown/stacks-markdown.ts
var everyStack = "*";
var least = 4e3;
function stacksMarkdown(reports, pace, limit = commentLimit, places = plainPlaces) {
  const head = [
    stackMarker(everyStack),
    `### trueup plan: ${overview(reports)}`,
    ...reports.length === 0 ? ["No stack is affected."] : []
  ];
  const whole = reports.map((report) => partOf(report, pace, { limit: Number.POSITIVE_INFINITY, places }));
  const sizes = whole.map((text) => sizeOf(text) + 2);
  let room = limit - sizeOf(head.join("\n\n")) - sizeOf(leftText(reports)) - 10;
  const parts = [...whole];
  const left = [];
  const order = [...reports.keys()].sort((a, b) => sizes[a] - sizes[b]);
  for (const [done, at] of order.entries()) {
    const share = Math.floor(room / (order.length - done));
    if (sizes[at] > share) {
      parts[at] = share < least ? "" : partOf(reports[at], pace, { limit: share - 2, places });
      if (sizeOf(parts[at]) + 2 > share) parts[at] = "";
      if (parts[at] === "") left.push(reports[at]);
    }
    room -= parts[at] === "" ? 0 : sizeOf(parts[at]) + 2;
  }
  const rest = left.length > 0 ? [leftText(left)] : [];
  return `${[...head, ...parts.filter((text) => text !== ""), ...rest].join("\n\n").trimEnd()}
`;
}
var leftText = (reports) => `**Truncated: ${reports.map(({ id }) => code(id)).join(", ")}.**`;
function partOf(report, pace, { limit, places }) {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `, after ${needs.map(code).join(", ")}` : "";
  const head = [`---`, `${code(id)}${after}`, ...awaitsTexts(report).map((text) => code(text))].join("\n\n");
  const room = limit - sizeOf(head) - 2;
  if (plan) {
    const text = planMarkdown(plan, pace, room, places).split("\n").slice(1).join("\n").trim();
    return `${head}

${text}`;
  }
  const told = failed ? ["**This could not be planned.**", ...failed.map((one) => diagnosticForms(one, places)[0])] : [`**${skippedText(report)}**`];
  const kept = [];
  let left = room;
  for (const text of told) {
    left -= sizeOf(text) + 2;
    if (left >= 0) kept.push(text);
  }
  return [head, ...kept].join("\n\n");
}

return{everyStack:everyStack,stacksMarkdown:stacksMarkdown};})();exports.part_4IQERMVV=part_4IQERMVV;
const part_OUDFTIMK=(()=>{const {
  failureMarkdown
}=require("./part-95.cjs").part_BLVQ66GF;const {
  commentLimit
}=require("./part-95.cjs").part_T5M5UDUZ;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  terminalFor,
  writeStream
}=require("./part-80.cjs").part_HNLTOCOT;const {
  diagnosticLine
}=require("./part-80.cjs").part_C3KGDUFB;const {
  failureJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  addStepSummary,
  annotate,
  placesOn
}=require("./part-15.cjs").part_BAXXSSA2;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;

// src/cli/report-error.ts
function reportError(error, argv, run) {
  const color = argv.includes("--no-color") ? false : argv.includes("--color") ? true : void 0;
  const unicode = argv.includes("--no-unicode") ? false : void 0;
  const terminal = terminalFor(run, { color, unicode });
  const diagnostics = problemsOf(error);
  if (argv.includes("--json-stream")) writeStream(diagnostics.map(diagnosticLine), run.host);
  if (isFormat("json", argv)) terminal.out(jsonText(failureJson(diagnostics)));
  if (run.host.env.TRUEUP_DEBUG && error instanceof Error) terminal.err(error.stack ?? "");
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  reportToReaders(diagnostics, argv, terminal);
}
var problemsOf = (error) => error instanceof Problems && hasErrors(error.diagnostics) ? error.diagnostics : [unexpected(error)];
var undone = {
  plan: "planned",
  apply: "applied",
  destroy: "destroyed",
  show: "shown"
};
function reportToReaders(diagnostics, argv, terminal) {
  const [command = ""] = argv;
  const done = undone[command];
  if (done === void 0) return;
  const { stack } = terminal.run;
  const failure = { command, done, diagnostics, ...stack === void 0 ? {} : { stack } };
  const places = placesOn(terminal.run.host);
  if (isFormat("markdown", argv)) terminal.out(failureMarkdown(failure, commentLimit, places));
  if (command !== "show") addStepSummary((room) => failureMarkdown(failure, room, places), terminal);
}
function unexpected(error) {
  const { message, hint, code, syscall } = error;
  if (syscall !== void 0 && code !== void 0)
    return problem(`system/${code.toLowerCase()}`, `the system reported an error: ${message}`, {
      hint: "fix that and run it again; what was done so far is recorded"
    });
  return problem(code ?? "internal", message ?? String(error), {
    hint: hint ?? "this is a bug in trueup: run again with TRUEUP_DEBUG=1 and report what it prints"
  });
}
var isFormat = (name, argv) => argv.some(
  (word, at) => word === `--${name}` || word === `--format=${name}` || word === name && argv[at - 1] === "--format"
);

return{reportError:reportError,problemsOf:problemsOf};})();exports.part_OUDFTIMK=part_OUDFTIMK;
