import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { git, gitEnv, temporary } from './ledger-places.ts';
import { program } from './process.ts';

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}

interface Job {
  needs?: string;
  if?: string;
  outputs?: Record<string, string>;
  steps: Step[];
}

/** A repository on a machine that plays GitHub Actions. */
export interface Machine {
  /** The repository that is checked out, and its branch. */
  bare: string;
  branch: string;
  /** What `${{ }}` may say, by its text; anything else is an error. */
  expressions: Record<string, string>;
  /** The environment of every step. */
  env: Record<string, string>;
  event: unknown;
  /** Done before a job, by its name: what happens in the world meanwhile. */
  before?: Record<string, () => void>;
}

export interface JobRun {
  ok: boolean;
  log: string;
  summary: string;
}

/** Commands of others that the workflows call: npm installs nothing and runs the built tool, gh writes down what it is asked, and a body. */
function shims(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const write = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write(
    'npm',
    `case "$*" in
  ci*) ;;
  'exec --no -- trueup '*) shift 4; exec '${process.execPath}' '${program}' "$@" ;;
  *) exit 9 ;;
esac`,
  );
  write(
    'gh',
    `echo "$*" >> "$GH_LOG"
case "$*" in
  'issue list'*) cat "$GH_OPEN" 2>/dev/null || true ;;
  *'--body-file drift.md'*) cp drift.md "$GH_LOG.body" ;;
esac`,
  );
  return bin;
}

/**
 * Runs a workflow file as GitHub Actions does: jobs in order, each in a checkout of its own, `run:` with `bash -e`, conditions,
 * outputs and artifacts. What is skipped is not in the answer.
 */
export async function runWorkflow(path: string, machine: Machine): Promise<Record<string, JobRun>> {
  const { jobs } = parse(readFileSync(path, 'utf8')) as { jobs: Record<string, Job> };
  const folder = temporary();
  const bin = shims(folder);
  const artifacts = join(folder, 'artifacts');
  mkdirSync(artifacts);
  writeFileSync(join(folder, 'event.json'), JSON.stringify(machine.event));
  const expressions = { ...machine.expressions };
  const runs: Record<string, JobRun> = {};

  const textOf = (text: string): string => {
    const value = expressions[text.trim()];
    if (value === undefined) throw new Error(`the workflow asks for ${text}, which nobody has given`);
    return value;
  };
  const filled = (text: string) => String(text).replace(/\$\{\{(.*?)\}\}/g, (_, inner) => textOf(inner));
  const holds = (condition: string, before: boolean): boolean => {
    const text = condition.replace(/^\$\{\{|\}\}$/g, '').trim();
    if (text === '!cancelled()') return true;
    const side = (one: string) => (one.startsWith("'") ? one.slice(1, -1) : textOf(one));
    const isTrue = (comparison: string) => {
      const [, left, operator, right] = /^(.+?) ([=!]=) (.+)$/.exec(comparison.trim())!;
      return (side(left!) === side(right!)) === (operator === '==');
    };
    return before && text.split('&&').every(isTrue);
  };

  for (const [name, job] of Object.entries(jobs)) {
    if (job.needs !== undefined && !runs[job.needs]?.ok) continue;
    if (job.if !== undefined && !holds(job.if, true)) continue;
    machine.before?.[name]?.();
    const place = join(folder, `job-${name}`);
    const run: JobRun = { ok: true, log: '', summary: '' };
    runs[name] = run;
    for (const step of job.steps) {
      if (step.if === undefined ? !run.ok : !holds(step.if, run.ok)) continue;
      // Which version it is, a test of the texts looks at.
      const action = step.uses?.split('@')[0];
      if (action === 'actions/checkout')
        git(
          folder,
          'clone',
          '--quiet',
          '--depth=1',
          `--branch=${machine.branch}`,
          `file://${machine.bare}`,
          place,
        );
      else if (action === 'actions/upload-artifact')
        cpSync(join(place, String(step.with!.path)), join(artifacts, String(step.with!.name)));
      else if (action === 'actions/download-artifact')
        cpSync(join(artifacts, String(step.with!.name)), join(place, 'plan.json'));
      else if (action !== undefined) {
        if (action !== 'actions/setup-node') throw new Error(`nobody plays ${step.uses}`);
      } else {
        const env = Object.fromEntries(
          Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text)]),
        );
        const files = { output: join(folder, 'output'), summary: join(folder, 'summary') };
        for (const file of Object.values(files)) rmSync(file, { force: true });
        const { status, text } = await bash(step.run!, place, {
          ...gitEnv,
          ...machine.env,
          PATH: `${bin}:${process.env.PATH}`,
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: place,
          GITHUB_EVENT_PATH: join(folder, 'event.json'),
          GITHUB_OUTPUT: files.output,
          GITHUB_STEP_SUMMARY: files.summary,
          ...env,
        });
        run.log += text;
        if (existsSync(files.summary)) run.summary += readFileSync(files.summary, 'utf8');
        if (existsSync(files.output))
          for (const [, key, value] of readFileSync(files.output, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
            expressions[`steps.${step.id}.outputs.${key}`] = value!;
        if (status !== 0) run.ok = false;
      }
    }
    for (const [key, text] of Object.entries(job.outputs ?? {}))
      if (run.ok) expressions[`needs.${name}.outputs.${key}`] = filled(text);
  }
  return runs;
}

function bash(script: string, cwd: string, env: Record<string, string>) {
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
