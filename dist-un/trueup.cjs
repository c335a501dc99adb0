#!/usr/bin/env node
"use strict";{const {
  processHost
}=require("./part-80.cjs").part_NTS7RKFG;const {
  errorCode,
  exitCodeHelp,
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  Command,
  CommanderError,
  Help,
  InvalidArgumentError
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;const {
  rememberFor
}=require("./part-80.cjs").part_MQHVXKRH;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/cli/commands.ts
var commands = {
  init: {
    does: "write a first trueup.yaml, or CI workflows for an existing configuration",
    group: "Begin:",
    examples: ["trueup init", "trueup init --ci github"],
    load: async () => (await Promise.resolve().then(()=>require("./part-22.cjs").part_DPITLKXZ)).initCommand
  },
  validate: {
    does: "check the configuration, without an account or secrets",
    group: "Write YAML:",
    examples: ["trueup validate", "trueup validate -f stacks/shop --stage production"],
    load: async () => (await Promise.resolve().then(()=>require("./part-3.cjs").part_33APWL5K)).validateCommand
  },
  render: {
    does: "print the configuration with templates and patches expanded, or compare two versions of it",
    group: "Write YAML:",
    examples: ["trueup render 'projects/site-*'", "trueup render --diff origin/main"],
    load: async () => (await Promise.resolve().then(()=>require("./part-121.cjs").part_SB2WMGLL)).renderCommand
  },
  fmt: {
    does: "format the YAML files of the configuration",
    group: "Write YAML:",
    examples: ["trueup fmt", "trueup fmt --check"],
    load: async () => (await Promise.resolve().then(()=>require("./part-38.cjs").part_IYL6F2M2)).fmtCommand
  },
  plan: {
    does: "show what apply would change, without changing anything",
    group: "Change the account:",
    examples: ["trueup plan", "trueup plan --target 'projects/web/**' --out web.plan.json"],
    load: async () => (await Promise.resolve().then(()=>require("./part-62.cjs").part_QOFKLHR5)).planCommand
  },
  run: {
    does: "run a one-off action: redeploy, promote, roll back, verify, rotate",
    group: "Day two:",
    examples: ["trueup run redeploy projects/web --wait", "trueup run --list"],
    load: async () => (await Promise.resolve().then(()=>require("./part-53.cjs").part_MTBSPHQQ)).runCommand
  },
  get: {
    does: "show what is in the account: objects of a kind, deployments, versions, status",
    group: "Day two:",
    examples: ["trueup get deployment --of projects/web", "trueup get project web --format yaml"],
    load: async () => (await Promise.resolve().then(()=>require("./part-34.cjs").part_GATY4LHF)).getCommand
  },
  wait: {
    does: "wait until a deployment or rollout finishes, or a field has a value",
    group: "Day two:",
    examples: [
      "trueup wait deployment --of projects/web --where target=production",
      "trueup wait deployment dpl_1 --for state=READY"
    ],
    load: async () => (await Promise.resolve().then(()=>require("./part-118.cjs").part_OSJHGZFM)).waitCommand
  },
  stacks: {
    does: "list the stacks of trueup.workspace.yaml, or those affected by changes",
    group: "For CI and pull requests:",
    examples: ["trueup stacks", "trueup stacks --changed-since origin/main --json"],
    load: async () => (await Promise.resolve().then(()=>require("./part-33.cjs").part_FL4B4CBT)).stacksCommand
  },
  show: {
    does: "show a saved plan; needs no configuration, account or token",
    group: "For CI and pull requests:",
    examples: ["trueup show plan.json", "trueup show plan.json --format markdown"],
    load: async () => (await Promise.resolve().then(()=>require("./part-4.cjs").part_3DY7IF3O)).showCommand
  },
  fleet: {
    does: "plan and apply many stacks on many machines, from a queue",
    group: "For CI and pull requests:",
    examples: ["trueup fleet enqueue plan --all", "trueup fleet work --file fleet.yaml"],
    load: async () => (await Promise.resolve().then(()=>require("./part-64.cjs").part_QTU73XOL)).fleetCommand
  },
  report: {
    does: "make one report of the parts of a CI matrix",
    group: "For CI and pull requests:",
    examples: ["trueup report merge parts/*.json", "trueup report merge parts/*.json --format markdown"],
    load: async () => (await Promise.resolve().then(()=>require("./part-12.cjs").part_AI3V6HEN)).reportCommand
  },
  comment: {
    does: "post a plan or an apply report to its pull request: one comment per stack, updated in place",
    group: "For CI and pull requests:",
    examples: ["trueup comment plan.json", "trueup comment apply.md --pull-request 12"],
    load: async () => (await Promise.resolve().then(()=>require("./part-9.cjs").part_6IQXBRX5)).commentCommand
  },
  apply: {
    does: "show the plan, ask for confirmation, and apply it",
    group: "Change the account:",
    examples: ["trueup apply", "trueup apply plan.json"],
    load: async () => (await Promise.resolve().then(()=>require("./part-48.cjs").part_LBA23DCF)).applyCommand
  },
  accept: {
    does: "write changes made outside into the YAML",
    group: "Change the account:",
    examples: ["trueup accept --all", "trueup accept 'projects/*/env/LOG_LEVEL'"],
    load: async () => (await Promise.resolve().then(()=>require("./part-29.cjs").part_ETBH653B)).acceptCommand
  },
  destroy: {
    does: "delete what this stack owns; projects and domains only with --delete or `$onRemove`",
    group: "Change the account:",
    examples: ["trueup destroy --target projects/old --delete projects/old", "trueup destroy"],
    load: async () => (await Promise.resolve().then(()=>require("./part-30.cjs").part_FAFYJQPV)).destroyCommand
  },
  log: {
    does: "list the runs of this stack, newest first: who changed what, and when",
    group: "Look back:",
    examples: ["trueup log", "trueup log projects/web"],
    load: async () => (await Promise.resolve().then(()=>require("./part-14.cjs").part_B5SUADRQ)).logCommand
  },
  blame: {
    does: "show for each field of an object its value, and when, by whom and in which commit it was set",
    group: "Look back:",
    examples: ["trueup blame projects/web", "trueup blame projects/web/env/A@production"],
    load: async () => (await Promise.resolve().then(()=>require("./part-16.cjs").part_BXYT6UOV)).blameCommand
  },
  undo: {
    does: "revert one run: show the plan, ask for confirmation, and apply it",
    group: "Change the account:",
    examples: ["trueup undo 12", "trueup undo 12 --target 'projects/web/**'"],
    load: async () => (await Promise.resolve().then(()=>require("./part-26.cjs").part_EIQ465PR)).undoCommand
  },
  secrets: {
    does: "list the secrets of the configuration: where they come from, what needs them, which are missing",
    group: "Write YAML:",
    examples: ["trueup secrets", "trueup secrets --check"],
    load: async () => (await Promise.resolve().then(()=>require("./part-61.cjs").part_PZXXDND6)).secretsCommand
  },
  export: {
    does: "export the account as YAML that plans to no changes",
    group: "Begin:",
    examples: ["trueup export --out trueup.yaml", "trueup export --target 'projects/web/**' --values omit"],
    load: async () => (await Promise.resolve().then(()=>require("./part-119.cjs").part_BW2KDBOM)).exportCommand
  },
  from: {
    does: "convert a Terraform state, a dnscontrol configuration or a zone file into a configuration",
    group: "Begin:",
    examples: [
      "trueup from terraform terraform.tfstate --out-dir trueup",
      "trueup from zonefile example.com.zone --out-dir trueup"
    ],
    load: async () => (await Promise.resolve().then(()=>require("./part-37.cjs").part_IN3CRG25)).fromCommand
  },
  graph: {
    does: "print the dependency graph for Graphviz or Mermaid",
    group: "Tools:",
    examples: ["trueup graph", "trueup graph --format mermaid"],
    load: async () => (await Promise.resolve().then(()=>require("./part-76.cjs").part_YBUUWIO5)).graphCommand
  },
  ledger: {
    does: "inspect and repair the ledger: what this stack owns, with ids and no values",
    group: "Look back:",
    examples: ["trueup ledger list", "trueup ledger show projects/web"],
    load: async () => (await Promise.resolve().then(()=>require("./part-71.cjs").part_VJFP742N)).ledgerCommand
  },
  api: {
    does: "call any operation of the platform's API by name or path, or list them",
    group: "Tools:",
    examples: ["trueup api --list", "trueup api GET /v9/projects --paginate"],
    load: async () => (await Promise.resolve().then(()=>require("./part-47.cjs").part_L62ZC6LQ)).apiCommand
  },
  kinds: {
    does: "list all kinds that can be declared, or show the manual page of one",
    group: "Tools:",
    examples: ["trueup kinds", "trueup kinds project"],
    load: async () => (await Promise.resolve().then(()=>require("./part-67.cjs").part_S42Q7PDU)).kindsCommand
  },
  explain: {
    does: "explain an error code and what to do about it",
    group: "Tools:",
    examples: ["trueup explain", "trueup explain ledger/unsigned"],
    load: async () => (await Promise.resolve().then(()=>require("./part-41.cjs").part_JOOJCJQW)).explainCommand
  },
  schema: {
    does: "print the JSON Schema of the configuration, for editors",
    group: "Tools:",
    examples: ["trueup schema", "trueup schema --guards"],
    load: async () => (await Promise.resolve().then(()=>require("./part-122.cjs").part_FRBZS33L)).schemaCommand
  },
  twin: {
    does: "run a local twin of the platform until stopped",
    group: "Tools:",
    examples: ["trueup twin", "trueup twin --seed account.json"],
    load: async () => (await Promise.resolve().then(()=>require("./part-57.cjs").part_OCKCLXOE)).twinCommand
  },
  completion: {
    does: "print a shell completion script for commands, options, files, kinds and addresses",
    group: "Tools:",
    examples: ["trueup completion bash", "trueup completion zsh"],
    load: async () => (await Promise.resolve().then(()=>require("./part-36.cjs").part_GLL44SVW)).completionCommand
  },
  __complete: {
    does: "print completions, for the completion scripts",
    hidden: true,
    load: async () => (await Promise.resolve().then(()=>require("./part-113.cjs").part_QLD5JJDD)).completeCommand
  }
};

// src/cli/program.ts
async function run(argv2, host, load) {
  const run2 = { host, exitCode: exitCodes.done };
  const streams = [host.stdout, host.stderr];
  const broken = () => {
    run2.exitCode = exitCodes.failed;
  };
  for (const stream of streams) stream.on("error", broken);
  const forget = rememberFor(host.env);
  try {
    await runCommand(argv2, run2, load);
  } catch (error) {
    if (error instanceof CommanderError) run2.exitCode = error.exitCode;
    else {
      (await Promise.resolve().then(()=>require("./part-59.cjs").part_OPDJ3LPY)).reportError(error, argv2, run2);
      run2.exitCode = errorCode(error);
    }
  }
  forget();
  for (const stream of streams) await new Promise((done) => stream.write("", done));
  return run2.exitCode;
}
async function runCommand(argv2, run2, load) {
  const program = await programWith(load, run2, (name) => argv2.slice(0, 3).includes(name));
  await program.parseAsync(argv2, { from: "user" });
}
var again = (...given) => run(...given);
async function programWith(load, run2, isWanted) {
  const { stdout, stderr } = run2.host;
  const program = new Command("trueup").exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    getOutHasColors: () => stdout.isTTY ?? false,
    getErrHasColors: () => stderr.isTTY ?? false,
    // Whoever deletes everything writes that word in full.
    outputError: (text, write) => write(text.replace("(Did you mean destroy?)\n", ""))
  }).description("Manage a hosting-platform account with YAML files.").version(version).showHelpAfterError("(run with --help to see what is available)").addHelpText("after", `
${exitCodeHelp(stdout.columns ?? 80)}`);
  program.commandsGroup("Tools:").helpCommand(true);
  const term = new Help().subcommandTerm;
  program.configureHelp({
    // Here all that is known of most of them is the name.
    subcommandTerm: (command) => command.parent === program ? command.name() : term(command)
  });
  for (const [name, entry] of Object.entries(commands)) {
    const { does, group, examples, hidden = false, load: loadCommand } = entry;
    const command = program.command(name, { hidden }).description(does);
    if (group) command.helpGroup(group);
    if (examples)
      command.addHelpText(
        "after",
        `
Examples:
${examples.map((line) => `  ${line}
`).join("")}
More: docs/commands/${name}.md`
      );
    if (isWanted(name))
      (await loadCommand())(command, await load(), run2, {
        whole: () => programWith(load, run2, () => true),
        again: (argv2, host) => again(argv2, host, load)
      });
  }
  answerForeignWords(program, run2);
  refuseEmpty(program);
  return program;
}
function answerForeignWords(program, run2) {
  for (const [word, answer] of Object.entries(foreignWords))
    program.command(word, { hidden: true }).allowUnknownOption().allowExcessArguments().helpOption(false).action(() => {
      terminalFor(run2, {}).err(`trueup has no \`${word}\`: ${answer}`);
      run2.exitCode = exitCodes.failed;
    });
}
function refuseEmpty(command) {
  for (const option of command.options) refuseIn(option);
  for (const argument of command.registeredArguments) refuseIn(argument);
  for (const inner of command.commands) refuseEmpty(inner);
}
function refuseIn(place) {
  const { parseArg, variadic } = place;
  place.argParser((value, before) => {
    if (value === "") throw new InvalidArgumentError("It is empty.");
    if (parseArg) return parseArg(value, before);
    return variadic ? [...before ?? [], value] : value;
  });
}
var ledger = "the ledger records what was applied and maintains itself; `trueup ledger list` shows it";
var foreignWords = {
  import: "there is nothing to import. Declare what exists and `plan` finds it by name; `trueup export` writes the YAML.",
  refresh: "every plan reads the live account: `trueup plan`.",
  state: `${ledger}; \`trueup ledger\` also moves, forgets and renames entries.`,
  diff: "`trueup plan` shows how the account differs from the configuration; `trueup render --diff REF` shows what a commit changes.",
  preview: "`trueup plan` shows what would change, without changing anything.",
  up: "`trueup apply` makes the account match the configuration.",
  deploy: "`trueup apply` makes the account match the configuration; it does not deploy code. `trueup run redeploy` rebuilds what is deployed.",
  push: "`trueup apply` makes the account match the configuration.",
  pull: "`trueup export` writes the account as YAML; `trueup accept` writes outside changes into it.",
  sync: "`trueup apply` makes the account match the configuration; `trueup accept` writes outside changes into it.",
  login: "there is no login. Set TRUEUP_TOKEN to a platform token, or pass a file with --token-file.",
  logout: "there is no login: the token comes from TRUEUP_TOKEN or --token-file.",
  taint: "nothing is marked. To recreate an object, remove it from the YAML, apply, and put it back.",
  untaint: "nothing is marked, so there is nothing to unmark.",
  workspace: "trueup.workspace.yaml lists the stacks of a repository (`trueup stacks`); --stage selects a stage.",
  output: "`trueup get` shows what is in the account; `trueup ledger show ADDRESS` shows an object's id.",
  console: "`trueup render` prints the result of templates and expressions.",
  providers: "there is one platform, built in.",
  lint: "`trueup validate` checks the configuration; `trueup fmt --check` checks its formatting.",
  history: "`trueup log` shows the runs, newest first.",
  rollback: "`trueup undo RUN` reverts a run; `trueup run rollback` serves an earlier deployment.",
  "force-unlock": "leases expire on their own; `trueup ledger unlock` removes one early.",
  unlock: "`trueup ledger unlock` removes a lease that was never released.",
  drift: "`trueup plan --drift-exitcode` detects changes made outside."
};

// src/main.ts
var isDone = false;
process.once("beforeExit", () => {
  if (!isDone) process.exitCode ||= 13;
});
var [, , ...argv] = process.argv;
void run(argv, processHost(), async () => (await Promise.resolve().then(()=>require("./part-110.cjs").part_SFYWP2GJ)).hosting).then(
  (code) => {
    process.exitCode = code;
    isDone = true;
  }
);
}
