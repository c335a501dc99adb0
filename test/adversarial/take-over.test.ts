import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';

/*
 * What the author of a pull request, or anyone who can write the store of ledgers, may do to get an object of another stack: nothing
 * without the consent of that stack.
 */

const yaml = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;
const site = (more = '') =>
  `projects: { site: { framework: vite, $protect: true${more}, env: { LEVEL: info } }, own: {} }`;
const without = 'projects: { own: {} }';
const taking = 'projects: { site: { framework: astro, $from: one, env: { LEVEL: info } } }';
const workspace = (one: string) => `stacks: [${one}, two]\n`;

/** A repository in which the stack one has applied a project, and two wants it. */
async function desk() {
  const shell = new Shell();
  initRepository(shell.folder);
  await shell.write({
    'trueup.workspace.yaml': workspace('one'),
    'one/trueup.yaml': yaml('one', site()),
    'two/trueup.yaml': yaml('two', taking),
  });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  const apply = (stack: string, ...more: string[]) =>
    shell.run(['apply', '--auto-approve', '--settle', '0', '-f', stack, ...more]);
  expect((await apply('one')).status).toBe(0);
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  const made = writes();
  return {
    shell,
    twin,
    apply,
    /** The number of writes since the project was made. */
    sent: () => writes() - made,
    path: join(shell.folder, '.trueup/ledger/one.json'),
  };
}

test('An object is taken over from another stack only if its configuration in the same checkout, or its ledger, signed with the key of this run, hands it over.', async () => {
  const { shell, apply, sent, path } = await desk();
  const refused = async (why: string, code = 'stack/no-consent') => {
    const ran = await apply('two');
    expect([why, ran.status, ran.stderr.replaceAll(/\s+/g, ' '), sent()]).toEqual([
      why,
      1,
      expect.stringMatching(new RegExp(`${why}.*\\[${code}\\]`)),
      0,
    ]);
  };
  await refused('still declared there');
  await shell.write({ 'two/trueup.yaml': yaml('two', taking.replace('one', 'ghost')) });
  await refused('from. says ghost', 'stack/owned');
  await shell.write({ 'two/trueup.yaml': yaml('two', taking), 'trueup.workspace.yaml': 'stacks: [two]\n' });
  await refused('not handed over');
  await shell.write({ 'one/trueup.yaml': yaml('one', site(', $handover: three')) });
  expect((await apply('one')).stdout).toContain('handed over to the stack three');
  await refused('handed over to the stack three');
  // The store's word for it, under a signature that is not of these bytes, of no key, and of another key.
  const [text, key] = [readFileSync(path, 'utf8'), shell.env.TRUEUP_LEDGER_KEY!];
  const forged = text.replaceAll('"handover": "three"', '"handover": "two"');
  expect(forged).not.toBe(text);
  for (const bytes of [forged, forged.replace(/,\n {2}"signature": "[^"]*"/, '')]) {
    writeFileSync(path, bytes);
    await refused("whose ledger is not signed with this run's key");
  }
  writeFileSync(path, text);
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText('other') };
  await refused("whose ledger is not signed with this run's key");
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: key };
  // Revoked, though somebody still has it in his files.
  await shell.write({ 'one/trueup.yaml': yaml('one', site(', $handover: two')) });
  expect((await apply('one')).status).toBe(0);
  await shell.write({ 'one/trueup.yaml': yaml('one', site()) });
  expect((await apply('one')).stdout).toContain('$handover');
  await refused('not handed over');
  // And with its consent.
  await shell.write({ 'trueup.workspace.yaml': workspace('one'), 'one/trueup.yaml': yaml('one', without) });
  const taken = await apply('two');
  expect([taken.status, taken.stdout], taken.stderr).toEqual([
    0,
    expect.stringContaining('taken over from stack one'),
  ]);
});

test('Without a key, a plan that takes something over says that the consent is not verified.', async () => {
  const { shell, sent } = await desk();
  await shell.write({ 'one/trueup.yaml': yaml('one', without) });
  const { TRUEUP_LEDGER_KEY: _, ...env } = shell.env;
  shell.env = { ...env, CI: 'true' };
  const planned = await shell.run(['plan', '-f', 'two']);
  expect([planned.status, sent()]).toEqual([0, 0]);
  // The project, and its variable for three targets.
  expect(planned.all).toContain('2 objects are taken over from stack one: consent not verified here');
  // What stands in a ledger that nobody signed may be anything.
  const real = JSON.parse(readFileSync(join(shell.folder, '.trueup/ledger/one.json'), 'utf8'));
  const [id] = real.entries['projects/site'].ids;
  const project = { kind: 'project', ids: [id], handover: { two: true } };
  const entries = {
    'projects/site': project,
    a: null,
    b: 1,
    'projects/x': { ...project, ids: [[]], fields: 0 },
  };
  const forged = { ...real, stack: 'x; touch gone', inputs: [1], entries };
  writeFileSync(join(shell.folder, '.trueup/ledger/x.json'), JSON.stringify(forged));
  await shell.write({ 'two/trueup.yaml': yaml('two', `${taking.replace('env: {', 'env: { A: one,')}`) });
  const odd = await shell.run(['plan', '-f', 'two']);
  expect([odd.status, odd.stderr]).toEqual([1, expect.stringContaining('[stack/owned]')]);
  rmSync(join(shell.folder, '.trueup/ledger/x.json'));
  // What is refused with a key is refused without one.
  await shell.write({ 'one/trueup.yaml': yaml('one', site()) });
  expect((await shell.run(['plan', '-f', 'two'])).stderr).toContain('[stack/no-consent]');
});

test('A different configuration with the name of a stack hands over none of its objects, nor does one with errors.', async () => {
  const { shell, apply, sent } = await desk();
  const cases: [files: Record<string, string>, why: string][] = [
    [
      { 'trueup.workspace.yaml': workspace('empty'), 'empty/trueup.yaml': yaml('one', without) },
      'lacks one/trueup.yaml',
    ],
    [
      {
        'trueup.workspace.yaml': workspace('one'),
        'one/trueup.yaml': `${yaml('one', without)}what: is this\n`,
      },
      'has errors',
    ],
    [
      { 'one/trueup.yaml': yaml('one', `variables: { v: {} }\n${without.replace('own', '"${var.v}"')}`) },
      'has errors',
    ],
    [{ 'one/trueup.yaml': yaml('uno', without) }, 'not handed over'],
    // Under another name, and renamed with all that is in it.
    [
      { 'one/trueup.yaml': yaml('one', 'projects: { shop: { framework: vite, $was: site }, own: {} }') },
      'still declared there',
    ],
  ];
  for (const [files, why] of cases) {
    await shell.write(files);
    const ran = await apply('two');
    expect([why, ran.status, ran.stderr.replaceAll(/\s+/g, ' '), sent()]).toEqual([
      why,
      1,
      expect.stringMatching(new RegExp(`${why}.*\\[stack/no-consent\\]`)),
      0,
    ]);
  }
});

test('A stack neither changes nor deletes an object that it has handed over.', async () => {
  const { shell, apply, sent, twin } = await desk();
  const end = '\nremoved: [{ at: projects/site, delete: true }]\n';
  for (const [body, ...flags] of [
    [site(', $handover: two').replace('vite', 'astro')],
    [without],
    [`${without}${end}`],
    ['projects: { own: { framework: vite } }\n'],
  ] as [string, ...string[]][]) {
    await shell.write({ 'one/trueup.yaml': yaml('one', body) });
    await apply('one', ...flags);
  }
  const frameworks = twin.account.projects.map(({ name, framework }) => `${name}: ${framework}`);
  expect(frameworks.sort()).toEqual(['own: vite', 'site: vite']);
  expect(sent()).toBe(1);
  const gone = await shell.run([
    'destroy',
    '-f',
    'one',
    '--confirm',
    'one',
    '--settle',
    '0',
    'projects/site',
    'projects/own',
  ]);
  expect(gone.status, gone.all).toBe(0);
  expect(twin.account.projects.map(({ name }) => name)).toEqual(['site']);
});
