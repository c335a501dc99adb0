"use strict";const part_BAXXSSA2=(()=>{const {
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  inActions,
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  clean,
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  endColumnOf
}=require("./part-80.cjs").part_H2UX7ADC;const { appendFileSync, readFileSync, statSync }=require("node:fs");const { dirname, relative, resolve, sep }=require("node:path");;
;
;
;
;
;
;
;

// src/cli/actions-run.ts
;
;

// src/github/actions.ts
var most = 10;
function annotations(diagnostics, locate) {
  return ["error", "warning"].flatMap((severity) => {
    const given = diagnostics.filter((one) => one.severity === severity);
    const own = byWeight(oncePerLine(given)).map((one) => command(one, locate));
    const more = own.length - most;
    return [
      ...own.slice(0, most),
      ...more > 0 ? [`${count(more, `more ${severity}`)} without an annotation: see above.`] : []
    ];
  });
}
function oncePerLine(diagnostics) {
  const sameOf = ({ code, message, hint, at, address }) => JSON.stringify([code, message, hint, at ? [at.file, at.line, at.column] : address]);
  return [...groupBy(diagnostics, sameOf).values()].map(
    ([one, ...others]) => others.length > 0 && one.address !== void 0 ? { ...one, address: wholeAddress(one.address) } : one
  );
}
function byWeight(diagnostics) {
  const seen = /* @__PURE__ */ new Map();
  const ranked = diagnostics.map((one) => {
    const before = seen.get(one.code) ?? 0;
    seen.set(one.code, before + 1);
    const weight = weighty.has(one.code) ? 0 : one.at ? 1 : 2;
    return { one, rank: [weight, weight === 0 ? 0 : before] };
  });
  return ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ one }) => one);
}
var weighty = /* @__PURE__ */ new Set(["guard/conflict", "apply/overwritten", "apply/failed"]);
var notice = (text) => `::notice title=trueup::${data(text)}`;
var shortestLine = 4;
function masks(texts) {
  const lines = [...texts].flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line.length >= shortestLine).map((line) => `::add-mask::${line.replaceAll("%", "%25")}`);
}
function command({ severity, code, message, hint, at, address }, locate) {
  const endColumn = at && endColumnOf(at);
  const place = at ? {
    file: locate(at.file),
    line: at.line,
    ...endColumn === void 0 ? { col: at.column } : { endLine: at.line, col: at.column, endColumn }
  } : {};
  const properties = Object.entries({ ...place, title: address ? `${code} ${address}` : code }).map(([name, value]) => `${name}=${property(String(value))}`).join(",");
  return `::${severity} ${properties}::${data([message, hint].filter(Boolean).join("\n"))}`;
}
var data = (text) => clean(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
var property = (text) => data(cleanLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
function pullRequestOf(event) {
  const pull = member(event, "pull_request");
  const number = member(pull, "number");
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) return void 0;
  const from = member(member(member(pull, "head"), "repo"), "full_name");
  const to = member(member(member(pull, "base"), "repo"), "full_name");
  const head = member(member(pull, "head"), "sha");
  const isFork = typeof to === "string" && from !== to;
  const isDependabots = member(member(event, "sender"), "login") === "dependabot[bot]";
  return {
    number,
    ...typeof head === "string" ? { head } : {},
    ...isFork ? { withoutSecrets: "fork" } : isDependabots ? { withoutSecrets: "dependabot" } : {}
  };
}
var member = (value, name) => typeof value === "object" && value !== null ? value[name] : void 0;

// src/cli/actions-run.ts
var summaryLimit = 1e6;
var leastRoom = 1e4;
function annotate(diagnostics, terminal) {
  const { host } = terminal.run;
  if (inActions(host)) terminal.err(annotations(diagnostics, locateOn(host)).join("\n"));
}
function maskInActions(values, sources, terminal) {
  if (!inActions(terminal.run.host)) return;
  const foreign = [...values].filter(([name]) => !("env" in (sources.get(name) ?? {})));
  terminal.toRunner(masks(foreign.map(([, secret]) => secret.reveal())));
}
function note(text, heading, terminal) {
  terminal.err(text);
  if (inActions(terminal.run.host)) terminal.err(notice(text));
  addStepSummary(() => `### ${heading}

${text}
`, terminal);
}
var hasStepSummary = (host) => inActions(host) && Boolean(host.env.GITHUB_STEP_SUMMARY);
function addStepSummary(text, terminal) {
  const { host } = terminal.run;
  if (!hasStepSummary(host)) return;
  try {
    const file = pathOn(host, host.env.GITHUB_STEP_SUMMARY);
    const room = summaryLimit - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    if (room >= leastRoom) appendFileSync(file, `${text(room - 1)}
`);
  } catch (error) {
    terminal.err(`The job summary could not be written: ${systemText(error)}`);
  }
}
function currentPullRequest(host) {
  const path = host.env.GITHUB_EVENT_PATH;
  if (!path) return void 0;
  try {
    return pullRequestOf(JSON.parse(readFileSync(pathOn(host, path), "utf8")));
  } catch {
    return void 0;
  }
}
var reasons = {
  fork: "this pull request comes from a fork, so there is no token",
  dependabot: "this pull request is from Dependabot, which gets no repository secrets, so there is no token"
};
function noTokenReason(host) {
  const sort = currentPullRequest(host)?.withoutSecrets;
  return host.env.TRUEUP_TOKEN?.trim() || sort === void 0 ? void 0 : reasons[sort];
}
var locateOn = (host) => (file) => {
  const absolute = resolve(host.cwd, file);
  const path = relative(topOf(host, dirname(absolute)), absolute).replaceAll("\\", "/");
  return path.startsWith("..") ? file : path;
};
function topOf(host, folder) {
  const tree = workTreeOf(folder);
  const workspace = inActions(host) ? host.env.GITHUB_WORKSPACE : void 0;
  if (!workspace) return tree ?? host.cwd;
  const isBeside = tree?.startsWith(`${resolve(workspace)}${sep}`) && workTreeOf(workspace) !== resolve(workspace);
  return isBeside ? tree : workspace;
}
function placesOn(host) {
  const locate = locateOn(host);
  const blob = blobsOf(host);
  if (blob === void 0) return { locate };
  return {
    locate,
    url: (path, line) => isInside(path) ? `${blob}/${path.split("/").map(encoded).join("/")}#L${line}` : void 0
  };
}
var isInside = (path) => !/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.?(?:\/|$)|\\/.test(path) && path !== "";
var encoded = (part) => encodeURIComponent(part.replace(new RegExp("\\p{Cs}", "gu"), "\uFFFD")).replace(
  /[!'()*~]/g,
  (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
);
function blobsOf(host) {
  const { env } = host;
  const repository = repositoryOn(host);
  const commit = inActions(host) ? currentPullRequest(host)?.head ?? env.GITHUB_SHA : env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
  const isKnown = repository !== void 0 && /^[0-9a-f]{40,64}$/.test(commit ?? "");
  return isKnown ? `${repository}/blob/${commit}` : void 0;
}
function repositoryOn(host) {
  const { env } = host;
  const isNamed = /^[\w.-]+\/[\w.-]+$/.test(env.GITHUB_REPOSITORY ?? "");
  const address = inActions(host) ? isNamed && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}` : env.GITLAB_CI === "true" && `${env.CI_PROJECT_URL}/-`;
  return address && /^https?:\/\/[\w.:/-]+$/.test(address) ? address : void 0;
}

return{annotate:annotate,maskInActions:maskInActions,note:note,hasStepSummary:hasStepSummary,addStepSummary:addStepSummary,currentPullRequest:currentPullRequest,noTokenReason:noTokenReason,locateOn:locateOn,placesOn:placesOn,repositoryOn:repositoryOn};})();exports.part_BAXXSSA2=part_BAXXSSA2;
