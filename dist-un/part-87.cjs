"use strict";const part_3FS5QSBH=(()=>{const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  planEnd
}=require("./part-98.cjs").part_5A6JLBTE;const {
  changeLines,
  legend,
  planContext,
  sectionsOf
}=require("./part-98.cjs").part_2FV4FG47;const {
  adoptedText,
  foldChanges,
  splitAdopted
}=require("./part-98.cjs").part_D3ZWYSLF;const {
  accountText,
  newSources,
  permissionTexts,
  sourceTexts,
  sourcesOfChanges,
  sourcesTitle
}=require("./part-88.cjs").part_Y562VKV4;const {
  actionTexts,
  actionsTitle,
  followingCounts
}=require("./part-88.cjs").part_GVLOUSOT;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  operationLines
}=require("./part-88.cjs").part_M4ULKWWU;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  countOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  displayWidth,
  fold,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
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

// src/report/plan-text.ts
function planText(plan, options) {
  const context = planContext(plan, options);
  const { style } = context;
  const changes = plan.changes.filter(({ action, renews }) => action !== "noop" && !renews).sort(byAddress);
  const head = changes.length === 0 ? [] : [
    ...stackLines(plan, style),
    ...permissionTexts(changes).map((text) => `  ${style.alarm(text)}`),
    ...followsLines(plan, style),
    ...legend(changes, context, style.width - 2).map((line) => `  ${style.quiet(line)}`)
  ];
  const lines = [
    ...head.length > 0 ? [head] : [],
    ...usual(changes, context),
    ...sectionsOf(changes, context.carriers).filter(({ usual: usual2 }) => !usual2).reverse().flatMap((one) => section(one, context)),
    ...otherRequests(plan, context),
    ...following(plan, context),
    ...sources(plan, changes, context),
    ...planEnd(plan, context)
  ];
  return plainly(lines.map((block) => block.join("\n")).join("\n\n"), style);
}
function stackLines(plan, style) {
  const stack = cleanLine(plan.stack);
  const [account] = accountText(plan);
  const head = `${style.quiet("Stack")} ${style.strong(stack)}`;
  if (account === void 0) return [head];
  return displayWidth(`Stack ${stack}, ${account}`) <= style.width ? [`${head}${style.quiet(`, ${account}`)}`] : [
    `${head}${style.quiet(",")}`,
    ...wrap(account, style.width - 2).map((line) => `  ${style.quiet(line)}`)
  ];
}
function followsLines(plan, style) {
  const counts = followingCounts(plan);
  return counts.length === 0 ? [] : [`  ${style.warn(`Triggers: ${counts.join(", ")}.`)}`];
}
function usual(changes, context) {
  const sections = sectionsOf(changes, context.carriers).filter(({ usual: usual2 }) => usual2);
  const { adopted, others } = splitAdopted(
    sections.flatMap(({ changes: changes2 }) => changes2),
    { sent: context.carriers, isFull: context.verbose }
  );
  const { style } = context;
  const mark = style.unicode ? "=  " : "adopt";
  const counts = adopted.map((one) => `  ${style.adopt(mark)} ${cleanLine(adoptedText(one))}`);
  return [...blocks(others.sort(byAddress), context), ...counts.length > 0 ? [counts] : []];
}
function section({ title, paint, changes }, context) {
  const { style } = context;
  const [first = [], ...rest] = blocks(changes, context);
  return [[...headingLines(`${title} (${countOf(changes)})`, style).map(style[paint]), ...first], ...rest];
}
function headingLines(heading, { unicode, width }) {
  if (!unicode) return wrap(heading, width);
  const lines = wrap(`--- ${heading}`, width);
  return [...lines.slice(0, -1), `${lines.at(-1)} `.padEnd(width, "-").trimEnd()];
}
function following(plan, context) {
  const texts = actionTexts(plan);
  if (texts.length === 0) return [];
  const { style } = context;
  const lines = texts.flatMap(({ name, text, isOpen, action }) => [
    ...fold(`  ${name}`, style.prose, "      ").map(isOpen ? style.strong : style.quiet),
    ...text === "" ? [] : fold(`      ${text}`, style.prose, "      ").map(style.quiet),
    ...context.requests && action.request ? operationLines({ requests: [action.request] }, context).map((line) => `      ${line}`) : []
  ]);
  return [[...headingLines(`${actionsTitle} (${texts.length})`, style).map(style.strong), ...lines]];
}
function sources(plan, changes, { style }) {
  const [usual2, news] = [sourcesOfChanges(changes, plan), newSources(plan)];
  const lines = (list) => sourceTexts(list).flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, "      "));
  return [
    ...usual2.length > 0 ? [["Read for these changes:", ...lines(usual2)].map(style.quiet)] : [],
    ...news.length > 0 ? [[...headingLines(`${sourcesTitle} (${news.length})`, style).map(style.warn), ...lines(news)]] : []
  ];
}
function blocks(changes, context) {
  const result = [];
  let areShort = false;
  const entries = foldChanges(changes, { sent: context.carriers, all: context.all, isFull: context.verbose });
  for (const entry of entries) {
    const lines = changeLines(entry, context);
    const isShort = lines.length === 1 || entry.wholes.length > 1 && lines.length === 2;
    if (isShort && areShort) result.at(-1).push(...lines);
    else result.push(lines);
    areShort = isShort;
  }
  return result;
}
function otherRequests(plan, context) {
  if (!context.requests) return [];
  const others = plan.operations.filter((operation) => !context.shown.has(operation));
  if (others.length === 0) return [];
  const lines = others.flatMap((operation) => operationLines(operation, context));
  return [["  Also sent:", ...lines.map((line) => `      ${line}`)]];
}
function planReport(plan, options, notes = options.style) {
  const text = (diagnostics) => diagnosticsText(diagnostics, { style: notes });
  return {
    warnings: text(plan.diagnostics.filter((one) => one.severity !== "error" && !standsInChange(one))),
    plan: planText(plan, options),
    errors: text(plan.diagnostics.filter(({ severity }) => severity === "error"))
  };
}
var standsInChange = ({ code }) => code === "guard/conflict";

return{planText:planText,planReport:planReport};})();exports.part_3FS5QSBH=part_3FS5QSBH;
const part_PVJV4EET=(()=>{const {
  planReport
}=part_3FS5QSBH;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  hasErrors
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;

// src/report/stacks/stack-report.ts
var isFailed = ({ plan, failed, skipped }) => failed !== void 0 || skipped !== void 0 || !plan || hasErrors(plan.diagnostics);
var diagnosticsOf = (reports) => reports.flatMap(({ plan, failed }) => [...failed ?? [], ...plan?.diagnostics ?? []]);
var skippedText = ({ skipped = [] }) => `Not planned: it needs ${skipped.join(", ")}, which failed.`;
function overview(reports) {
  const number = (test) => reports.filter(test).length;
  const changed = number((one) => !isFailed(one) && !asksForNothing(one.plan));
  const same = number((one) => !isFailed(one) && asksForNothing(one.plan));
  const skipped = number(({ skipped: skipped2 }) => skipped2 !== void 0);
  const failed = number(isFailed) - skipped;
  const parts = [
    ...changed > 0 ? [`${changed} with changes`] : [],
    ...same > 0 ? [`${same} without changes`] : [],
    ...failed > 0 ? [`${failed} failed`] : [],
    ...skipped > 0 ? [`${skipped} skipped`] : []
  ];
  return `${count(reports.length, "stack")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}
function awaitsTexts({ plan }) {
  const makers = groupBy(plan?.awaits ?? [], ({ stack }) => stack);
  return [...makers].map(([stack, of]) => {
    const names = of.map(({ address }) => address);
    const more = names.length > few ? ` and ${names.length - few} more` : "";
    return `Known after ${stack} is applied: ${names.slice(0, few).join(", ")}${more}`;
  });
}
var few = 5;
function stacksText(reports, options) {
  const { style } = options;
  const parts = reports.map((report) => {
    const { id, needs, plan, failed } = report;
    const after = needs.length > 0 ? style.quiet(`, after ${needs.map(cleanLine).join(", ")}`) : "";
    const lines = [`${style.strong(`== ${cleanLine(id)}`)}${after}`];
    for (const text of awaitsTexts(report)) lines.push(style.quiet(cleanLine(text)));
    if (plan) {
      const { warnings, plan: text, errors } = planReport(plan, options);
      const parts2 = [warnings, text, errors].map((part) => part.trimEnd()).filter((part) => part !== "");
      lines.push(parts2.join("\n\n"));
    } else if (failed) lines.push(diagnosticsText(failed, { style }).trimEnd());
    else lines.push(cleanLine(skippedText(report)));
    return `${lines.join("\n")}
`;
  });
  return `${[...parts, `${overview(reports)}.`].join("\n")}
`;
}

return{isFailed:isFailed,diagnosticsOf:diagnosticsOf,skippedText:skippedText,overview:overview,awaitsTexts:awaitsTexts,stacksText:stacksText};})();exports.part_PVJV4EET=part_PVJV4EET;
