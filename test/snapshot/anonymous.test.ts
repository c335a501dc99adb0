import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { collectPlatformWords } from '../../src/snapshot/anonymous/words.ts';
import { Shell } from '../support/cli.ts';
import { everyKind } from '../support/every-kind.ts';
import { everySeed } from '../support/every-seed.ts';
import { pictures } from '../support/pictures.ts';
import { samples } from '../support/samples.ts';
import { all, sweepOnly } from '../support/sweep.ts';

const root = path.join(import.meta.dirname, '..', 'cases');
const allCases = readdirSync(root).flatMap((area) =>
  readdirSync(path.join(root, area)).map((name) => path.join(area, name)),
);
/** The suite tests one case, the sweep all. */
const cases = all ? allCases : allCases.slice(5, 6);

/** The parts of a plan in JSON that name nothing. They have to be equal in a plan from an anonymous snapshot; the order of objects may differ. */
function decisionsOf(stdout: string) {
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

/** Brings an account to the state in which a case plans, with the configuration of the case in the folder. */
async function prepareCase(name: string): Promise<Shell> {
  const read = (file: string) => {
    const location = path.join(root, name, file);
    return existsSync(location) ? readFileSync(location, 'utf8') : undefined;
  };
  const shell = new Shell();
  const twin = await shell.withTwin(JSON.parse(read('live.json') ?? '{}'));
  const header = `stack: zanzibar-stack\nplatform: { team: ${twin.account.teams[0]!.slug} }\n`;
  const ledgerFile = path.join(shell.folder, 'ledger.json');
  const applied = read('applied.yaml');
  if (applied !== undefined) {
    await shell.write({ 'trueup.yaml': header + applied });
    const run = await shell.run(['apply', '--auto-approve', '--ledger', 'ledger.json']);
    expect(run.status, run.all).toBe(0);
  }
  for (const [endpoint, body] of JSON.parse(read('outside.json') ?? '[]')) {
    const { entries } = JSON.parse(readFileSync(ledgerFile, 'utf8'));
    const [method, target] = endpoint.split(' ');
    const place = target.replace(/\{([^}]+)\}/g, (_: string, address: string) => entries[address].ids[0]);
    const flags = body ? ['--input', '-'] : [];
    const answer = await shell.run(['api', method, place, '--auto-approve', ...flags], {
      input: JSON.stringify(body),
    });
    expect(answer.status, answer.all).toBe(0);
  }
  return shell.write({ 'trueup.yaml': header + read('desired.yaml')! });
}

/** Plans with an anonymous snapshot, and plans from the snapshot in an empty folder. */
async function planTwice(shell: Shell, flags: string[] = []) {
  const command = ['plan', '--format', 'json'];
  const planned = await shell.run([...command, ...flags, '--snapshot', 'snapshot', '--anonymous']);
  expect(existsSync(path.join(shell.folder, 'snapshot')), planned.all).toBe(true);
  const bytes = readFileSync(path.join(shell.folder, 'snapshot'));
  const again = await (await new Shell().write({ snapshot: bytes })).run([...command, '--from', 'snapshot']);
  expect(again.stdout, again.stderr).not.toBe('');
  return { planned, again, text: gunzipSync(bytes).toString() };
}

/** Returns the words in a snapshot that are neither pseudonyms nor words of the platform nor short numbers. */
async function foreignWords(snapshot: string): Promise<string[]> {
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

describe('a plan from an anonymous snapshot', () => {
  it.each(cases)('decides like the plan of %s', async (name) => {
    const shell = await prepareCase(name);
    const { planned, again, text } = await planTwice(shell, ['--ledger', 'ledger.json']);
    expect(decisionsOf(again.stdout)).toEqual(decisionsOf(planned.stdout));
    expect(await foreignWords(text)).toEqual([]);
    for (const canary of [shell.folder, 'zanzibar', 'LOG_LEVEL', 'shop']) expect(text).not.toContain(canary);
  });

  it('has the stacks of a workspace under pseudonyms, in their order', async () => {
    const shell = new Shell();
    const twin = await shell.withTwin();
    const header = (stack: string) => `stack: ${stack}\nplatform: { team: ${twin.account.teams[0]!.slug} }\n`;
    await shell.write({
      'trueup.workspace.yaml': 'stacks: [{ path: zanzibar }, { path: pemba, needs: [zanzibar] }]',
      'zanzibar/trueup.yaml': `${header('zanzibar')}projects: { serengeti: {} }`,
      'pemba/trueup.yaml': `${header('pemba')}projects:\n  serengeti: { $existing: true, env: { KIBO: mawenzi } }`,
    });
    const { planned, again, text } = await planTwice(shell, ['--all']);
    const summaryOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).summary;
    expect(summaryOf(again), again.stderr).toEqual(summaryOf(planned));
    expect(text).not.toMatch(/zanzibar|pemba|serengeti|kibo|mawenzi/i);
  });

  sweepOnly('creates, changes and ends every kind')('decides like the plan of every kind', async () => {
    const shell = await new Shell().write(pictures);
    const twin = await shell.withTwin(everySeed(samples));
    const header = `stack: zanzibar-stack\nplatform: { team: ${twin.account.teams[0]!.slug} }\n`;
    // Only domains that were bought have these, and the twin sells none here.
    const body = everyKind(kinds.filter(({ name }) => !/^domain(?:AutoRenew|Nameservers)$/.test(name)));
    const flags = [
      '--ledger',
      'ledger.json',
      '--allow',
      'cost',
      'remove-access',
      '--allow-files',
      '**/*.png',
    ];
    const expectEqualPlans = async (yaml: string) => {
      await shell.write({ 'trueup.yaml': header + yaml });
      const { planned, again, text } = await planTwice(shell, flags);
      expect(withoutNames(decisionsOf(again.stdout))).toEqual(withoutNames(decisionsOf(planned.stdout)));
      expect(await foreignWords(text)).toEqual([]);
    };
    await expectEqualPlans(body(0));
    await shell.run(['apply', '--auto-approve', '--no-canary', ...flags]);
    for (const yaml of [body(0), body(1), '']) await expectEqualPlans(yaml);
  });
});

/** Returns the decisions with only the first name in the path of each field, since keys of maps have pseudonyms. */
const withoutNames = ({ changes, ...decisions }: ReturnType<typeof decisionsOf>) => ({
  ...decisions,
  changes: changes.map((change) => change.replace(/("[^".]+)\.[^"]*"/g, '$1"')).sort(),
});
