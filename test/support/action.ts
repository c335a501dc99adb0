import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { gitEnv, temporary } from './ledger-places.ts';
import { toolHere } from './tool-here.ts';
import { bash } from './workflow.ts';

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  outputs: Record<string, { value: string }>;
  runs: {
    steps: {
      id?: string;
      uses?: string;
      run?: string;
      env?: Record<string, string>;
      'working-directory'?: string;
    }[];
  };
}

export interface ActionRun {
  ok: boolean;
  log: string;
  summary: string;
  outputs: Record<string, string>;
}

/** A machine that plays GitHub's part in our action: npm and the build are written down, and the tool is the one of the tests. */
export async function actionRunner() {
  const action = parse(readFileSync('action.yml', 'utf8')) as Action;
  const folder = temporary();
  const [bin, place, events] = ['bin', 'action', 'events'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [bin, place]) mkdirSync(one);
  const program = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  program('npm', `echo "npm $* in $PWD" >> '${events}'; env >> '${events}'`);
  program(
    'node',
    `case "$1" in
  build.mjs) echo "node build.mjs in $PWD" >> '${events}'; env >> '${events}'; mkdir -p dist ;;
  '${place}/dist/trueup.cjs') shift; ${await toolHere()} ;;
  *) exit 9 ;;
esac`,
  );

  /** Runs the action in a workspace with these inputs and this environment, as `uses: acme/trueup@COMMIT` does. */
  async function run(
    given: Record<string, string>,
    { workspace, env, event }: { workspace: string; env: Record<string, string>; event?: unknown },
  ): Promise<ActionRun> {
    for (const [name, { required }] of Object.entries(action.inputs))
      if (required && given[name] === undefined) throw new Error(`the action needs ${name}`);
    for (const name of Object.keys(given))
      if (!(name in action.inputs)) throw new Error(`the action has no ${name}`);
    const known: Record<string, string> = { 'github.action_path': place };
    for (const [name, { default: usual = '' }] of Object.entries(action.inputs))
      known[`inputs.${name}`] = given[name] ?? usual;
    const filled = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => known[name] ?? '');
    const files = {
      output: join(folder, 'output'),
      summary: join(folder, 'summary'),
      event: join(folder, 'event.json'),
    };
    for (const file of Object.values(files)) rmSync(file, { force: true });
    if (event !== undefined) writeFileSync(files.event, JSON.stringify(event));
    const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const result: ActionRun = { ok: true, log: '', summary: '', outputs: {} };
    for (const step of action.runs.steps) {
      if (!result.ok || step.run === undefined) continue;
      const { status, text } = await bash(
        `set -o pipefail\n${step.run}`,
        resolve(workspace, filled(step['working-directory'] ?? '.')),
        {
          ...gitEnv,
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: workspace,
          GITHUB_OUTPUT: files.output,
          GITHUB_STEP_SUMMARY: files.summary,
          GITHUB_EVENT_PATH: files.event,
          ...env,
          PATH: `${bin}:${process.env.PATH}`,
          ...Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)])),
        },
      );
      result.log += text;
      result.ok = status === 0;
      for (const [, key, value] of read(files.output).matchAll(/^(\w+)=(.*)$/gm))
        known[`steps.${step.id}.outputs.${key}`] = value!;
    }
    result.summary = read(files.summary);
    for (const [name, { value }] of Object.entries(action.outputs)) result.outputs[name] = filled(value);
    return result;
  }
  return { run, place, events: () => (existsSync(events) ? readFileSync(events, 'utf8') : '') };
}
