"use strict";const part_D3YXR7F6=(()=>{const {
  collect,
  isOfStacks,
  number,
  withAccount,
  withLockWait
}=require("./part-84.cjs").part_GNPU5WKB;const {
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  standardActionsAtOnce
}=require("./part-80.cjs").part_R4CIL4FR;const {
  currentPullRequest
}=require("./part-15.cjs").part_BAXXSSA2;;
;
;
;
;

// src/run/unsettled.ts
var standardSettle = 60;
var isSettled = ({ lastWrite }, now, settle) => lastWrite === void 0 || now >= Date.parse(lastWrite) + settle;
function unsettled({ changes }, ledger, now, settle) {
  if (isSettled(ledger, now, settle)) return [];
  return changes.filter(({ action, before, address }) => {
    const isGone = action === "create" && !before && ledger.entries[address] !== void 0;
    return isGone || action !== "noop" && ledger.begun?.[address]?.sent;
  }).map(({ address }) => address);
}

// src/cli/planning.ts
function planningOf(options, host, mode = {}) {
  return {
    ...mode,
    ...isOfStacks(options) ? { part: "one" } : {},
    ...options.target ? { targets: options.target } : {},
    ...options.exclude ? { excludes: options.exclude } : {},
    ...options.delete ? { deletions: options.delete } : {},
    ...options.maxDeletions === void 0 ? {} : { maxDeletions: options.maxDeletions },
    ...options.sendUnverified ? { sendUnverified: options.sendUnverified } : {},
    ...options.allow ? { allow: options.allow } : {},
    noActions: options.actions === false,
    ignoreDrafts: options.ignoreDraft ?? false,
    adoptRenamed: options.adoptRenamed ?? false,
    fewerInputs: options.fewerInputs ?? false,
    overwriteConflicts: options.overwriteConflicts ?? false,
    allowIncomplete: options.allowIncomplete ?? false,
    review: isReview(host),
    settle: options.twin ? 0 : (options.settle ?? standardSettle) * 1e3
  };
}
var isReview = (host) => currentPullRequest(host) !== void 0 || Boolean(host.env.CI_MERGE_REQUEST_IID);
function withWriting(command) {
  return withLockWait(withPlanning(command)).addOption(
    new Option(
      "--history <what>",
      "what the run's record keeps of fields, never secrets (or TRUEUP_HISTORY; default: values)"
    ).choices(["values", "no-values"])
  ).option("--ephemeral-ledger", "continue in CI even though the ledger is lost afterwards").option(
    "--actions-at-once <n>",
    "how many `$then` actions to run in parallel",
    number(1),
    standardActionsAtOnce
  ).option(
    "--settle <seconds>",
    "how long the platform's lists may take to show a write (0: check once)",
    number(0),
    standardSettle
  );
}
var reportOption = () => new Option("--report <file>", "write a Markdown report for `trueup comment`");
function withPlanning(command) {
  return withAccount(command).option(
    "--target <address-glob>",
    "only this and its dependencies; nothing else is read; use `projects/web/**` for its contents; repeatable",
    collect
  ).option("--exclude <address-glob>", "everything except this and its dependents; repeatable", collect).option(
    "--delete <address>",
    "delete this project or domain after its block was removed; repeatable",
    collect
  ).option(
    "--max-deletions <n>",
    "how many objects a run may delete (default: 10, and 30 % of a kind)",
    number(0)
  ).option("--send-unverified <address-glob>", "send secrets that cannot be compared; repeatable", collect).option("--overwrite-conflicts", "let the YAML win where both it and the account changed").addOption(
    new Option(
      "--allow <permission...>",
      "allow changes that cost money or remove access; repeatable"
    ).choices([...permissions])
  ).option("--adopt-renamed", "let `$was` name an object that this stack never applied").option("--fewer-inputs", "delete even though files of the last run are missing").option(
    "--ignore-draft",
    "change a firewall, routes or redirects despite a pending draft; a staged version goes live too"
  ).option("--allow-incomplete", "continue with what could be read").option("--no-actions", "skip what `$then` asks for, for good").addOption(guardsOption()).addOption(checkOption()).option("--requests", "show the HTTP requests of each change");
}
var guardsOption = () => new Option(
  "--guards <file>",
  "rules that plans must obey: a file, or a file in a commit such as `origin/main:guards.yaml` (or TRUEUP_GUARDS)"
);
var checkOption = () => new Option(
  "--check <words>",
  "a program that reads the plan's JSON and rejects it by its exit code; repeatable"
).argParser(collect);

return{standardSettle:standardSettle,isSettled:isSettled,unsettled:unsettled,planningOf:planningOf,isReview:isReview,withWriting:withWriting,reportOption:reportOption,withPlanning:withPlanning,guardsOption:guardsOption,checkOption:checkOption};})();exports.part_D3YXR7F6=part_D3YXR7F6;
