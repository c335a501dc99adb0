import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(5);

const rule = (name: string) =>
  `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }`;

/** An account with some of everything that people change by hand; `more` is what the project has on top. */
const yaml = (more = '') => `stack: demo
platform: { team: acme }
secrets:
  database: {}
projects:
  web:
    framework: nextjs${more}
    env:
      LEVEL: { value: literal-61c0, target: [production] }
      DATABASE: { value: "postgres://u:\${secret.database}@db", target: [production], type: sensitive }
    firewall:
      rules: [${rule('first')}, ${rule('second')}]
    routes:
      - { name: one, srcSyntax: equals, route: { src: /one, status: 404 } }
      - { name: two, srcSyntax: equals, route: { src: /two, status: 404 } }
domains:
  example.com:
    records:
      - { type: A, name: www, value: 192.0.2.1 }
webhooks:
  deploys: { url: https://hooks.example.com, events: [deployment.error], $secretTo: discard }
`;
const build = '\n    buildCommand: make';
const token = 'token-for-tests';

/** A folder and a twin that are as `yaml()` says. */
async function settled(): Promise<{ shell: Shell; twin: Twin }> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml() });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_SECRET_database: 'canary-secret-7b21' };
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  return { shell, twin };
}

/** The same with a change that was saved as a plan. */
async function approved(): Promise<{ shell: Shell; twin: Twin }> {
  const { shell, twin } = await settled();
  await shell.write({ 'trueup.yaml': yaml(build) });
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  return { shell, twin };
}

const writes = (twin: Twin) => twin.requests.filter(({ method }) => method !== 'GET').length;

/** `apply plan.json` refuses with these texts, and sends nothing. */
async function refuses(shell: Shell, twin: Twin | undefined, ...texts: (string | RegExp)[]): Promise<void> {
  const before = twin && writes(twin);
  const ran = await shell.run(['apply', 'plan.json', '--settle', '0']);
  for (const text of texts) expect(ran.stderr).toMatch(text);
  expect(ran.stderr).toMatch(/^Error: /m);
  expect(ran.all).not.toMatch(/canary|^\s+at .*:\d+:\d+\)$/m);
  expect(ran.status).toBe(1);
  if (twin) expect(writes(twin)).toBe(before);
}

const planOf = (shell: Shell) => JSON.parse(readFileSync(join(shell.folder, 'plan.json'), 'utf8'));

describe('approve, then apply', () => {
  story('what was approved is shown as planned, done without asking, and only once', async () => {
    const { shell, twin } = await settled();
    await shell.write({ 'trueup.yaml': yaml(build) });
    const out = ['--out', 'plan.json'];
    for (const flags of [['--json'], ['--requests', '--detailed-exitcode']]) {
      const planned = await shell.run(['plan', ...flags]);
      const saved = await shell.run(['plan', ...flags, ...out]);
      expect([saved.stdout, saved.status]).toEqual([planned.stdout, planned.status]);
      expect(saved.stderr).toContain('trueup apply plan.json');
      // Neither configuration nor account nor token.
      const elsewhere = await new Shell().write({
        'plan.json': readFileSync(join(shell.folder, 'plan.json')),
      });
      const shown = await elsewhere.run(['show', 'plan.json', ...flags]);
      // A file does not say what it takes to read the account: that is no part of what is approved.
      const withoutReads = (printed: string) => {
        if (!printed.startsWith('{')) return printed.replace(/^Read with \d+ requests\. /m, '');
        const { reads: _, forecast: __, ...approvedPart } = JSON.parse(printed);
        return approvedPart;
      };
      expect([withoutReads(shown.stdout), shown.status]).toEqual([
        withoutReads(planned.stdout),
        planned.status,
      ]);
      expect(planned.stdout).toMatch(/^ {2}"reads": \d+,\n|^Read with \d+ requests\. /m);
    }
    expect(statSync(join(shell.folder, 'plan.json')).mode & 0o777).toBe(0o600);
    const before = writes(twin);
    const applied = await shell.run(['apply', 'plan.json']);
    expect(applied.stdout).toContain('Verified: the account matches');
    expect(applied.status).toBe(0);
    expect(writes(twin)).toBe(before + 1);
    expect(twin.account.projects[0]!.buildCommand).toBe('make');
    const again = await shell.run(['apply', 'plan.json']);
    expect([again.status, writes(twin)]).toEqual([0, before + 1]);
    // By now something else was applied: what the file approves is not what was done last.
    await shell.run(['apply', '--auto-approve', '--target', 'projects/web']);
    await shell.write({ 'trueup.yaml': yaml() });
    await shell.run(['apply', '--auto-approve']);
    await refuses(shell, twin, /removed from the configuration|declared differently|is not declared/);
  });

  it('equal input makes equal bytes; the file holds no secret, time or place', async () => {
    const { shell } = await approved();
    const first = readFileSync(join(shell.folder, 'plan.json'), 'utf8');
    await shell.run(['plan', '--out', 'plan.json']);
    expect(readFileSync(join(shell.folder, 'plan.json'), 'utf8')).toBe(first);
    for (const text of ['canary', token, shell.folder, String(new Date().getFullYear())])
      expect(first.includes(text), text).toBe(false);
    expect(readFileSync(join(shell.folder, '.trueup/key'), 'utf8').length).toBeGreaterThan(16);
    expect(first).not.toContain(readFileSync(join(shell.folder, '.trueup/key'), 'utf8').trim());
  });

  it('a plan from nothing, with secrets, is approved with the key that it makes, and applied', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml(build) });
    const twin = await shell.withTwin();
    shell.env = { ...shell.env, TRUEUP_SECRET_database: 'canary-secret-7b21' };
    const planned = await shell.run(['plan', '--out', 'plan.json']);
    expect(planned.stderr).not.toContain('cannot be applied');
    // The key that it made is none for git.
    expect(readFileSync(join(shell.folder, '.trueup/.gitignore'), 'utf8')).toMatch(/^key$/m);
    expect(readFileSync(join(shell.folder, 'plan.json'), 'utf8')).not.toContain('canary');
    expect(writes(twin)).toBe(0);
    const applied = await shell.run(['apply', 'plan.json']);
    expect(applied.stdout).toContain('Verified: the account matches the configuration');
    expect(applied.status).toBe(0);
    expect(twin.account.projects[0]!.env.map(({ value }) => value)).toContain(
      'postgres://u:canary-secret-7b21@db',
    );
  });

  it('a plan without changes is nothing to do; with changes by then it is refused', async () => {
    const { shell, twin } = await settled();
    expect((await shell.run(['plan', '--detailed-exitcode', '--out', 'plan.json'])).status).toBe(0);
    const before = writes(twin);
    const applied = await shell.run(['apply', 'plan.json']);
    expect(applied.stdout).toContain('No changes.');
    expect([applied.status, writes(twin)]).toEqual([0, before]);
    twin.account.projects[0]!.framework = 'astro';
    await refuses(
      shell,
      twin,
      /projects\/web: `framework` was changed outside: planned on nextjs, now it is astro/,
    );
  });

  story('the options that shaped the plan are in it', async () => {
    const { shell, twin } = await settled();
    await shell.write({ 'trueup.yaml': yaml(build).replace('value: 192.0.2.1', 'value: 192.0.2.9') });
    const target = ['--target', 'projects/web', '--max-deletions', '3'];
    expect((await shell.run(['plan', ...target, '--out', 'plan.json'])).status).toBe(0);
    expect((await shell.run(['show', 'plan.json'])).stderr).toContain(
      "made with --target 'projects/web' --max-deletions 3",
    );
    await shell.run(['apply', 'plan.json']);
    expect(twin.account.projects[0]!.buildCommand).toBe('make');
    expect(twin.account.domains[0]!.records.map(({ value }) => value)).toContain('192.0.2.1');
  });
});

describe('what is not the approved plan is refused', () => {
  it('a change outside, of each kind, is named with its field', async () => {
    const { shell, twin } = await approved();
    const [project] = twin.account.projects;
    const records = twin.account.domains[0]!.records;
    const www = records.find(({ name }) => name === 'www')!;
    const row = project!.env.find(({ key }) => key === 'LEVEL')!;
    const firewall = project!.firewall.active!;
    const routes = project!.routes.find(({ isLive }) => isLive)!;
    const { webhooks } = twin.account;
    const [webhook] = webhooks;
    const cases: [change: () => void, undo: () => void, ...texts: RegExp[]][] = [
      [
        () => Object.assign(project!, { buildCommand: 'theirs' }),
        () => Object.assign(project!, { buildCommand: null }),
        /projects\/web: `buildCommand` was changed outside: planned on null, now it is theirs/,
      ],
      [
        () => Object.assign(project!, { framework: 'astro' }),
        () => Object.assign(project!, { framework: 'nextjs' }),
        /projects\/web: `framework` was changed outside: planned on nextjs, now it is astro/,
      ],
      [
        () => Object.assign(row, { value: 'canary-live' }),
        () => Object.assign(row, { value: 'literal-61c0' }),
        /projects\/web\/env\/LEVEL@production: `value` was changed outside \(/,
      ],
      [
        () => void project!.env.splice(project!.env.indexOf(row), 1),
        () => void project!.env.push(row),
        /projects\/web\/env\/LEVEL@production: it no longer exists/,
      ],
      [
        () => Object.assign(www, { value: '192.0.2.77' }),
        () => Object.assign(www, { value: '192.0.2.1' }),
        /records\/www\/A: `records` was changed outside: planned on \[.*192\.0\.2\.1.*\], now it is \[.*192\.0\.2\.77/,
      ],
      [
        () => void firewall.rules.reverse(),
        () => void firewall.rules.reverse(),
        /its position was changed outside.*projects\/web\/firewall\/rules\/first/,
      ],
      [
        () => void routes.items.reverse(),
        () => void routes.items.reverse(),
        /its position was changed outside.*projects\/web\/routes\/one/,
      ],
      [
        () => Object.assign(webhook!, { events: ['deployment.created'] }),
        () => Object.assign(webhook!, { events: ['deployment.error'] }),
        /webhooks\/deploys/,
      ],
      [
        () => void webhooks.splice(0),
        () => void webhooks.push(webhook!),
        /webhooks\/deploys: it no longer exists/,
      ],
    ];
    for (const [change, undo, ...texts] of sampled(cases, 2)) {
      change();
      await refuses(shell, twin, /no longer matches what would be applied/, ...texts);
      undo();
    }
    // What is nobody's business here may change.
    project!.env.push({ ...row, id: 'env_theirs', key: 'THEIRS' });
    Object.assign(project!, { installCommand: 'theirs' });
    expect((await shell.run(['apply', 'plan.json'])).status).toBe(0);
    expect(project).toMatchObject({ buildCommand: 'make', installCommand: 'theirs' });
  });

  it('a change of the configuration is named with its place; comments, anchors and order are none', async () => {
    const { shell, twin } = await approved();
    const changed = async (text: string, ...texts: RegExp[]) => {
      await shell.write({ 'trueup.yaml': text });
      await refuses(shell, twin, /^-?.*the configuration changed/m, ...texts);
    };
    await changed(
      yaml('\n    buildCommand: make all'),
      /projects\/web: `buildCommand` is declared differently: approved as make, now it is make all \(the configuration changed, trueup\.yaml:6\)/,
    );
    await changed(yaml(), /projects\/web: `buildCommand` was removed from the configuration/);
    await changed(
      yaml(`${build}\n    outputDirectory: out`),
      /projects\/web: `outputDirectory` is declared now/,
    );
    await changed(
      yaml(build).replace('two, srcSyntax', 'three, srcSyntax'),
      /routes\/three: it is now declared/,
    );
    await changed(yaml(`${build}\n    $protect: true`), /projects\/web: `\$protect` is declared now/);
    await changed(
      yaml(build).replace('discard', '{ file: hook }'),
      /webhooks\/deploys: `\$secretTo` is declared differently/,
    );
    const text = `# a comment\n${yaml(`\n    # another\n    buildCommand: &b make`).replace('stack: demo', 'x-deny: { y: 1 }\nstack: demo')}`;
    const [head, domains] = text.split('domains:\n');
    await shell.write({ 'trueup.yaml': head!, 'more.yaml': `\n\ndomains:\n${domains}` });
    const ran = await shell.run(['apply', 'plan.json', '-f', 'trueup.yaml', '-f', 'more.yaml']);
    expect(ran.stderr).not.toContain('Error');
    expect(ran.status).toBe(0);
    expect(twin.account.projects[0]!.buildCommand).toBe('make');
  });

  it('a secret that changed, went away, or was never compared', async () => {
    const { shell, twin } = await settled();
    const env = shell.env;
    const plan = async (more: Record<string, string>) => {
      shell.env = { ...env, ...more };
      return shell.run(['plan', '--out', 'plan.json']);
    };
    await plan({ TRUEUP_SECRET_database: 'canary-rotated-0c3e' });
    shell.env = { ...env, TRUEUP_SECRET_database: 'canary-another-0d11' };
    await refuses(shell, twin, /env\/DATABASE@production: `value` has a different value now \(a secret\)/);
    const { TRUEUP_SECRET_database: _, ...without } = env;
    shell.env = without;
    await refuses(shell, twin, /env\/DATABASE@production: `value` is not available here/);
    // Planned without the key that CI was to give.
    const ci = {
      CI: 'true',
      TRUEUP_LEDGER: '.trueup/ledger/demo.json',
      TRUEUP_LEDGER_KEY: keyText('another'),
    };
    shell.env = { ...env, ...ci, TRUEUP_SECRET_database: 'canary-rotated-0c3e' };
    await refuses(shell, twin, /is signed by the key \w+, but the key here is/, /TRUEUP_LEDGER_KEY/);
    const fresh = await new Shell().write({ 'trueup.yaml': yaml() });
    const other = await fresh.withTwin();
    fresh.env = {
      ...fresh.env,
      CI: 'true',
      TRUEUP_LEDGER: 'ledger.json',
      TRUEUP_SECRET_database: 'canary-secret-7b21',
    };
    const planned = await fresh.run(['plan', '--out', 'plan.json']);
    expect(planned.stderr).toMatch(/It is not sealed, since no key is available here/);
    await refuses(fresh, other, /there is no key/, /TRUEUP_LEDGER_KEY/);
    fresh.env = { ...fresh.env, ...ci };
    await refuses(fresh, other, /is not sealed/);
    const { TRUEUP_SECRET_database: __, ...blind } = fresh.env;
    fresh.env = blind;
    await fresh.run(['plan', '--out', 'plan.json']);
    fresh.env = { ...blind, TRUEUP_SECRET_database: 'canary-secret-7b21' };
    await refuses(fresh, other, /a secret was not compared/);
    await fresh.run(['plan', '--out', 'plan.json']);
    expect((await fresh.run(['apply', 'plan.json'])).status).toBe(0);
    expect(planOf(fresh).key).toHaveLength(12);
  });

  it('another stack, account, base URL or options', async () => {
    const { shell, twin } = await approved();
    await shell.write({ 'trueup.yaml': yaml(build).replace('stack: demo', 'stack: other') });
    await refuses(shell, twin, /a plan for a different stack: demo, not other/);
    await shell.write({ 'trueup.yaml': yaml(build) });
    const other = await new Shell().write({
      'trueup.yaml': yaml(build),
      'plan.json': readFileSync(join(shell.folder, 'plan.json')),
    });
    const elsewhere = await other.withTwin();
    other.env = { ...other.env, TRUEUP_SECRET_database: 'canary-secret-7b21' };
    await refuses(other, elsewhere, /a plan for a different base URL/);
    const before = writes(twin);
    for (const [flags, text] of [
      [['--target', 'projects/web'], '--target cannot be combined with a saved plan'],
      [['--max-deletions', '3', '--allow-incomplete'], '--max-deletions, --allow-incomplete cannot'],
    ] as const) {
      const ran = await shell.run(['apply', 'plan.json', ...flags]);
      expect([ran.status, ran.stderr.includes(text)], ran.stderr).toEqual([1, true]);
    }
    expect(writes(twin)).toBe(before);
  });

  it('what is no whole plan of this version, or was edited', async () => {
    const { shell, twin } = await approved();
    const path = join(shell.folder, 'plan.json');
    const text = readFileSync(path, 'utf8');
    const cases: [string, RegExp][] = [
      [text.slice(0, text.length / 2), /truncated or damaged/],
      ['', /not a saved plan/],
      ['[1]', /not a saved plan/],
      ['null', /not a saved plan/],
      [yaml(), /not a saved plan/],
      ['{"format":"trueup plan"}', /damaged or edited: formatVersion/],
      [
        text.replace('"formatVersion": 3', '"formatVersion": 4'),
        /saved by a newer version of trueup \(format 4\)/,
      ],
      [text.replace('"formatVersion": 3', '"formatVersion": 2'), /saved by an older trueup/],
      [
        text.replace('"stack": ', '"stack": "harmless", "stack": '),
        /damaged or edited: line 4: this key is already on line 4/,
      ],
      [text.replace('"make"', '"evil"'), /checksum/],
      [text.replace('"owner"', '"run": "sh -c evil",\n  "owner"'), /damaged or edited.*run/],
    ];
    for (const [content, message] of sampled(cases, 2)) {
      writeFileSync(path, content);
      await refuses(shell, twin, message);
    }
    for (const content of [text.slice(0, -20), text.replace('"make"', '"evil"')]) {
      writeFileSync(path, content);
      const shown = await shell.run(['show', 'plan.json']);
      expect([shown.status, shown.stdout]).toEqual([1, '']);
    }
    expect((await shell.run(['apply', 'nowhere.json'])).stderr).toContain('cannot be read');
  });
});

describe('plan --out', () => {
  story('replaces nothing but a plan, and keeps none that has errors', async () => {
    const { shell } = await settled();
    const ran = await shell.run(['plan', '--out', 'trueup.yaml']);
    expect([ran.status, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('is not a plan, so it is not overwritten');
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(yaml());
    expect((await shell.run(['plan', '--out', '.'])).status).toBe(1);
    expect((await shell.run(['plan', '--out', 'trueup.yaml/plan'])).stderr).toContain('cannot be written');
    writeFileSync(join(shell.folder, 'empty'), '');
    expect((await shell.run(['plan', '--out', 'empty'])).status).toBe(0);
    // A cut off plan is still one.
    writeFileSync(join(shell.folder, 'empty'), readFileSync(join(shell.folder, 'empty')).subarray(0, 99));
    expect((await shell.run(['plan', '--out', 'empty'])).status).toBe(0);
    await shell.write({
      'trueup.yaml': yaml().replace('domains:', 'domains:\n  gone.example: { $existing: true }'),
    });
    const refused = await shell.run(['plan', '--out', 'errors.json']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('errors.json was not written');
    expect(() => statSync(join(shell.folder, 'errors.json'))).toThrow();
  });
});

story('work that this very plan has done already is no difference', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\nprojects: { web: { framework: vite } }\ndomains:\n  example.com:\n    records:\n      - { type: A, name: www, value: 192.0.2.1 }\n`,
  });
  const twin = await shell.withTwin();
  await shell.run(['plan', '--out', 'plan.json']);
  // The zone takes no records for a while.
  const requests = twin.requests as unknown as { push(...items: unknown[]): number };
  const { push } = requests;
  requests.push = (...items) => {
    for (const { records } of twin.account.domains) Object.freeze(records);
    return push.apply(requests, items);
  };
  const broken = await shell.run(['apply', 'plan.json', '--max-wait', '1']);
  expect(broken.status).toBe(1);
  expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
  expect(twin.account.domains[0]!.records.filter(({ name }) => name === 'www')).toEqual([]);
  requests.push = push;
  Object.assign(twin.account.domains[0]!, { records: [...twin.account.domains[0]!.records] });
  // Not what is left of it: somebody touched what was done.
  twin.account.projects[0]!.framework = 'astro';
  await refuses(shell, twin, /It was applied before, at least in part/, /projects\/web/);
  twin.account.projects[0]!.framework = 'vite';
  const rest = await shell.run(['apply', 'plan.json', '--settle', '0']);
  expect(rest.stderr).not.toContain('Error');
  expect(rest.status).toBe(0);
  expect(twin.account.domains[0]!.records.filter(({ name }) => name === 'www')).toHaveLength(1);
});

story(
  'work of which the answer was lost is done with the same plan: what was made is recorded, the rest is sent',
  async () => {
    const shell = await new Shell().write({
      'trueup.yaml':
        'stack: demo\nplatform: { team: acme }\nprojects: { web: { framework: vite, env: { A: { value: a, type: plain } } } }\n',
    });
    const twin = await shell.withTwin();
    await shell.run(['plan', '--out', 'plan.json']);
    twin.setFaults({
      faults: [{ at: { operation: 'createProject' }, do: { type: 'status', status: 500, when: 'after' } }],
    });
    expect((await shell.run(['apply', 'plan.json'])).status).toBe(1);
    twin.setFaults({ faults: [] });
    const rest = await shell.run(['apply', 'plan.json', '--settle', '0']);
    expect([rest.status, rest.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(rest.stdout).toContain('done by an interrupted run');
    expect(twin.account.projects.map(({ name, env }) => [name, env.length])).toEqual([['web', 1]]);
  },
);
