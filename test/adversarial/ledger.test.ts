import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { checksumOf } from '../../src/approval/parse-saved-plan.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, pushLedger, repository } from '../support/ledger-places.ts';
import { sampled } from '../support/sweep.ts';

/*
 * What whoever can write the ledger's store, a plan file or a pull request may do with that: nothing that the key does not verify is
 * acted on.
 */

const yaml = (env: string, stack = 'demo') => `stack: ${stack}
platform: { team: acme }
projects: { web: { framework: nextjs, env: { ${env} } } }
`;
const [both, one] = [
  'A: { value: a, type: plain }, B: { value: b, type: plain }',
  'A: { value: a, type: plain }',
];
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A stack that was applied from a desk, and ways to change what its store holds. */
async function applied(env: Record<string, string> = { TRUEUP_LEDGER_KEY: keyText() }) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(both) });
  const twin = await shell.withTwin({
    projects: [
      { name: 'theirs', env: [{ key: 'SECRET', value: 'x', type: 'plain', target: ['production'] }] },
    ],
  });
  const account = shell.env;
  shell.env = { ...account, ...env };
  expect((await shell.run(apply)).all).toContain('Applied ');
  const path = join(shell.folder, '.trueup/ledger/demo.json');
  return {
    shell,
    twin,
    account,
    path,
    text: () => readFileSync(path, 'utf8'),
    put: (text: string) => writeFileSync(path, text),
    writes: () => writesOf(twin),
    /** Runs with other keys. */
    as: (keys: Record<string, string>, ...args: string[]) => {
      shell.env = { ...account, ...keys };
      return shell.run(args);
    },
  };
}

const writesOf = (twin: Twin) => twin.requests.filter(({ method }) => method !== 'GET').length;
const summaryOf = (stdout: string) => JSON.parse(stdout).summary as Record<string, number>;

describe('a ledger that the key does not verify', () => {
  /** The ledger with a stranger's variable as one of ours that is not declared any more. */
  const forged = (text: string, twin: Twin): string => {
    const { signature, ...ledger } = JSON.parse(text);
    const [mine] = Object.entries(ledger.entries).filter(([address]) => address.includes('/env/'));
    const stranger = twin.account.projects.find(({ name }) => name === 'theirs')!;
    ledger.entries['projects/web/env/B@production'] = { ...(mine![1] as object), ids: [stranger.env[0]!.id] };
    ledger.entries['projects/theirs/env/SECRET@production'] = {
      ...(mine![1] as object),
      ids: [stranger.env[0]!.id],
    };
    return `${JSON.stringify({ ...ledger, signature }, null, 2)}\n`;
  };

  test.each([
    ['with the signature of before', (text: string) => text, 'ledger/altered'],
    [
      'without a signature',
      (text: string) => text.replace(/,\n {2}"signature": "[^"]*"/, ''),
      'ledger/unsigned',
    ],
    [
      'signed by a key of the forger',
      (text: string) => text.replace(/("signature": ")\w+/, '$1aaaaaaaaaaaa'),
      'ledger/other-key',
    ],
  ])('%s: an entry with a stranger’s id deletes nothing, and no apply begins', async (_, sign, code) => {
    const { shell, twin, text, put, writes } = await applied();
    put(sign(forged(text(), twin)));
    await shell.write({ 'trueup.yaml': yaml(one) });
    const before = writes();
    const plan = JSON.parse((await shell.run(['plan', '--json'])).stdout);
    expect(plan.summary).toMatchObject({ delete: 0, replace: 0 });
    const codes = plan.diagnostics.map((one: { code: string }) => one.code);
    expect(codes).toEqual(expect.arrayContaining([code, 'ledger/left-alone']));
    for (const args of [apply, ['destroy', '--confirm', 'demo'], ['ledger', 'forget', 'projects/web']]) {
      const ran = await shell.run(args);
      expect([args, ran.status]).toEqual([args, 1]);
      expect(ran.stderr).toContain('trueup ledger sign');
    }
    expect(writes()).toBe(before);
  });

  test('of another stack or owner is refused, signed as it is', async () => {
    const { shell, path, text, put } = await applied();
    await shell.write({ 'other.yaml': yaml(both, 'other') });
    writeFileSync(path.replace('demo', 'other'), text());
    for (const args of [apply, ['plan'], ['ledger', 'list'], ['ledger', 'sign']]) {
      const ran = await shell.run([...args, '-f', 'other.yaml']);
      expect([ran.status, ran.stderr]).toEqual([
        1,
        expect.stringContaining('belongs to a different stack: demo, not other'),
      ]);
    }
    put(text().replace(/"owner": "[^"]*"/, '"owner": "team_of_somebody"'));
    expect((await shell.run(apply)).stderr).toContain('belongs to a different account');
  });

  test('is believed for what it shows where there is no key, and the run says so', async () => {
    const { shell, as } = await applied();
    await shell.write({ 'trueup.yaml': yaml(one) });
    const plan = await as({ CI: 'true', TRUEUP_LEDGER: '.trueup/ledger/demo.json' }, 'plan', '--json');
    expect(summaryOf(plan.stdout)).toMatchObject({ delete: 1 });
    expect(plan.stderr).toMatch(/generation 2, written \d+ \w+ ago \(\S+Z\), not verified here: no key\./);
    const refused = await as({ CI: 'true', TRUEUP_LEDGER: '.trueup/ledger/demo.json' }, ...apply);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('no key is available here'),
    ]);
  });

  test('of before is signed once, after a person looked at it', async () => {
    const { shell, text, put, as } = await applied();
    put(text().replace(/,\n {2}"signature": "[^"]*"/, ''));
    const keys = { TRUEUP_LEDGER_KEY: keyText() };
    expect((await as(keys, ...apply)).stderr).toContain('sign it once with `trueup ledger sign`');
    const shown = await as(keys, 'ledger', 'sign');
    expect([shown.status, shown.stdout]).toEqual([
      1,
      expect.stringContaining('projects/web/env/A@production'),
    ]);
    const flags = /--generation \d+ --digest \w{64}/.exec(shown.stderr)![0].split(' ');
    expect((await as(keys, 'ledger', 'sign', '--generation', '99', ...flags.slice(2))).status).toBe(1);
    expect((await as(keys, 'ledger', 'sign', ...flags.slice(0, 3), '0'.repeat(64))).status).toBe(1);
    // What was named is not what is there any more.
    const whole = text();
    put(whole.replace('"created"', '"adopted"'));
    expect((await as(keys, 'ledger', 'sign', ...flags)).status).toBe(1);
    put(whole);
    expect((await as(keys, 'ledger', 'sign', ...flags)).stdout).toMatch(
      /^Signed: .* signed by the key \w+\.$/m,
    );
    expect((await shell.run(apply)).stdout).toContain('No changes.');
  });

  test("Anyone who can push can write the ledger's ref, but no apply acts on what its key does not verify.", async () => {
    const { clone } = repository();
    const shell = new Shell();
    Object.assign(shell, { folder: clone() });
    const twin = await shell.withTwin({ projects: [{ name: 'theirs' }] });
    shell.env = { ...gitEnv, ...shell.env, CI: 'true', TRUEUP_LEDGER: 'git', TRUEUP_LEDGER_KEY: keyText() };
    await shell.write({ 'trueup.yaml': yaml(one) });
    expect((await shell.run(apply)).status).toBe(0);
    const attacker = clone();
    git(attacker, 'fetch', '--quiet', 'origin', 'refs/trueup/demo');
    const ledger = JSON.parse(git(attacker, 'show', 'FETCH_HEAD:ledger.json'));
    ledger.entries['projects/theirs'] = {
      ...ledger.entries['projects/web'],
      ids: [twin.account.projects[0]!.id],
      onRemove: 'delete',
    };
    const commit = pushLedger(attacker, 'demo', `${JSON.stringify(ledger, null, 2)}\n`);
    const before = writesOf(twin);
    const ran = await shell.run(apply);
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('it was changed afterwards')]);
    expect(writesOf(twin)).toBe(before);
    const shown = await shell.run(['ledger', 'sign']);
    expect([shown.status, shown.stderr]).toEqual([1, expect.stringContaining(`commit ${commit}`)]);
    expect(shown.stdout).toMatch(/projects\/theirs {2}project, created, \S+, deleted with its block/);
  });
});

test('A journal line that the key does not verify is not acted on.', async () => {
  const { shell, path, text, writes } = await applied();
  const { baseUrl, owner, generation, entries } = JSON.parse(text());
  const head = { journal: 1, baseUrl, owner, stack: 'demo', generation };
  const line = {
    set: { 'projects/web/env/C@production': { entry: Object.values(entries).at(-1), begun: null } },
  };
  writeFileSync(path.replace('.json', '.journal'), `${JSON.stringify(head)}\n${JSON.stringify(line)}\n`);
  const before = writes();
  const ran = await shell.run(apply);
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(/the journal \S+ is not signed/)]);
  expect(writes()).toBe(before);
  // A person may look at it and sign both.
  const shown = await shell.run(['ledger', 'sign']);
  expect(shown.stdout).toContain('projects/web/env/C@production');
  const flags = /--generation \d+ --digest \w{64}/.exec(shown.stderr)![0].split(' ');
  expect((await shell.run(['ledger', 'sign', ...flags])).status).toBe(0);
  expect(existsSync(path.replace('.json', '.journal'))).toBe(false);
});

describe('a saved plan', () => {
  test('A plan file is applied only with a seal of the current key: if the seal is missing, replaced or of another key, or the file was edited, it is rejected.', async () => {
    const { shell, writes, as } = await applied();
    await shell.write({ 'trueup.yaml': yaml(one) });
    expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
    const file = join(shell.folder, 'plan.json');
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    const { key, seal, ...bare } = saved;
    const before = writes();
    const cases: [string, object, RegExp][] = [
      ['taken off', bare, /is not sealed/],
      ['without the key', { ...bare, seal }, /is not sealed/],
      ['without the seal', { ...bare, key }, /is not sealed/],
      ['of another key', { ...saved, key: 'aaaaaaaaaaaa' }, /is sealed with the key aaaaaaaaaaaa/],
      ['of another plan', { ...saved, options: { target: ['projects/web'] } }, /edited after it was sealed/],
      ['of a lower generation', { ...saved, generation: 0 }, /edited after it was sealed/],
    ];
    for (const [name, forged, told] of cases) {
      writeFileSync(file, JSON.stringify({ ...forged, checksum: checksumOf(forged) }));
      const ran = await shell.run(['apply', 'plan.json', '--settle', '0']);
      expect([name, ran.status, ran.stderr]).toEqual([name, 1, expect.stringMatching(told)]);
    }
    expect(writes()).toBe(before);
    // Made where there is no key, it can be read and not done.
    const ci = { CI: 'true', TRUEUP_LEDGER: '.trueup/ledger/demo.json' };
    rmSync(file);
    const made = await as(ci, 'plan', '--out', 'plan.json', '--max-deletions', '20');
    expect(made.stderr).not.toContain('applies it');
    const open = await as(ci, 'plan', '--out', 'plan.json');
    expect(open.stderr).toContain('It is not sealed, since no key is available here');
    const ran = await as({ TRUEUP_LEDGER_KEY: keyText() }, 'apply', 'plan.json', '--settle', '0');
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('is not sealed')]);
    expect(writes()).toBe(before);
  });

  test('says with `show` who sealed it, and what that proves', async () => {
    const { shell, as } = await applied();
    await shell.write({ 'trueup.yaml': yaml(one) });
    await shell.run(['plan', '--out', 'plan.json']);
    const key = { TRUEUP_LEDGER_KEY: keyText() };
    expect((await as(key, 'show', 'plan.json')).stderr).toMatch(
      /Sealed with the key \w{12}, which is available here/,
    );
    expect((await as({}, 'show', 'plan.json')).stderr).toMatch(/Origin unknown.*with the key \w{12}/);
    expect((await as({ TRUEUP_LEDGER_KEY: keyText('other') }, 'show', 'plan.json')).stderr).toContain(
      'Origin unknown',
    );
    const file = join(shell.folder, 'plan.json');
    const { key: _, seal: __, ...bare } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...bare, checksum: checksumOf(bare) }));
    expect((await as(key, 'show', 'plan.json')).stderr).toContain('Not sealed');
    const forged = { ...bare, key: _, seal: __, unmanaged: [], stack: 'x' };
    writeFileSync(file, JSON.stringify({ ...forged, checksum: checksumOf(forged) }));
    const broken = await as(key, 'show', 'plan.json');
    expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining('Not trustworthy')]);
  });

  test('A sealed plan is not applied on a ledger older than the one it was made on.', async () => {
    const { shell, text, put, writes } = await applied();
    const older = text();
    await shell.write({ 'trueup.yaml': yaml(both.replace('value: a', 'value: c')) });
    expect((await shell.run(apply)).status).toBe(0);
    await shell.write({ 'trueup.yaml': yaml(one) });
    expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
    put(older);
    const before = writes();
    const ran = await shell.run(['apply', 'plan.json', '--settle', '0']);
    expect([ran.status, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/is at generation 2, and plan.json was made on generation 4/),
    ]);
    expect(writes()).toBe(before);
  });
});

describe('the key', () => {
  test('After a leak, nothing that the old key signed is trusted until somebody has reviewed it and signed it again.', async () => {
    const [old, next] = [keyText('old'), keyText('next')];
    const { as, text } = await applied({ TRUEUP_LEDGER_KEY: old });
    const alone = await as({ TRUEUP_LEDGER_KEY: next }, ...apply);
    expect([alone.status, alone.stderr]).toEqual([
      1,
      expect.stringMatching(/TRUEUP_LEDGER_KEY_PREVIOUS to \w+ for one apply/),
    ]);
    // Leaked: what the old key signed counts for nothing any more, until a person has looked at it.
    const shown = await as({ TRUEUP_LEDGER_KEY: next }, 'ledger', 'sign');
    expect([shown.status, shown.stderr]).toEqual([1, expect.stringContaining('signed by a different key')]);
    const signer = () => /"signature": "(\w+)\./.exec(text())![1];
    const before = signer();
    const rotating = { TRUEUP_LEDGER_KEY: next, TRUEUP_LEDGER_KEY_PREVIOUS: old };
    expect((await as(rotating, ...apply)).status).toBe(0);
    // Though there was nothing to write but the signature.
    expect(signer()).not.toBe(before);
    expect((await as({ TRUEUP_LEDGER_KEY: next }, ...apply)).status).toBe(0);
    expect((await as({ TRUEUP_LEDGER_KEY: old }, ...apply)).status).toBe(1);
  });

  test('No run creates a key if another one has signed the ledger.', async () => {
    const { shell, as, account } = await applied({});
    const path = join(shell.folder, '.trueup/key');
    const lost = readFileSync(path, 'utf8');
    rmSync(path);
    for (const args of [
      apply,
      ['plan', '--out', 'plan.json'],
      ['ledger', 'forget', 'projects/web'],
      ['ledger', 'sign'],
    ]) {
      const ran = await as({}, ...args);
      expect([args, ran.status, ran.stderr]).toEqual([args, 1, expect.stringContaining('trueup ledger key')]);
      expect(existsSync(path)).toBe(false);
    }
    expect((await as({}, ...apply)).stderr).toMatch(
      /is signed by the key \w{12}, but no key is available here/,
    );
    expect((await as({}, 'ledger', 'key')).stdout).toMatch(/^Created the key \w{12}: \.trueup\/key/);
    expect(readFileSync(path, 'utf8')).not.toBe(lost);
    const shown = await as({}, 'ledger', 'sign');
    const flags = /--generation \d+ --digest \w{64}/.exec(shown.stderr)![0].split(' ');
    expect((await as({}, 'ledger', 'sign', ...flags)).status).toBe(0);
    expect((await as({}, ...apply)).stdout).toContain('No changes.');
    expect(shell.env).toEqual(account);
  });

  test('A passphrase is not accepted as a key.', async () => {
    const { as, text } = await applied();
    const weak = { TRUEUP_LEDGER_KEY: 'correct horse 16' };
    const refused = await as(weak, ...apply);
    expect(refused.status).toBe(1);
    for (const word of [
      '32 random bytes',
      'trueup ledger key',
      'trueup ledger sign',
      'TRUEUP_LEDGER_KEY_PREVIOUS',
    ])
      expect(refused.stderr).toContain(word);
    expect(refused.all).not.toContain('correct horse');
    const now = { TRUEUP_LEDGER_KEY: keyText(), TRUEUP_LEDGER_KEY_PREVIOUS: 'correct horse 16' };
    expect((await as(now, ...apply)).status).toBe(0);
    expect(text()).not.toContain('correct horse');
  });

  test('A key, a journal or a lease that git tracks is an error.', async () => {
    const { shell, as } = await applied({});
    git(shell.folder, 'init', '--quiet');
    expect((await shell.run(['plan'])).status).toBe(0);
    for (const name of ['.trueup/key', '.trueup/ledger/demo.lock', '.trueup/ledger/demo.journal']) {
      if (!existsSync(join(shell.folder, name))) await shell.write({ [name]: '' });
      git(shell.folder, 'add', '-f', name);
      const ran = await as({}, 'plan');
      expect([name, ran.status, ran.stderr]).toEqual([
        name,
        1,
        expect.stringContaining(`git tracks ${name}`),
      ]);
      git(shell.folder, 'rm', '--quiet', '--cached', name);
    }
    const attributes = git(shell.folder, 'check-attr', 'text', 'merge', '--', '.trueup/ledger/demo.json');
    expect(attributes.match(/unset/g)).toHaveLength(2);
    onTestFinished(() => rmSync(join(shell.folder, '.git'), { recursive: true, force: true }));
  });

  test('No run in CI creates a key.', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml(one) });
    const twin = await shell.withTwin();
    shell.env = { ...shell.env, CI: 'true', TRUEUP_LEDGER: 'kept/demo.json' };
    expect((await shell.run(['plan'])).status).toBe(0);
    const ran = await shell.run(apply);
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('trueup ledger key --print')]);
    expect([writesOf(twin), existsSync(join(shell.folder, '.trueup/key'))]).toEqual([0, false]);
    expect((await shell.run(['ledger', 'key', '--print'])).stdout).toBe('');
    const desk = new Shell();
    const { stdout } = await desk.run(['ledger', 'key', '--print']);
    expect(existsSync(join(desk.folder, '.trueup'))).toBe(false);
    shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: stdout };
    expect((await shell.run(apply)).status).toBe(0);
  });
});

test('Objects that another stack of the same store owns are not adopted, changed or deleted, unless it hands them over.', async () => {
  for (const where of sampled(['files', 'a ref'], 1)) {
    const { clone } = repository();
    const shell = new Shell();
    Object.assign(shell, { folder: clone() });
    const twin = await shell.withTwin();
    const place: Record<string, string> = where === 'files' ? {} : { TRUEUP_LEDGER: 'git' };
    shell.env = { ...gitEnv, ...shell.env, ...place, TRUEUP_LEDGER_KEY: keyText() };
    await shell.write({ 'a.yaml': yaml(both, 'a'), 'b.yaml': yaml(one, 'b') });
    expect((await shell.run([...apply, '-f', 'a.yaml'])).stderr).not.toContain('is owned by the stack');
    const adopting = await shell.run([...apply, '-f', 'b.yaml']);
    expect([adopting.status, adopting.stderr]).toEqual([
      1,
      expect.stringMatching(
        /2 resources are owned by the stack a \(applied \d+ seconds? ago by run 1[,)].*projects\/web and/,
      ),
    ]);
    // Asking for it is not enough.
    const before = writesOf(twin);
    await shell.write({ 'b.yaml': yaml(one, 'b').replace('web: {', 'web: { $from: a,') });
    const asking = await shell.run([...apply, '-f', 'b.yaml']);
    expect([asking.status, asking.stderr]).toEqual([1, expect.stringContaining('[stack/no-consent]')]);
    // Handed over, and dropped there: nothing is sent.
    await shell.write({ 'a.yaml': yaml(both, 'a').replace('web: {', 'web: { $handover: b,') });
    expect((await shell.run([...apply, '-f', 'a.yaml'])).stdout).toContain('handed over to the stack b');
    const taking = await shell.run([...apply, '-f', 'b.yaml']);
    expect([taking.status, taking.stderr]).toEqual([
      0,
      expect.stringContaining('1 other stack of this account'),
    ]);
    await shell.write({ 'a.yaml': yaml('B: { value: b, type: plain }', 'a') });
    const again = await shell.run([...apply, '-f', 'a.yaml']);
    expect(again.stderr).toContain('owned by the stack b');
    const text = yaml('B: { value: b, type: plain }', 'a').replace('framework: nextjs', '$existing: true');
    await shell.write({ 'a.yaml': text });
    expect((await shell.run([...apply, '-f', 'a.yaml'])).status).toBe(0);
    expect(writesOf(twin)).toEqual(before);
  }
});
