import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';

/** An account on a twin, what it is made of, and the ids of what is in it. */
export interface Account {
  shell: Shell;
  /** The id of an object, by its address. */
  id(address: string): string;
  /** A folder of its own that knows the account and nothing else. */
  beside(): Shell;
}

/** Makes an account as this configuration says, beside what it has from the seed; the tool itself does it. */
export async function accountWith(
  yaml: string,
  env: Record<string, string> = {},
  seed: Seed = {},
): Promise<Account> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin(seed);
  shell.env = { ...shell.env, ...env };
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  const ledger = JSON.parse(readFileSync(join(shell.folder, '.trueup/ledger/acme.json'), 'utf8'));
  return {
    shell,
    id: (address) => {
      const [id] = ledger.entries[address]?.ids ?? [];
      if (id === undefined)
        throw new Error(`${address} is not among ${Object.keys(ledger.entries).join(' ')}`);
      return id;
    },
    beside: () => {
      const other = new Shell();
      const { TRUEUP_BASE_URL, TRUEUP_TOKEN } = shell.env;
      other.env = { TRUEUP_BASE_URL: TRUEUP_BASE_URL!, TRUEUP_TOKEN: TRUEUP_TOKEN! };
      return other;
    },
  };
}

/** All files of a folder, one after the other. */
export const textIn = (folder: string): string =>
  readdirSync(folder)
    .sort()
    .map((name) => `# ${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');
