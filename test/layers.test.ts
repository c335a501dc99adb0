import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Who may import whom, by place: other places, packages, and parts of Node. Its own place may always be imported.
 * Places are folders or files; of two that fit, the longer one counts.
 */
const layers: Record<string, { places: string[]; packages: string[]; node: string[] }> = {
  'src/model': { places: [], packages: ['jsonc-parser'], node: ['crypto', 'util'] },
  'src/kind': { places: ['src/model'], packages: ['fast-deep-equal', 'zod'], node: [] },
  // The one place that calls git.
  'src/git': {
    places: ['src/model', 'src/paths.ts'],
    packages: [],
    node: ['child_process', 'crypto', 'fs', 'fs/promises', 'os', 'path', 'timers/promises', 'zlib'],
  },
  // How paths of files are compared and written: nothing is read.
  'src/paths.ts': { places: [], packages: [], node: ['path'] },
  // How a program is found, for all that starts one.
  'src/programs': { places: ['src/paths.ts'], packages: [], node: ['fs', 'fs/promises', 'path'] },
  // The process around a run, as an interface.
  'src/host.ts': { places: ['src/ledger', 'src/model'], packages: [], node: ['path', 'stream'] },
  'src/config': {
    places: [
      'src/files/replace-file.ts',
      'src/git',
      'src/host.ts',
      'src/kind',
      'src/model',
      'src/paths.ts',
      'src/programs',
      'src/report/text.ts',
    ],
    packages: ['csv-parse/sync', 're2js', 'yaml', 'zod'],
    node: ['child_process', 'crypto', 'fs', 'fs/promises', 'path', 'util'],
  },
  // Nothing of Node: what it reads comes through `Send`, and time does not matter.
  'src/shapes': { places: ['src/kind', 'src/model'], packages: [], node: [] },
  'src/observe': { places: ['src/kind', 'src/model'], packages: [], node: [] },
  'src/plan': { places: ['src/kind', 'src/model'], packages: ['zod'], node: [] },
  // What objects do together, apart from the semantics of a platform: views, findings, and what a plan does to them.
  'src/meaning': {
    places: [
      'src/config/counted-globs.ts',
      'src/config/growth.ts',
      'src/config/suggest.ts',
      'src/kind',
      'src/model',
    ],
    packages: [],
    node: [],
  },
  // From a plan to its outcome. Nothing of Node but how paths are spelled: the terminal is somebody else's, and so are clock and signals.
  'src/run': {
    places: [
      'src/action',
      'src/config/deliver-secret.ts',
      'src/kind',
      'src/ledger',
      'src/meaning',
      'src/meaning',
      'src/model',
      'src/observe',
      'src/plan',
      'src/report/action-texts.ts',
      'src/report/text.ts',
    ],
    packages: [],
    node: ['path'],
  },
  // A twin for this process alone. Its token is random.
  'src/run/private-twin.ts': { places: ['src/kind'], packages: [], node: ['crypto'] },
  // Records of runs: their format, and what follows from them, with the commits that were applied.
  'src/history': {
    places: [
      'src/config',
      'src/git',
      'src/host.ts',
      'src/kind',
      'src/ledger',
      'src/model',
      'src/plan',
      'src/report',
      'src/run',
      'src/stores',
    ],
    packages: ['zod'],
    node: ['crypto', 'path'],
  },
  // What an operator lets no plan do: its file, its verdict, and the programs that are asked.
  'src/guards': {
    places: [
      'src/config',
      'src/git',
      'src/host.ts',
      'src/kind',
      'src/model',
      'src/programs',
      'src/report/forecast.ts',
      'src/report/plan-json.ts',
      'src/report/show.ts',
      'src/report/text.ts',
      'src/run/session.ts',
    ],
    packages: ['zod'],
    node: ['child_process', 'fs/promises', 'path'],
  },
  'src/approval': {
    places: [
      'src/config',
      'src/files',
      'src/files/replace-file.ts',
      'src/host.ts',
      'src/kind',
      'src/ledger',
      'src/model',
      'src/report/json-parts.ts',
      'src/report/plan-json.ts',
      'src/report/show.ts',
      'src/report/stacks/stack-report.ts',
      'src/report/text.ts',
      'src/run',
      'src/stores',
    ],
    packages: ['zod'],
    node: ['fs/promises', 'path'],
  },
  'src/ledger': {
    places: ['src/git', 'src/kind', 'src/model', 'src/paths.ts'],
    packages: ['zod'],
    node: ['crypto', 'fs', 'fs/promises', 'os', 'path', 'timers/promises'],
  },
  // The way of src/config backwards, up to the files.
  'src/export': {
    places: [
      'src/config',
      'src/files',
      'src/host.ts',
      'src/kind',
      'src/ledger',
      'src/model',
      'src/observe/observe-account.ts',
      'src/paths.ts',
      'src/plan',
      'src/report/text.ts',
      'src/stores',
    ],
    packages: ['yaml', 'zod'],
    node: ['fs/promises', 'path'],
  },
  // Applies a plan to a twin of the account: the real planner and applier, with a ledger and an account in memory.
  'src/rehearse': {
    places: [
      'src/calibration',
      'src/export/expressible.ts',
      'src/kind',
      'src/ledger',
      'src/model',
      'src/observe',
      'src/plan',
      'src/rehearse/verdicts',
      'src/report/forecast.ts',
      'src/run',
      'src/run/private-twin.ts',
    ],
    packages: [],
    node: ['crypto'],
  },
  // What visitors meet in each state of a rehearsed apply.
  'src/rehearse/verdicts': {
    places: ['src/kind', 'src/meaning', 'src/model', 'src/observe', 'src/run'],
    packages: [],
    node: [],
  },
  // Rehearses the stacks of a command.
  'src/rehearse/command': {
    places: [
      'src/app',
      'src/approval',
      'src/doctor',
      'src/doctor/command',
      'src/kind',
      'src/model',
      'src/rehearse',
    ],
    packages: [],
    node: [],
  },
  // Files of other tools as an account that has only what they say; `config` to see that two texts mean the same.
  'src/from': {
    places: [
      'src/config',
      'src/export',
      'src/host.ts',
      'src/kind',
      'src/model',
      'src/observe',
      'src/report/text.ts',
    ],
    packages: [],
    node: [],
  },
  // Where else a ledger can be: what talks to each is loaded when a URL names it.
  'src/stores': {
    places: [
      'src/git/work-tree.ts',
      'src/host.ts',
      'src/http',
      'src/ledger',
      'src/model',
      'src/report/text.ts',
    ],
    packages: ['@aws-sdk/client-s3', 'pg', 'undici', 'zod'],
    node: ['crypto', 'fs', 'fs/promises', 'path', 'timers/promises'],
  },
  // Where the ledger of a stack is: by the operator, the YAML, or what its repository has.
  'src/ledger-place': {
    places: [
      'src/config',
      'src/git',
      'src/host.ts',
      'src/ledger',
      'src/model',
      'src/report/text.ts',
      'src/stores',
    ],
    packages: [],
    node: ['fs/promises', 'path'],
  },
  // Jobs of a fleet: their choice, who may do which, what became of them, and the folder of a worker.
  'src/fleet': {
    places: [
      'src/approval',
      'src/ci/ci-job.ts',
      'src/config',
      'src/git',
      'src/history',
      'src/host.ts',
      'src/ledger',
      'src/model',
      'src/paths.ts',
      'src/report/fleet/fleet-report.ts',
      'src/report/text.ts',
      'src/run/run-effects.ts',
      'src/stores',
    ],
    packages: ['zod'],
    node: ['crypto', 'fs/promises', 'path'],
  },
  // Does jobs in checkouts. The commands of a job run in the program, on a host of their own.
  'src/fleet/worker': {
    places: [
      'src/app/planning/workspace-stacks.ts',
      'src/app/port.ts',
      'src/app/stack-options.ts',
      'src/approval',
      'src/fleet',
      'src/git',
      'src/host.ts',
      'src/kind',
      'src/ledger',
      'src/model',
      'src/queue',
      'src/report/fleet/fleet-report.ts',
      'src/report/text.ts',
      'src/stores',
    ],
    packages: [],
    node: ['crypto', 'fs/promises', 'path', 'stream'],
  },
  // Where the jobs wait: loaded when a command of the fleet asks for it.
  'src/queue': {
    places: [
      'src/fleet',
      'src/host.ts',
      'src/ledger',
      'src/model',
      'src/stores/client-package.ts',
      'src/stores/postgres/connection.ts',
      'src/stores/postgres/postgres-error.ts',
      'src/stores/store-url.ts',
    ],
    packages: ['pg-boss'],
    node: [],
  },
  // From a plan to the texts of its configuration: no I/O.
  'src/accept': {
    places: [
      'src/config',
      'src/export',
      'src/kind',
      'src/model',
      'src/plan',
      'src/report/line-diff.ts',
      'src/report/value-diff.ts',
      'src/report/not-compared-text.ts',
      'src/report/text.ts',
    ],
    packages: ['diff', 'yaml', 'zod'],
    node: [],
  },
  // Removes blocks from texts of the configuration, as accept does for objects that were deleted outside.
  'src/remove': {
    places: ['src/accept', 'src/config', 'src/kind', 'src/model'],
    packages: ['diff', 'yaml'],
    node: [],
  },
  // The use case: plans, computes and proves the texts, asks, and writes.
  'src/accept/command': {
    places: [
      'src/accept',
      'src/app',
      'src/config',
      'src/export/secret-names.ts',
      'src/files',
      'src/git/tracking.ts',
      'src/host.ts',
      'src/kind',
      'src/model',
      'src/observe/observe-account.ts',
      'src/paths.ts',
      'src/plan',
      'src/run',
    ],
    packages: [],
    node: ['path'],
  },
  'src/report': {
    places: ['src/model'],
    packages: ['diff', 'picocolors', 'zod'],
    node: [],
  },
  // `crypto` for the page's policy, which names its style and script by their digests.
  'src/report/html': { places: ['src/model', 'src/report'], packages: ['diff'], node: ['crypto'] },
  'src/manual': {
    places: ['src/config', 'src/kind', 'src/model', 'src/report/style.ts', 'src/report/text.ts'],
    packages: ['zod'],
    node: [],
  },
  'src/http': {
    places: ['src/model'],
    packages: ['undici'],
    node: ['crypto', 'fs', 'http', 'net', 'stream', 'timers/promises', 'tls'],
  },
  // What the runs of a token share: loaded when an option asks for it.
  'src/budget': {
    places: ['src/http', 'src/model', 'src/stores'],
    packages: ['zod'],
    node: ['crypto'],
  },
  // Which operation is meant, what fills it, and how its response is printed.
  'src/api': {
    places: [
      'src/config',
      'src/files',
      'src/host.ts',
      'src/kind',
      'src/manual',
      'src/model',
      'src/report/text.ts',
      'src/terminal',
    ],
    packages: [],
    node: ['crypto', 'events', 'fs', 'fs/promises', 'stream/promises'],
  },
  // Sends the call of `trueup api` and prints its response.
  'src/api/command': {
    places: [
      'src/action/find-subject.ts',
      'src/api',
      'src/app',
      'src/config',
      'src/files',
      'src/http',
      'src/kind',
      'src/ledger-place',
      'src/model',
      'src/report',
      'src/terminal',
    ],
    packages: [],
    node: [],
  },
  // Words as input, input as a request, an answer as what is told of it: data in, data out.
  'src/action': {
    places: [
      'src/config/fields/field-problems-of-issue.ts',
      'src/config/fields/schema-options.ts',
      'src/config/suggest.ts',
      'src/host.ts',
      'src/kind',
      'src/manual/coverage.ts',
      'src/model',
      'src/observe/observe-account.ts',
      'src/plan',
    ],
    packages: ['zod'],
    node: ['crypto'],
  },
  // Two sides of a comparison, and the change of YAML that makes one like the other. It reads sides as commands do.
  'src/compare': {
    places: [
      'src/accept',
      'src/accept/command',
      'src/app',
      'src/config',
      'src/export',
      'src/files',
      'src/git',
      'src/kind',
      'src/meaning',
      'src/model',
      'src/plan/unmatched-globs.ts',
      'src/report',
      'src/run',
      'src/shapes/order/reorder.ts',
    ],
    packages: ['diff', 'yaml', 'zod'],
    node: [],
  },
  // Test files beside a configuration: read, run on twins with a ledger in memory, and reported.
  'src/testing': {
    places: [
      'src/app/session/load-configuration.ts',
      'src/app/session/open-session.ts',
      'src/config',
      'src/git',
      'src/host.ts',
      'src/kind',
      'src/ledger',
      'src/meaning',
      'src/model',
      'src/paths.ts',
      'src/report',
      'src/run',
      'src/run/private-twin.ts',
    ],
    packages: ['zod'],
    node: ['fs/promises', 'path'],
  },
  'src/github': {
    places: ['src/http', 'src/model', 'src/report/text.ts'],
    packages: [],
    node: [],
  },
  'src/gitlab': { places: ['src/http', 'src/model'], packages: [], node: [] },
  // The workflows of a repository, and the facts that a job of them gives. Its templates are the examples.
  'src/ci': {
    places: [
      'src/config',
      'src/files',
      'src/git',
      'src/github',
      'src/host.ts',
      'src/ledger-place/repository-ledgers.ts',
      'src/ledger/list-git-ledgers.ts',
      'src/testing/list-test-files.ts',
      'src/testing/sample-tests.ts',
      'src/ledger/proof.ts',
      'src/model',
      'src/report',
      ...[
        'github/validate',
        'github/plan',
        'github/apply',
        'github/drift',
        'github/sign',
        'gitlab-ci',
        'gitlab-stacks',
      ].map((name) => `examples/ci/${name}.yml?raw`),
      'src/approval',
      'src/gitlab',
      'src/stores',
      'src/paths.ts',
    ],
    packages: ['yaml'],
    node: ['fs', 'fs/promises', 'path'],
  },
  // The first files of a user: a configuration and its tests.
  'src/init': {
    places: [
      'src/app/editor-schema.ts',
      'src/config/find-files.ts',
      'src/host.ts',
      'src/model',
      'src/stores',
      'src/testing/sample-tests.ts',
    ],
    packages: [],
    node: ['fs/promises', 'path'],
  },
  // Files that a command writes: completely or not at all, and without overwriting what is not its own.
  'src/files': {
    places: ['src/files/replace-file.ts', 'src/git', 'src/host.ts', 'src/model', 'src/paths.ts'],
    packages: [],
    node: ['fs', 'fs/promises', 'path'],
  },
  'src/files/replace-file.ts': { places: [], packages: [], node: ['crypto', 'fs/promises'] },
  // The completion scripts of shells, from the declared commands: data in, texts out.
  'src/completion': { places: ['src/model'], packages: ['commander'], node: [] },
  // What the answers of an account show about the platform; it is read by `observe` only.
  // How well the twin's rules are known, and how recorded answers of the platform differ from the twin's.
  'src/calibration': {
    places: ['src/kind', 'src/manual', 'src/model'],
    packages: [],
    node: [],
  },
  'src/doctor': {
    places: [
      'src/http/bounded-json.ts',
      'src/kind',
      'src/manual',
      'src/model',
      'src/observe',
      'src/permissions',
      'src/report',
      'src/snapshot/snapshot.ts',
    ],
    packages: ['zod'],
    node: ['util', 'zlib'],
  },
  // The use cases `trueup doctor` and `trueup permissions`.
  'src/doctor/command': {
    places: [
      'src/app',
      'src/config',
      'src/doctor',
      'src/files',
      'src/host.ts',
      'src/http',
      'src/kind',
      'src/manual',
      'src/model',
      'src/permissions',
      'src/report/plan-json.ts',
      'src/run/private-twin.ts',
      'src/snapshot',
      'src/snapshot/command',
    ],
    packages: [],
    node: ['os'],
  },
  // What a plan was made from, in a file without secrets: recorded while planning, and read again without the account.
  'src/snapshot': {
    places: [
      'src/kind',
      'src/ledger/ledger-store.ts',
      'src/ledger/parse-ledger.ts',
      'src/ledger/proof.ts',
      'src/model',
      'src/plan/input.ts',
      'src/run',
    ],
    packages: ['zod'],
    node: ['crypto', 'fs/promises', 'util', 'zlib'],
  },
  // Plans from a snapshot, and writes one after planning, for `plan` and `doctor`.
  'src/snapshot/command': {
    places: [
      'src/app',
      'src/config',
      'src/files',
      'src/host.ts',
      'src/kind',
      'src/ledger/proof.ts',
      'src/model',
      'src/report/text.ts',
      'src/snapshot',
      'src/stores/open-ledger.ts',
    ],
    packages: [],
    node: [],
  },
  // What commands need, from the requests of kinds.
  'src/permissions': {
    places: ['src/kind', 'src/manual', 'src/model', 'src/report'],
    packages: [],
    node: [],
  },
  // Use cases without a terminal: the command line, the library and the workers of a fleet call them.
  'src/app': {
    places: [
      ...[
        'accept',
        'action',
        'api',
        'approval',
        'budget',
        'ci',
        'config',
        'export',
        'files',
        'from',
        'git',
        'github',
        'gitlab',
        'guards',
        'history',
        'kind',
        'ledger',
        'ledger-place',
        'manual',
        'meaning',
        'model',
        'observe',
        'plan',
        'programs',
        'remove',
        'report',
        'run',
        'run/private-twin.ts',
        'snapshot',
        'stores',
      ].map((name) => `src/${name}`),
      'src/host.ts',
      'src/paths.ts',
    ],
    packages: [],
    node: ['crypto', 'fs', 'fs/promises', 'path', 'stream'],
  },
  // How a command writes to its streams: messages, questions, views that are redrawn, and notes for the runner of a CI job.
  'src/terminal': {
    places: [
      'src/action/read-lookup.ts',
      'src/app/port.ts',
      'src/app/session/session.ts',
      'src/ci/ci-job.ts',
      'src/fleet/worker/job-host.ts',
      'src/github/actions.ts',
      'src/host.ts',
      'src/kind',
      'src/model',
      'src/report',
    ],
    packages: ['commander', 'log-update'],
    node: ['events', 'fs', 'readline/promises', 'stream'],
  },
  'src/library': {
    places: [
      'src/app',
      'src/host.ts',
      'src/model',
      'src/process-host.ts',
      'src/report',
      'src/run',
      'src/stores/ledger-choice.ts',
    ],
    packages: [],
    node: ['stream'],
  },
  'src/library.ts': {
    places: [
      'providers/hosting',
      'src/app',
      'src/config/render/render.ts',
      'src/library',
      'src/model',
      'src/report',
      'src/run',
    ],
    packages: [],
    node: [],
  },
  'src/cli': {
    // The entries that `explain` prints are what the documentation has.
    places: [
      'docs/troubleshooting.md?raw',
      'src/host.ts',
      ...[
        'run',
        'accept',
        'accept/command',
        'action',
        'api',
        'api/command',
        'app',
        'approval',
        'budget',
        'calibration',
        'ci',
        'compare',
        'completion',
        'config',
        'doctor',
        'doctor/command',
        'export',
        'files',
        'fleet',
        'fleet/worker',
        'from',
        'git',
        'gitlab',
        'guards',
        'programs',
        'history',
        'http',
        'init',
        'kind',
        'ledger',
        'ledger-place',
        'manual',
        'meaning',
        'model',
        'observe',
        'permissions',
        'plan',
        'queue',
        'rehearse/command',
        'remove',
        'report',
        'report/html',
        'snapshot/command',
        'stores',
        'terminal',
        'testing',
      ].map((name) => `src/${name}`),
    ],
    packages: ['commander'],
    node: ['crypto', 'fs/promises', 'net', 'path', 'stream'],
  },
  // The program, and the process that it runs in. Beside the library, it is the only file that names a provider.
  src: {
    places: [
      'providers/hosting',
      'src/cli',
      'src/host.ts',
      'src/model/version.ts',
      'src/terminal/command-run.ts',
    ],
    packages: [],
    node: [],
  },
  'providers/hosting': {
    places: [
      '#kind',
      'providers/hosting/actions',
      'providers/hosting/catalog.ts',
      'providers/hosting/connect.ts',
      'providers/hosting/extra-operations.ts',
      'providers/hosting/facts',
      'providers/hosting/facts/answers.json?raw',
      'providers/hosting/foreign',
      'providers/hosting/kinds',
      'providers/hosting/limits',
      'providers/hosting/lookups',
      'providers/hosting/meaning',
      'providers/hosting/paging.ts',
      'providers/hosting/token-rules.ts',
      'providers/hosting/twin',
    ],
    packages: [],
    node: [],
  },
  // What the platform does with a request or a name, by the kinds' normal forms: pure. `net` for how addresses are spelled.
  'providers/hosting/meaning': {
    places: ['#kind', 'providers/hosting/kinds'],
    packages: ['re2js'],
    node: ['net'],
  },
  'providers/hosting/limits': { places: ['#kind', 'providers/hosting/catalog.ts'], packages: [], node: [] },
  'providers/hosting/connection-limits.ts': {
    places: [
      'providers/hosting/catalog.ts',
      'providers/hosting/extra-operations.ts',
      'providers/hosting/limits',
      'src/http',
      'src/kind',
      'src/model',
    ],
    packages: [],
    node: [],
  },
  'providers/hosting/connect.ts': {
    places: [
      'providers/hosting/connection-limits.ts',
      'providers/hosting/events.ts',
      'providers/hosting/paging.ts',
      'providers/hosting/project-token.ts',
      'providers/hosting/read-owner.ts',
      'src/http',
      'src/kind',
      'src/model',
    ],
    packages: [],
    node: [],
  },
  'providers/hosting/read-owner.ts': {
    places: [
      'providers/hosting/lookups.ts',
      'providers/hosting/project-token.ts',
      'src/http',
      'src/kind',
      'src/model',
    ],
    packages: [],
    node: [],
  },
  'providers/hosting/project-token.ts': {
    places: ['providers/hosting/token-rules.ts', 'src/http', 'src/model'],
    packages: [],
    node: [],
  },
  'providers/hosting/token-rules.ts': {
    places: ['#kind', 'providers/hosting/facts'],
    packages: [],
    node: [],
  },
  'providers/hosting/events.ts': { places: ['src/kind'], packages: [], node: [] },
  'providers/hosting/extra-operations.ts': {
    places: ['#kind', 'providers/hosting/catalog.ts'],
    packages: [],
    node: [],
  },
  // `net` and `url` for how addresses and names are spelled; they open nothing.
  'providers/hosting/paging.ts': { places: ['src/http'], packages: [], node: [] },
  'providers/hosting/kinds': { places: ['#kind', '#shapes'], packages: ['zod'], node: ['net', 'url'] },
  // What files of other tools say, in the form of answers. `crypto` to read the names in a certificate.
  'providers/hosting/foreign': { places: ['#kind'], packages: [], node: ['crypto'] },
  // What is done once, and what is only read: declarations, as kinds are.
  'providers/hosting/actions': { places: ['#kind'], packages: ['zod'], node: [] },
  'providers/hosting/lookups': { places: ['#kind'], packages: ['zod'], node: [] },
  // Pure data with checks of answers, so that kinds, twin and tests can be judged by them.
  'providers/hosting/facts': { places: ['#kind'], packages: [], node: [] },
  // It must not share a mistake with the kinds.
  'providers/hosting/twin': {
    places: ['providers/hosting/catalog.ts', 'providers/hosting/limits/index.ts'],
    packages: ['zod'],
    node: ['crypto', 'fs', 'fs/promises', 'http', 'net', 'path', 'timers/promises', 'util'],
  },
};

const placeOf = (file: string) =>
  Object.keys(layers)
    .filter((place) => file === place || file.startsWith(`${place}/`))
    .sort((a, b) => b.length - a.length)[0];

const files = ['src', 'providers'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
);

/** What a file imports or re-exports: a file of the project by its path, anything else by its name; with or without types. */
function importsOf(file: string, isTyped = true): string[] {
  const whole = readFileSync(path.join(root, file), 'utf8');
  const text = isTyped ? whole : whole.replace(/^(import|export) type\b[^;]*?from '[^']+'/gm, '');
  const names = [
    ...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\bimport\(\s*'([^']+)'|^import '([^']+)'/gm),
  ];
  return names
    .map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!)
    .map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name));
}

function allows(from: string, imported: string): boolean {
  const { places, packages, node } = layers[from]!;
  if (isBuiltin(imported)) return node.includes(imported.replace(/^node:/, ''));
  if (/^(src|providers|test|docs|examples)\//.test(imported))
    return (
      placeOf(imported) === from || places.includes(imported) || places.includes(placeOf(imported) ?? '')
    );
  return imported.startsWith('#') ? places.includes(imported) : packages.includes(imported);
}

it('every file imports only what its layer may', () => {
  const checked = files.flatMap((file) => importsOf(file).map((imported) => ({ file, imported })));
  const refused = checked.filter(({ file, imported }) => !allows(placeOf(file)!, imported));
  expect(refused.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
  console.log(`layers: ${files.length} files, ${checked.length} imports`);
  expect(checked.length).toBeGreaterThan(500);
});

/** A way from a file along imports that comes back to it; `seen` are the files that no circle leads through. */
function circleFrom(
  file: string,
  imports: (file: string) => string[],
  seen: Set<string>,
  way: string[] = [],
): string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (seen.has(file)) return undefined;
  for (const imported of imports(file)) {
    const circle = circleFrom(imported, imports, seen, [...way, file]);
    if (circle) return circle;
  }
  seen.add(file);
  return undefined;
}

/** The files of the project that a file imports, with or without those of which it needs types only. */
const ofProject = (file: string, isTyped: boolean) =>
  importsOf(file, isTyped)
    .map((name) => name.replace(/^#(\w+)$/, 'src/$1/index.ts'))
    .filter((name) => files.includes(name));

it('no file needs itself to be loaded', () => {
  const seen = new Set<string>();
  const circles = files.map((file) => circleFrom(file, (one) => ofProject(one, false), seen)?.join(' > '));
  expect(circles.filter(Boolean)).toEqual([]);
  expect(seen.size).toBe(files.length);
  const circle: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['b'] };
  expect(circleFrom('a', (file) => circle[file]!, new Set())).toEqual(['b', 'c', 'b']);
});

it('no file needs itself to be understood', () => {
  const seen = new Set<string>();
  const circles = files.map((file) =>
    circleFrom(file, (source) => ofProject(source, true), seen)?.join(' > '),
  );
  expect(circles.filter(Boolean)).toEqual([]);
  expect(seen.size).toBe(files.length);
});

it('a file that reaches too far is found', () => {
  expect(allows('src/plan', 'node:fs')).toBe(false);
  expect(allows('src/plan', 'src/observe/observe.ts')).toBe(false);
  expect(allows('src/plan', 'src/run/apply.ts')).toBe(false);
  expect(allows('src/run', 'src/terminal/terminal.ts')).toBe(false);
  expect(allows('src/run', 'src/app/port.ts')).toBe(false);
  expect(allows('src/app', 'src/terminal/terminal.ts')).toBe(false);
  expect(allows('src/library', 'src/terminal/terminal.ts')).toBe(false);
  expect(allows('src/run', 'src/report/plan-json.ts')).toBe(false);
  expect(allows('src/report', 'src/kind/kind.ts')).toBe(false);
  expect(allows('src/cli', 'providers/hosting/index.ts')).toBe(false);
  expect(allows('providers/hosting/kinds', 'src/plan/plan.ts')).toBe(false);
  expect(allows('providers/hosting/twin', 'providers/hosting/kinds/index.ts')).toBe(false);
  expect(allows('src/plan', 'src/kind/kind.ts')).toBe(true);
});

it('only the bin and the library name a provider', () => {
  const naming = files.filter(
    (file) =>
      file.startsWith('src/') && importsOf(file).some((imported) => imported.startsWith('providers/')),
  );
  expect(naming).toEqual(['src/library.ts', 'src/main.ts']);
});

it('git is called, and `.git` looked for, in one place', () => {
  const naming = files.filter((file) => {
    const code = readFileSync(path.join(root, file), 'utf8').replace(/^ *(\/\/|\/?\*).*$/gm, '');
    return /\b(spawn|exec|execFile|fork)(Sync)?\(\s*['"`]git\b|['"]\.git['"/]/.test(code);
  });
  expect(naming).toEqual(['src/git/git.ts', 'src/git/repository.ts', 'src/git/work-tree.ts']);
});

it('no request is sent by `fetch`, because Node.js sends these through proxies that trueup does not judge', () => {
  const fetching = files.filter((file) =>
    /(?<![.\w'"`])fetch\(/.test(
      readFileSync(path.join(root, file), 'utf8').replace(/^ *(\/\/|\/?\*).*$/gm, ''),
    ),
  );
  expect(fetching).toEqual([]);
});

it('only the bin knows that there is a process', () => {
  const knowing = files.filter((file) => knowsProcess(readFileSync(path.join(root, file), 'utf8')));
  expect(knowing).toEqual(['src/main.ts', 'src/process-host.ts']);
});

it('what would know of the process is found', () => {
  for (const text of [
    'process.env.HOME',
    'const { env } = process;',
    "from 'node:process'",
    'globalThis.process',
  ])
    expect(knowsProcess(text), text).toBe(true);
  for (const text of ["hint: 'process.env'", '// process.env', 'reprocess.it()', 'host.processes.pid'])
    expect(knowsProcess(text), text).toBe(false);
});

/** Whether code, apart from its comments and plain strings, uses Node's `process`, or the state of it that other names give. */
function knowsProcess(text: string): boolean {
  if (/from '(node:)?process'/.test(text)) return true;
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*/g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, '');
  return /(?<![\w$])process\s*[.;?[)}]|\bglobalThis\.process\b|\bconsole\./.test(code);
}

it('there is no drawer for everything', () => {
  const drawers = files.filter((file) =>
    /(^|\/)(utils?|helpers?|common|core|misc|types)(\/|\.ts$)/.test(file),
  );
  expect(drawers).toEqual([]);
});
