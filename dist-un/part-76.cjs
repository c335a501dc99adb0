"use strict";const part_YBUUWIO5=(()=>{const {
  readPlanFile
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;const {
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  openSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  withAccount
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;const {
  markerOf,
  planContext
}=require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  styleFor
}=require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;const {
  lineOf
}=require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
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

// src/report/plan-graph.ts
var most = 4;
function resourceGraph(plan) {
  const context = planContext(plan, { style: styleFor({ color: false, width: 80 }), requests: false });
  const nodes = plan.changes.map((change) => ({
    id: change.address,
    lines: [cleanLine(change.address), `${cleanLine(change.kind)}: ${markerOf(change, context).word}`],
    action: change.action,
    needs: needsOf(change)
  }));
  return connected(nodes);
}
function operationGraph(plan) {
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const nodes = plan.operations.map((operation) => ({
    id: operation.id,
    lines: [cleanLine(operation.id), ...requestLines(operation)],
    action: actions.get(operation.changes[0] ?? "") ?? "noop",
    needs: operation.dependsOn
  }));
  return connected(nodes);
}
function needsOf({ parent, needs = [] }) {
  const direct = needs.filter((one) => parent === void 0 || one === parent || !isWithin(parent, one));
  return parent === void 0 ? direct : [parent, ...direct];
}
function requestLines({ requests }) {
  const lines = requests.map((request) => lineOf(request)).map(({ method, path }) => `${method} ${path}`);
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} more`] : lines;
}
function connected(nodes) {
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const edges = nodes.flatMap(
    ({ needs }, at) => [...new Set(needs)].flatMap((one) => {
      const from = places.get(one);
      return from === void 0 || from === at ? [] : [[from, at]];
    })
  );
  return { nodes: nodes.map(({ lines, action }) => ({ lines, action })), edges };
}
var graphColors = {
  create: "#d3f2d3",
  adopt: "#d2e9f9",
  update: "#fbedc0",
  move: "#eddcf7",
  replace: "#f9cfcf",
  delete: "#f9cfcf",
  release: "#e8e8e8",
  forget: "#e8e8e8",
  noop: "#ffffff"
};
function graphDot({ nodes, edges }) {
  return [
    "digraph trueup {",
    "  rankdir=LR;",
    '  node [shape=box, style=filled, fontname="sans-serif"];',
    ...nodes.map(
      ({ lines, action }, at) => `  n${at} [label="${lines.map(escapedForDot).join("\\n")}", fillcolor="${graphColors[action]}"];`
    ),
    ...edges.map(([from, to]) => `  n${from} -> n${to};`),
    "}"
  ].join("\n");
}
var escapedForDot = (text) => text.replace(/[\\"]/g, "\\$&");
function graphMermaid({ nodes, edges }) {
  const actions = [...new Set(nodes.map(({ action }) => action))].sort();
  return [
    "flowchart LR",
    ...nodes.map(
      ({ lines, action }, at) => `  n${at}["${lines.map(escapedForMermaid).join("<br/>")}"]:::${action}`
    ),
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    ...actions.map((action) => `  classDef ${action} fill:${graphColors[action]},color:#222,stroke:#888`)
  ].join("\n");
}
var escapedForMermaid = (text) => text.replace(/[^\p{L}\p{N} ./@:_-]/gu, (char) => `#${char.codePointAt(0)};`);

// src/cli/graph.ts
var formats = { dot: graphDot, mermaid: graphMermaid };
function graphCommand(command, provider, run) {
  withAccount(command).argument("[file]", "a plan saved by `plan --out`; needs no configuration, account or token").addOption(new Option("--format <format>", "output format").choices(Object.keys(formats)).default("dot")).option("--operations", "show the planned operations and their order").action(async (file, options) => {
    const terminal = terminalFor(run, options);
    const plan = file === void 0 ? await currentPlan(provider, options, terminal) : shownPlan(await readPlanFile(file, run.host));
    terminal.out(formats[options.format](options.operations ? operationGraph(plan) : resourceGraph(plan)));
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
    if (hasErrors(plan.diagnostics)) run.exitCode = 1;
  });
}
async function currentPlan(provider, options, terminal) {
  const session = await openSession(provider, options, terminal);
  try {
    return (await openPlan(session, planningOf(options, terminal.run.host))).plan;
  } finally {
    await session.close();
  }
}
return{graphCommand:graphCommand};})();exports.part_YBUUWIO5=part_YBUUWIO5;
