import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { bash } from '../support/workflow.ts';

/** Runs a script with an npm that writes down its arguments; gives them, a call in a list. No odd name may have been obeyed. */
export async function callsOf(script: string): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program('npm', `printf '%s\\0' "$@" >> '${folder}/calls'; printf '\\n' >> '${folder}/calls'`);
  for (const name of ['gh', 'git', 'node', 'grep']) program(name, 'exit 0');
  await bash(script, folder, { PATH: `${folder}:/usr/bin:/bin`, GITHUB_OUTPUT: join(folder, 'output') });
  expect(existsSync(join(folder, 'ran')), script).toBe(false);
  const calls = join(folder, 'calls');
  if (!existsSync(calls)) return [];
  return readFileSync(calls, 'utf8')
    .split('\0\n')
    .slice(0, -1)
    .map((call) => call.split('\0'));
}
