/*
 * A project with a secret moves from the stack `giver` to the stack `taker` in one commit, in a folder without git. Whichever stack is applied first, the
 * plans are those that were shown, nothing is sent, and the taker knows the last applied secret.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const stackOf = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;
const site = (from = '') => `secrets: { session: {} }
projects:
  site:
    ${from}
    env: { LEVEL: info, SESSION: { value: "\${secret.session}", type: sensitive, target: [production] } }`;

/** What the giver keeps, because an apply refuses a stack that suddenly declares nothing. */
const rest = 'projects: { other: {} }';

/** A workspace in which `giver` was applied with the project, and `taker` declares it now. `entries`: the stacks in the workspace file. */
async function movedProject(entries: string) {
  const shell = new Shell();
  const twin = await shell.withTwin();
  shell.env.TRUEUP_SECRET_session = 'a-long-random-session-secret';
  await shell.write({
    'trueup.workspace.yaml': `stacks: [${entries}]\n`,
    'giver/trueup.yaml': stackOf('giver', `${site()}\n  other: {}`),
    'taker/trueup.yaml': stackOf('taker', 'projects: {}'),
  });
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect([args, ran.status], ran.all).toEqual([args, 0]);
    return ran;
  };
  await run('apply', '-f', 'giver', '--auto-approve', '--settle', '0');
  await shell.write({
    'giver/trueup.yaml': stackOf('giver', rest),
    'taker/trueup.yaml': stackOf('taker', site('$from: giver')),
  });
  const ledgerOf = (stack: string) =>
    JSON.parse(readFileSync(join(shell.folder, `.trueup/ledger/${stack}.json`), 'utf8'));
  const secret = 'projects/site/env/SESSION@production';
  return { run, twin, ledgerOf, secret, applied: ledgerOf('giver').entries[secret].secrets };
}

/** Returns the lines of an output that say what became of one stack. */
const resultsOf = (output: string, stack: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith(`${stack}: `) && /adopted|released|Verified/.test(line))
    .map((line) => line.replaceAll(/ in [\d.]+m?s/g, ''));

it('a take-over of one apply does not depend on which stack is applied first', async () => {
  const outcomes = [];
  for (const entries of [
    'giver, { path: taker, needs: [giver] }',
    'taker, { path: giver, needs: [taker] }',
  ]) {
    const { run, twin, ledgerOf, secret, applied } = await movedProject(entries);
    const sent = twin.requests.filter(({ method }) => method !== 'GET').length;
    const { all } = await run('apply', '--all', '--auto-approve', '--settle', '0');
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
    expect(all).toContain('3 objects are taken over from stack giver.');
    expect(all).toContain('2 of 2 stacks are up to date.');
    expect(all).toContain('taker: adopted (3)');
    expect(ledgerOf('taker').entries[secret].secrets).toEqual(applied);
    outcomes.push([resultsOf(all, 'giver'), resultsOf(all, 'taker')]);
    await run('apply', '--all', '--auto-approve', '--settle', '0');
    expect(Object.keys(ledgerOf('giver').entries)).toEqual(['projects/other']);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

it('the saved plan of one stack is applied as approved although the other stack was applied before', async () => {
  for (const [first, second] of [
    ['giver', 'taker'],
    ['taker', 'giver'],
  ]) {
    const { run, ledgerOf, secret, applied } = await movedProject('giver, taker');
    await run('plan', '-f', second!, '--out', 'plan.json');
    await run('apply', '-f', first!, '--auto-approve', '--settle', '0');
    await run('apply', 'plan.json', '-f', second!, '--settle', '0');
    expect(ledgerOf('taker').entries[secret].secrets).toEqual(applied);
  }
});
