import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Shell } from '../support/cli.ts';

/**
 * Plans with a snapshot, and plans from that without token, network and secrets: both must be equal. Returns the text of the snapshot. `secretNames`: the
 * variables with the secrets.
 */
export async function planAndReplay(
  shell: Shell,
  flags: readonly string[] = [],
  secretNames: readonly string[] = [],
): Promise<string> {
  const planned = await shell.run(['plan', '--json', ...flags, '--snapshot', 'account.snapshot']);
  expect(planned.stderr).toContain('Saved what this plan was made from');
  const { env } = shell;
  shell.env = { ...env, TRUEUP_BASE_URL: 'http://127.0.0.1:1' };
  for (const name of [...secretNames, 'TRUEUP_TOKEN']) delete shell.env[name];
  const again = await shell.run(['plan', '--json', ...flags, '--from', 'account.snapshot']);
  shell.env = env;
  expect(again.stdout).toBe(planned.stdout);
  return gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
}
