import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { collectPlatformWords } from '../../src/snapshot/anonymous/words.ts';
import { Shell } from '../support/cli.ts';

/** The parts of a plan in JSON that name nothing. They have to be equal in a plan from an anonymous snapshot; the order of objects may differ. */
export function decisionsOf(stdout: string) {
  const plan = JSON.parse(stdout);
  const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
  return {
    changes: sorted(
      plan.changes.map(({ action, kind, grade, cause, fields = [] }: Record<string, unknown>) => [
        ...[action, kind, grade, cause],
        (fields as { path: string }[]).map((field) => field.path),
      ]),
    ),
    operations: sorted(
      plan.operations.map(({ kind, lane, requests = [] }: Record<string, unknown>) => [
        kind,
        lane === undefined,
        (requests as { method: string }[]).map(({ method }) => method),
      ]),
    ),
    codes: sorted(plan.diagnostics.map(({ code, severity }: Record<string, unknown>) => [code, severity])),
    summary: plan.summary,
  };
}

/** Plans with an anonymous snapshot, and plans from the snapshot in an empty folder. */
export async function planAnonymously(shell: Shell, flags: string[] = []) {
  const command = ['plan', '--format', 'json'];
  const planned = await shell.run([...command, ...flags, '--snapshot', 'snapshot', '--anonymous']);
  expect(existsSync(path.join(shell.folder, 'snapshot')), planned.all).toBe(true);
  const bytes = readFileSync(path.join(shell.folder, 'snapshot'));
  const again = await (await new Shell().write({ snapshot: bytes })).run([...command, '--from', 'snapshot']);
  expect(again.stdout, again.stderr).not.toBe('');
  return { planned, again, text: gunzipSync(bytes).toString() };
}

/** Returns the words in a snapshot that are neither pseudonyms nor words of the platform nor short numbers. */
export async function findForeignWords(snapshot: string): Promise<string[]> {
  const runs = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = new Set([...(await collectPlatformWords(hosting))].flatMap(runs));
  const allowed =
    /^(?:[Xx]a\d+|XA\d+|text|\d{1,5}|9\d+|.|[a-z]{2}|com|net|app|example|prj|team|env|dpl|ecfg|icfg|drn|rec|seg|anonymous|vercel|dns|zeit|world|cname|ns\d)$/u;
  // Codes of problems stay, because they say what is wrong.
  const explanations = readFileSync('docs/troubleshooting.md', 'utf8');
  const codes = new Set([...explanations.matchAll(/^### `([\w/-]+)`$/gm)].map(([, code]) => code!));
  const found = new Set<string>();
  const visit = (text: string) => {
    if (codes.has(text)) return;
    // Digests of renamed values have 22 characters.
    if (/^(?:[\w-]{22} ?)+$/.test(text)) return;
    const rest = text.replace(
      /snapshot-secret-\d+-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|%[0-9A-F]{2}|\\[a-zA-Z]/g,
      ' ',
    );
    for (const run of runs(rest)) if (!words.has(run) && !allowed.test(run)) found.add(run);
  };
  JSON.parse(snapshot, (name, value) => {
    visit(name);
    if (typeof value === 'string') visit(value);
    return value;
  });
  return [...found];
}

/** Returns the decisions with only the first name in the path of each field, since keys of maps have pseudonyms. */
export const withoutNames = ({ changes, ...decisions }: ReturnType<typeof decisionsOf>) => ({
  ...decisions,
  changes: changes.map((change) => change.replace(/("[^".]+)\.[^"]*"/g, '$1"')).sort(),
});
