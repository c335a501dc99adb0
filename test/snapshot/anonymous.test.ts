import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { collectPlatformWords } from '../../src/snapshot/anonymous/words.ts';
import { Shell } from '../support/cli.ts';
import { everyKind } from '../support/every-kind.ts';
import { everySeed } from '../support/every-seed.ts';
import { pictures } from '../support/pictures.ts';
import { samples } from '../support/samples.ts';
import { all, oneRowIn, sweepOnly } from '../support/sweep.ts';
import { decisionsOf, findForeignWords, planAnonymously, withoutNames } from './anonymous-plans.ts';

const root = path.join(import.meta.dirname, '..', 'cases');
const allCases = readdirSync(root).flatMap((area) =>
  readdirSync(path.join(root, area)).map((name) => path.join(area, name)),
);
/** The suite tests one case, the sweep all. */
const cases = all ? allCases : allCases.slice(5, 6);

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

describe('a plan from an anonymous snapshot', () => {
  oneRowIn(2)(cases)('decides like the plan of %s', async (name) => {
    const shell = await prepareCase(name);
    const { planned, again, text } = await planAnonymously(shell, ['--ledger', 'ledger.json']);
    expect(decisionsOf(again.stdout)).toEqual(decisionsOf(planned.stdout));
    expect(await findForeignWords(text)).toEqual([]);
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
    const { planned, again, text } = await planAnonymously(shell, ['--all']);
    const summaryOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).summary;
    expect(summaryOf(again), again.stderr).toEqual(summaryOf(planned));
    expect(text).not.toMatch(/zanzibar|pemba|serengeti|kibo|mawenzi/i);
  });

  it('has pseudonyms for the codes in JSON of the user, whatever members are around them', async () => {
    const shell = new Shell();
    const twin = await shell.withTwin();
    const yamlWith = (...names: string[]) => `stack: zanzibar
platform: { team: ${twin.account.teams[0]!.slug} }
globalConfigs:
  pemba:
    items:
      one: { value: { problems: [{ code: ${names[0]} }], reads: { answer: { error: { problems: [{ code: ${names[1]} }] } } } } }
      two: { value: { secretProblems: [{ code: ${names[2]} }], findingRules: [{ codes: [${names[3]}] }] } }
`;
    await shell.write({ 'trueup.yaml': yamlWith('kibo', 'mawenzi', 'shira', 'meru') });
    const applied = await shell.run(['apply', '--auto-approve', '--ledger', 'ledger.json']);
    expect(applied.status, applied.all).toBe(0);
    await shell.write({ 'trueup.yaml': yamlWith('kibo', 'serengeti', 'shira', 'meru') });
    const { planned, again, text } = await planAnonymously(shell, ['--ledger', 'ledger.json']);
    expect(decisionsOf(again.stdout)).toEqual(decisionsOf(planned.stdout));
    expect(text).not.toMatch(/zanzibar|pemba|kibo|mawenzi|shira|meru|serengeti/i);
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
      const { planned, again, text } = await planAnonymously(shell, flags);
      expect(withoutNames(decisionsOf(again.stdout))).toEqual(withoutNames(decisionsOf(planned.stdout)));
      expect(await findForeignWords(text)).toEqual([]);
    };
    await expectEqualPlans(body(0));
    await shell.run(['apply', '--auto-approve', '--no-canary', ...flags]);
    for (const yaml of [body(0), body(1), '']) await expectEqualPlans(yaml);
  });
});

it('keeps the words that a provider has, and no others, after many snapshots', async () => {
  const collectedBefore = await collectPlatformWords(hosting);
  // An equal provider is another key, so its words are collected again.
  expect(await collectPlatformWords({ ...hosting })).toEqual(collectedBefore);
  const withoutKinds = await collectPlatformWords({ ...hosting, kinds: [] });
  expect(withoutKinds.size).toBeLessThan(collectedBefore.size);
});
