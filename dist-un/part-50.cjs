"use strict";const part_LW7MTB4U=(()=>{const {
  configurationCommit,
  startedBy
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  planReport
}=require("./part-87.cjs").part_3FS5QSBH;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  gitlabReport
}=require("./part-106.cjs").part_LKZTNYVU;const {
  addStepSummary,
  annotate,
  currentPullRequest,
  hasStepSummary,
  placesOn,
  repositoryOn
}=require("./part-15.cjs").part_BAXXSSA2;const {
  jsonLine,
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  hasErrors
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;

// src/cli/formats.ts
var loadMarkdown = () => Promise.resolve().then(()=>require("./part-42.cjs").part_KBLWUFM5);
var loadLines = () => Promise.resolve().then(()=>require("./part-55.cjs").part_NORJTS3C);
var formats = {
  json: (plan, pace) => jsonText(planJson(plan, pace)),
  /** As `terraform show -json` does it: one line. */
  terraform: async (plan) => jsonLine((await Promise.resolve().then(()=>require("./part-78.cjs").part_YRRNCXHM)).terraformPlan(plan)),
  html: async (plan, pace, { about } = {}) => (await Promise.resolve().then(()=>require("./part-120.cjs").part_FE5KLL4X)).planHtml(plan, pace, about),
  markdown: async (plan, pace, { places } = {}) => (await loadMarkdown()).planMarkdown(plan, pace, void 0, places),
  gitlab: (plan) => jsonText(gitlabReport(plan))
};
var isOfOne = (format) => format === "terraform" || format === "terraform-text";
var formatOption = (...more) => new Option("--format <format>", "output format of the plan").choices([
  "text",
  "terraform-text",
  ...Object.keys(formats),
  ...more
]);
var jsonOption = () => new Option("--json", "same as --format json").conflicts("format");
var streamOption = () => new Option("--json-stream", "write events as JSON lines, like Terraform's -json").conflicts([
  "format",
  "json"
]);
var formatOf = ({ format, json }) => format ?? (json ? "json" : "text");
async function printPlan(plan, options, terminal, pace) {
  const { requests, verbose } = options;
  const format = formatOf(options);
  if (terminal.stream) terminal.stream((await loadLines()).planLines(plan));
  else if (format === "sarif") {
    const { sarifLog } = await Promise.resolve().then(()=>require("./part-117.cjs").part_XOU4YKEL);
    terminal.out(sarifLog(plan.diagnostics, terminal.run.host, "trueup.yaml"));
  } else if (format !== "text" && format !== "terraform-text")
    terminal.out(
      await formats[format](plan, pace, { about: options.about, places: placesOn(terminal.run.host) })
    );
  else {
    if (format === "terraform-text") terminal.out(spaced((await loadLines()).markerLines(plan)));
    const { outStyle: style, errStyle } = terminal;
    const how = { style, requests: requests ?? false, verbose: verbose ?? false, pace };
    const report = planReport(plan, how, errStyle);
    terminal.err(report.warnings && `${report.warnings}
`);
    terminal.out(report.plan);
    terminal.err(report.errors && `
${report.errors}`);
  }
  annotate(plan.diagnostics, terminal);
  return !hasErrors(plan.diagnostics);
}
var spaced = (text) => text && `${text}

`;
async function showPlan(plan, { commit, ...options }, terminal, pace) {
  const { host } = terminal.run;
  const about = options.format === "html" ? { about: aboutPage(host, commit) } : {};
  const fine = await printPlan(plan, { ...options, ...about }, terminal, pace);
  if (hasStepSummary(host)) {
    const { planMarkdown } = await loadMarkdown();
    addStepSummary((room) => planMarkdown(plan, pace, room, placesOn(host)), terminal);
  }
  return fine;
}
async function commitForPage({ configuration, host }, { format }) {
  const commit = format === "html" ? await configurationCommit(configuration, host) : void 0;
  return commit ? { commit } : {};
}
function aboutPage(host, commit) {
  const { env, clock } = host;
  const { ci } = startedBy(env);
  const id = currentPullRequest(host)?.head ?? commit?.id ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  const isId = id !== void 0 && /^[0-9a-f]{40,64}$/.test(id);
  const repository = repositoryOn(host);
  return {
    ...isId ? {
      commit: {
        id,
        ...repository === void 0 ? {} : { url: `${repository}/commit/${id}` },
        ...commit?.dirty ? { isDirty: true } : {}
      }
    } : {},
    ...ci ? { run: { name: [ci.name, ci.run].filter(Boolean).join(" "), ...ci.url ? { url: ci.url } : {} } } : {},
    time: clock.now()
  };
}

return{isOfOne:isOfOne,formatOption:formatOption,jsonOption:jsonOption,streamOption:streamOption,printPlan:printPlan,showPlan:showPlan,commitForPage:commitForPage,aboutPage:aboutPage};})();exports.part_LW7MTB4U=part_LW7MTB4U;
