"use strict";const part_W4EK7KUA=(()=>{const {
  aboutPage,
  isOfOne
}=require("./part-50.cjs").part_LW7MTB4U;const {
  problemsOf
}=require("./part-102.cjs").part_OUDFTIMK;const {
  planLines
}=require("./part-100.cjs").part_UC4YBZOG;const {
  factsOf,
  html,
  page,
  planSection,
  problems,
  toolbar,
  under
}=require("./part-120.cjs").part_7QH4ILEF;const {
  stacksMarkdown
}=require("./part-102.cjs").part_4IQERMVV;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  loadFor,
  openSession,
  requireKey,
  requireWritable
}=require("./part-89.cjs").part_JDYKD6X4;const {
  unmatched
}=require("./part-93.cjs").part_UFNWTKGU;const {
  commentLimit
}=require("./part-95.cjs").part_T5M5UDUZ;const {
  chosenBy,
  inTurn
}=require("./part-124.cjs").part_6HBEUU6S;const {
  stacksJson
}=require("./part-21.cjs").part_DGVZ2EVC;const {
  awaitsTexts,
  diagnosticsOf,
  isFailed,
  overview,
  skippedText,
  stacksText
}=require("./part-87.cjs").part_PVJV4EET;const {
  ephemeral
}=require("./part-105.cjs").part_TEBTU3WD;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  actionName
}=require("./part-88.cjs").part_GVLOUSOT;const {
  diagnosticLine,
  logLine
}=require("./part-80.cjs").part_C3KGDUFB;const {
  isOpenAction
}=require("./part-80.cjs").part_R4CIL4FR;const {
  gitlabReport
}=require("./part-106.cjs").part_LKZTNYVU;const {
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  sarifLog
}=require("./part-117.cjs").part_QLYNIQGZ;const {
  addStepSummary,
  annotate,
  placesOn
}=require("./part-15.cjs").part_BAXXSSA2;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
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

// src/cli/plan-stacks.ts
async function planStacks(provider, options, terminal, { folder, chosen }, {
  accounts,
  writes = false,
  needsKey = writes,
  mode = {},
  plans = [],
  awaitedBy,
  review,
  host: hostOf
}) {
  const { host } = terminal.run;
  let gate;
  const open = async (stack, own) => {
    const member = terminalOf(terminal, stack, folder, hostOf?.());
    const loaded = await loadFor(provider, { ...own, plans }, member);
    const session = await openSession(provider, own, member, {
      plans,
      writes,
      guards: writes ? "apply" : "plan",
      loaded,
      accounts
    });
    if (writes) requireWritable(session, own);
    if (needsKey && (!host.env.CI || own.twin)) await requireKey(session, own);
    return session;
  };
  const done = await inTurn(chosen, async (stack, needed) => {
    const { id, path, stage, needs } = stack;
    const own = { ...options, ...chosenBy(stack.entry, stage) };
    const name = stack.look.desired.stack;
    const about = {
      id,
      path,
      ...stage === void 0 ? {} : { stage },
      needs,
      ...name ? { stack: name } : {}
    };
    const skipped = [...needed.values()].filter(({ report }) => isFailed(report)).map((one) => one.stack.id);
    if (skipped.length > 0) return { stack, report: { ...about, skipped }, options: own, creates: /* @__PURE__ */ new Map() };
    let session;
    try {
      await gate?.catch(() => {
      });
      const opening = open(stack, own);
      gate ??= opening;
      session = await opening;
      const awaited = awaitedBy?.(stack, session) ?? new Map([...needed.values()].flatMap(({ creates }) => [...creates]));
      const unkept = ephemeral(own, host);
      if (unkept && !writes) session.diagnostics.push({ ...unkept, severity: "warning" });
      const how = {
        ...planningOf(own, host, { ...mode, part: "one" }),
        awaited,
        ...review ? { review: review(stack) } : {}
      };
      let planned = await openPlan(session, how);
      while (writes && planned.settlesIn !== void 0) {
        session.say("Waiting: the account may not show what the last run created yet.");
        await session.clock.sleep(planned.settlesIn + 1);
        accounts.forget();
        planned = await openPlan(session, how);
      }
      const { reads: _, ...plan } = planned.plan;
      const made = plan.changes.filter(makesObject).map(({ address }) => [address, id]);
      return {
        stack,
        report: { ...about, plan },
        options: own,
        session,
        planned: { ...planned, plan },
        awaited,
        creates: new Map([...awaited, ...made])
      };
    } catch (error) {
      return {
        stack,
        report: { ...about, failed: problemsOf(error) },
        options: own,
        ...session ? { session } : {},
        creates: /* @__PURE__ */ new Map()
      };
    }
  });
  const all = [...done.values()];
  refuseUnmet(all, options);
  terminal.err(diagnosticsText(equalActions(all), { style: terminal.errStyle }));
  return all;
}
function equalActions(all) {
  const following = all.flatMap(
    ({ report: { id, plan } }) => (plan?.actions ?? []).filter(isOpenAction).map((action) => ({ action, id, account: plan?.account?.name }))
  );
  return [...groupBy(following, ({ action, account }) => `${account} ${action.id}`).values()].flatMap(
    (same) => {
      const ids = same.map(({ id }) => id);
      const { action } = same[0];
      if (ids.length < 2) return [];
      const message = `${actionName(action)} is requested by ${ids.length} stacks and runs once for each: ${ids.join(", ")}`;
      return [warning("then/several", message, { hint: "if once is enough, keep `$then` in one of them" })];
    }
  );
}
function refuseUnmet(all, { target = [], exclude = [], delete: deletions = [] }) {
  if (all.some(({ planned: planned2 }) => !planned2)) return;
  const changes = all.flatMap(({ planned: planned2 }) => planned2.plan.changes);
  const planned = changes.map(({ address }) => address);
  const declared = all.flatMap(({ stack }) => [...stack.look.desired.resources.keys()]);
  const gone = new Set(changes.flatMap(({ address, after }) => after ? [] : [address]));
  const unmet = [
    ...unmatched(target, planned),
    ...unmatched(exclude, declared),
    ...deletions.filter((address) => !gone.has(address)).map(
      (address) => problem(
        "delete/not-owned",
        `--delete names ${address}, which no stack here both owns and no longer declares`,
        {
          hint: "remove its block and run this again; `trueup ledger list` shows what a stack owns"
        }
      )
    )
  ];
  if (unmet.length > 0) throw new Problems(unmet);
}
function terminalOf(terminal, { id }, folder, host = terminal.run.host) {
  const run = { host: { ...host, cwd: folder }, exitCode: 0 };
  const named = (say) => (text) => {
    const lines = text.replace(/\n$/, "").split("\n");
    if (text.trim() !== "") say(lines.map((line) => `${id}: ${line}`).join("\n"));
  };
  const member = { ...terminal, run, isLive: false };
  if (terminal.stream) return { ...member, ...streamOf(id, terminal.stream) };
  return { ...member, out: named(terminal.out), err: named(terminal.err) };
}
function streamOf(id, write) {
  const stream = (lines) => write(lines.map((line) => ({ ...line, stack: id })));
  const say = (text) => stream(text.trim() ? [logLine(text)] : []);
  return { stream, out: say, err: say };
}

// src/report/html/stacks-page.ts
function stacksHtml(reports, pace, about) {
  const sum = `${overview(reports)}.`;
  const sections = reports.map((report, at) => sectionOf(report, `stack${at}`, pace));
  return page({
    title: `Stacks: ${sum}`,
    header: html`
<h1>Stacks</h1>${factsOf(about)}
<p class="headline">${sum}</p>`,
    places: sections.map(({ place }) => place),
    main: [toolbar(sections.flatMap(({ changes }) => changes)), sections.map(({ markup }) => markup)],
    isLong: reports.length > 1
  });
}
function sectionOf(report, name, pace) {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `after ${needs.map(cleanLine).join(", ")}` : void 0;
  const planned = plan && planSection(plan, name, pace);
  const markup = html`
<section id="${name}" class="stack" aria-label="${cleanLine(id)}">
<p class="tool"><span id="${name}-title">${cleanLine(id)}</span>${after !== void 0 && html`, ${after}`}</p>${awaitsTexts(
    report
  ).map(
    (text) => html`
<p class="remark">${cleanLine(text)}</p>`
  )}${planned?.markup ?? (failed ? under(name, html`${problems(failed, "error")}${problems(failed, "warning")}`) : html`
<p class="remark">${cleanLine(skippedText(report))}</p>`)}
</section>`;
  const place = { id: name, label: cleanLine(id), inside: planned?.places ?? [] };
  return { markup, place, changes: planned?.changes ?? [] };
}

// src/cli/show-stacks.ts
function printStacks(reports, options, terminal, pace) {
  if (terminal.stream) {
    for (const report of reports) streamOf(report.id, terminal.stream).stream(linesOf(report));
    annotate(diagnosticsOf(reports), terminal);
    return reports.every((one) => !isFailed(one));
  }
  const format = options.format ?? (options.json ? "json" : "text");
  if (isOfOne(format)) throw new Problems([formatOfOne()]);
  const diagnostics = diagnosticsOf(reports);
  const formats = {
    json: () => jsonText(stacksJson(reports, pace)),
    html: () => stacksHtml(reports, pace, options.about),
    markdown: () => stacksMarkdown(reports, pace, commentLimit, placesOn(terminal.run.host)),
    sarif: () => sarifLog(diagnostics, terminal.run.host, "trueup.workspace.yaml"),
    gitlab: () => jsonText(summed(reports)),
    text: () => stacksText(reports, {
      style: terminal.outStyle,
      requests: options.requests ?? false,
      verbose: options.verbose ?? false,
      pace
    })
  };
  terminal.out(formats[format]());
  annotate(diagnostics, terminal);
  return reports.every((one) => !isFailed(one));
}
var formatOfOne = () => problem("all/format", "the Terraform formats support a single plan only", {
  hint: "plan each stack separately (trueup plan -f STACK --format terraform), or use --format json"
});
function showStacks(reports, options, terminal, pace) {
  const { host } = terminal.run;
  const about = options.format === "html" ? { about: aboutPage(host) } : {};
  const fine = printStacks(reports, { ...options, ...about }, terminal, pace);
  addStepSummary((room) => stacksMarkdown(reports, pace, room, placesOn(host)), terminal);
  return fine;
}
function linesOf(report) {
  const { plan, failed = [] } = report;
  if (plan) return [...awaitsTexts(report).map(logLine), ...planLines(plan)];
  return failed.length > 0 ? failed.map(diagnosticLine) : [logLine(skippedText(report))];
}
function summed(reports) {
  const all = reports.flatMap(({ plan }) => plan ? [gitlabReport(plan)] : []);
  const sum = (name) => all.reduce((total, one) => total + one[name], 0);
  return { create: sum("create"), update: sum("update"), delete: sum("delete") };
}

return{planStacks:planStacks,terminalOf:terminalOf,printStacks:printStacks,formatOfOne:formatOfOne,showStacks:showStacks};})();exports.part_W4EK7KUA=part_W4EK7KUA;
