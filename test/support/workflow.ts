import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { initRepository } from './init-repository.ts';
import { git, gitEnv, temporary } from './ledger-places.ts';
import { program } from './process.ts';
import { all } from './sweep.ts';
import { toolHere } from './tool-here.ts';

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  'continue-on-error'?: boolean;
}

interface Job {
  needs?: string;
  if?: string;
  environment?: string;
  outputs?: Record<string, string>;
  defaults?: { run?: { 'working-directory'?: string } };
  steps: Step[];
}

interface Workflow {
  jobs: Record<string, Job>;
}

/** What a run is about. A workflow of `pull_request` is in the hands of the pull request, one of `pull_request_target` is not. */
export type Trigger = 'push' | 'schedule' | 'pull_request' | 'pull_request_target' | 'workflow_dispatch';

/** A repository on a machine that plays GitHub Actions. */
export interface Machine {
  /** The repository; a pull request is `refs/pull/7/merge` there. */
  bare: string;
  trigger: Trigger;
  event: unknown;
  /** What `${{ }}` may say beside the event and secrets, by its text; anything else is an error. */
  expressions: Record<string, string>;
  /** The secrets of each environment. Only runs of `main` may use one: a job of another run that wants it does not begin. */
  environments: Record<string, Record<string, string>>;
  /** The environment of every step. */
  env: Record<string, string>;
  /** Done before a job, by its name: what happens in the world meanwhile. */
  before?: Record<string, () => void>;
  /** Whether npm is npm, and not a stand-in that installs nothing and runs the tool. */
  isNpmReal?: boolean;
}

export interface JobRun {
  ok: boolean;
  log: string;
  summary: string;
}

/** What a checkout writes down so that later steps can fetch and push, unless it is told not to. */
export const checkoutToken = 'Y2hlY2tvdXQtY3JlZGVudGlhbHM';

/**
 * A folder for PATH with commands of others that workflows call: npm, unless it is to be the real one, installs nothing and runs the tool;
 * gh writes down what it is asked, and a body.
 */
export async function shims(folder: string, isNpmReal = false): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const write = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  if (!isNpmReal)
    write(
      'npm',
      `case "$*" in
  'ci --ignore-scripts' | 'ci --ignore-scripts --prefix '*) exit 0 ;;
  'exec --no -- trueup '*) shift 4 ;;
  'exec --prefix '*) if [ "$4 $5 $6" != '--no -- trueup' ]; then exit 9; fi; shift 6 ;;
  *) exit 9 ;;
esac
${all ? `exec '${process.execPath}' '${program}' "$@"` : await toolHere()}`,
    );
  write(
    'gh',
    `echo "$*" >> "$GH_LOG"
case "$*" in
  'issue list'*) cat "$GH_OPEN" 2>/dev/null || true ;;
  'pr list'*) cat "$GH_OPEN.pull" 2>/dev/null || true ;;
  *'--body-file drift.md'*) cp drift.md "$GH_LOG.body" ;;
  *'--body-file pull-request.md'*) cp pull-request.md "$GH_LOG.pull" ;;
esac`,
  );
  return bin;
}

/** The ref that a run is about, and with it whether it is one of `main`. */
const refOf = ({ trigger }: Machine) =>
  trigger === 'pull_request' ? 'refs/pull/7/merge' : 'refs/heads/main';

/** The text of a workflow as GitHub takes it for this run: out of what somebody pushed for `pull_request`, else out of `main`. */
export const pushedWorkflow = (machine: Machine, name: string): string =>
  git(machine.bare, 'show', `${refOf(machine)}:.github/workflows/${name}.yml`);

/**
 * Runs a workflow (its text) as GitHub Actions does: jobs in order, each in a workspace of its own, `run:` with `bash -e`, conditions,
 * environments, outputs and artifacts. What is skipped is not in the answer.
 */
export async function runWorkflow(text: string, machine: Machine): Promise<Record<string, JobRun>> {
  const { jobs } = parse(text) as Workflow;
  const folder = temporary();
  const bin = await shims(folder, machine.isNpmReal ?? false);
  const artifacts = join(folder, 'artifacts');
  mkdirSync(artifacts);
  writeFileSync(join(folder, 'event.json'), JSON.stringify(machine.event));
  const known: Record<string, string> = { ...machine.expressions };
  const runs: Record<string, JobRun> = {};

  for (const [name, job] of Object.entries(jobs)) {
    const secrets = machine.environments[job.environment ?? ''] ?? {};
    const read = reader(machine.event, known, secrets);
    if (job.needs !== undefined && !runs[job.needs]?.ok) continue;
    if (job.if !== undefined && !holds(job.if, true, read)) continue;
    machine.before?.[name]?.();
    const run: JobRun = { ok: true, log: '', summary: '' };
    runs[name] = run;
    if (job.environment !== undefined && refOf(machine) !== 'refs/heads/main') {
      Object.assign(run, { ok: false, log: `${refOf(machine)} is not allowed to use ${job.environment}\n` });
      continue;
    }
    const workspace = join(folder, `job-${name}`);
    mkdirSync(workspace);
    for (const step of job.steps) {
      if (step.if === undefined ? !run.ok : !holds(step.if, run.ok, read)) continue;
      const ok =
        step.run === undefined
          ? play(step, { machine, workspace, artifacts, read })
          : await runStep(step, { machine, workspace, folder, bin, job, run, known, read });
      if (!ok && !step['continue-on-error']) run.ok = false;
    }
    for (const [key, value] of Object.entries(job.outputs ?? {}))
      if (run.ok) known[`needs.${name}.outputs.${key}`] = filled(value, read);
  }
  return runs;
}

type Read = (expression: string) => string;

function reader(event: unknown, known: Record<string, string>, secrets: Record<string, string>): Read {
  return (expression) => {
    const name = expression.trim();
    if (name.startsWith('secrets.')) return secrets[name.slice('secrets.'.length)] ?? '';
    const members = name.replace(/^inputs\./, 'github.event.inputs.').split('.');
    const value =
      known[name] ??
      (members[0] === 'github' && members[1] === 'event'
        ? members
            .slice(2)
            .reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], event)
        : undefined);
    if (value === undefined && /^(inputs|vars)\./.test(name)) return '';
    if (value === undefined) throw new Error(`the workflow asks for ${name}, which nobody has given`);
    return String(value);
  };
}

const filled = (text: string, read: Read): string =>
  String(text).replace(/\$\{\{(.*?)\}\}/g, (_, inner) => read(inner));

function holds(condition: string, before: boolean, read: Read): boolean {
  const text = condition.replace(/^\$\{\{|\}\}$/g, '').trim();
  if (text === '!cancelled()') return true;
  const side = (one: string) => (one.startsWith("'") ? one.slice(1, -1) : read(one));
  const isTrue = (comparison: string) => {
    const [, left, operator, right] = /^(.+?) ([=!]=) (.+)$/.exec(comparison.trim())!;
    return (side(left!) === side(right!)) === (operator === '==');
  };
  return before && text.split('&&').every(isTrue);
}

/** Plays an action; false where it fails. Which version it is, a test of the texts looks at. */
function play(
  step: Step,
  place: { machine: Machine; workspace: string; artifacts: string; read: Read },
): boolean {
  const { machine, workspace, artifacts, read } = place;
  const given = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([key, value]) => [key, filled(String(value), read)]),
  );
  switch (step.uses?.split('@')[0]) {
    case 'actions/checkout':
      return checkOut(machine, join(workspace, given.path ?? ''), given);
    case 'actions/upload-artifact':
      if (!existsSync(join(workspace, given.path!))) return true; // It warns.
      cpSync(join(workspace, given.path!), join(artifacts, given.name!, basename(given.path!)));
      return true;
    case 'actions/download-artifact':
      cpSync(join(artifacts, given.name!), workspace, { recursive: true });
      return true;
    case 'actions/setup-node':
      return true;
    default:
      throw new Error(`nobody plays ${step.uses}`);
  }
}

/** By repository, ref, commit and depth: a copy of what git checked out. */
const checkouts = new Map<string, string>();

/** The ref that a name stands for, and the commit that it points to; undefined if it is none of the repository's. */
function findRef(bare: string, name: string): { ref: string; commit: string } | undefined {
  const ref = [name, `refs/heads/${name}`].find(
    (path) => /^refs\//.test(path) && existsSync(join(bare, path)),
  );
  return ref === undefined ? undefined : { ref, commit: readFileSync(join(bare, ref), 'utf8').trim() };
}

/** Plays `actions/checkout`. What it leaves for a commit is copied for the next jobs, because git takes ten processes for it. */
function checkOut(machine: Machine, place: string, given: Record<string, string>): boolean {
  const name = given.ref ?? refOf(machine);
  const depth = given['fetch-depth'] ?? '1';
  const found = findRef(machine.bare, name);
  const key = JSON.stringify([machine.bare, found, depth]);
  const copy = found && checkouts.get(key);
  mkdirSync(place, { recursive: true });
  const config = (...lines: string[]) =>
    appendFileSync(join(place, '.git/config'), `${lines.join('\n\t')}\n`);
  if (copy !== undefined && existsSync(copy))
    cpSync(copy, place, { recursive: true, preserveTimestamps: true });
  else {
    initRepository(place);
    config(
      '[remote "origin"]',
      `url = file://${machine.bare}`,
      'fetch = +refs/heads/*:refs/remotes/origin/*',
    );
    try {
      git(place, 'fetch', '--quiet', `--depth=${depth}`, 'origin', name);
    } catch {
      return false;
    }
    git(place, 'checkout', '--quiet', 'FETCH_HEAD');
    if (found) {
      const kept = temporary();
      cpSync(place, kept, { recursive: true, preserveTimestamps: true });
      checkouts.set(key, kept);
    }
  }
  if (given['persist-credentials'] !== 'false')
    config('[http "https://github.test/"]', `extraheader = AUTHORIZATION: basic ${checkoutToken}`);
  return true;
}

async function runStep(
  step: Step,
  place: {
    machine: Machine;
    workspace: string;
    folder: string;
    bin: string;
    job: Job;
    run: JobRun;
    known: Record<string, string>;
    read: Read;
  },
): Promise<boolean> {
  const { machine, workspace, folder, bin, job, run, known, read } = place;
  const env = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text, read)]),
  );
  const files = { output: join(folder, 'output'), summary: join(folder, 'summary') };
  for (const file of Object.values(files)) rmSync(file, { force: true });
  const cwd = join(workspace, job.defaults?.run?.['working-directory'] ?? '');
  const { status, text } = await bash(filled(step.run!, read), cwd, {
    ...gitEnv,
    ...machine.env,
    PATH: `${bin}:${process.env.PATH}`,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_NAME: machine.trigger,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    ...env,
  });
  run.log += text;
  if (existsSync(files.summary)) run.summary += readFileSync(files.summary, 'utf8');
  if (existsSync(files.output))
    for (const [, key, value] of readFileSync(files.output, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
      known[`steps.${step.id}.outputs.${key}`] = value!;
  return status === 0;
}

/** Runs a script as a step of CI does. */
export function bash(script: string, cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-e', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return new Promise<{ status: number | null; text: string }>((done) =>
    child.once('close', (status) => done({ status, text })),
  );
}
