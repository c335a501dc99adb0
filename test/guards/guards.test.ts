import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hosting } from '../../providers/hosting/index.ts';
import { parseGuards } from '../../src/guards/guards.ts';
import { git, temporary } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { sampled } from '../support/sweep.ts';

const web = (level: string, more = '') =>
  `projects: { web: { framework: nextjs, env: { LEVEL: { value: ${level}, type: plain }${more} } } }\n`;

let site: RecordedSite;
beforeAll(async () => {
  site = await RecordedSite.open('file');
  site.commit(web('info'));
  await site.apply();
  site.commit(web('info', ', OLD: { value: x, type: plain }'));
  await site.apply();
});

/** Writes guards beside the configuration, which outside of a pull request they may be. */
const guard = (text: string) => writeFileSync(join(site.folder, 'guards.yaml'), text);
const guarded = (command: string, ...args: string[]) =>
  site.run([command, '--guards', 'guards.yaml', ...(command === 'plan' ? ['--json'] : []), ...args]);

/** The codes and messages of what the guards say of the plan of a configuration. */
async function said(body: string, guards: string, ...args: string[]): Promise<string[]> {
  site.edit(body);
  guard(guards);
  const { status, stdout, all } = await guarded('plan', ...args);
  const { diagnostics, guards: by } = JSON.parse(stdout);
  const own = diagnostics.filter(({ code }: { code: string }) => code.startsWith('guards/'));
  const isRefused = own.some(({ severity }: { severity: string }) => severity === 'error');
  expect([status, by.verdict], all).toEqual(isRefused ? [1, 'refused'] : [0, 'allowed']);
  return own.map(({ code, message }: Record<string, string>) => `${code}: ${message}`);
}

const old = ', OLD: { value: x, type: plain }';
const none = 'deny: []\n';
const deny = (what: string) => `deny: [{ ${what}, message: Ask. }]\n`;

describe('an entry of `deny` refuses a change that all of it is true of:', () => {
  const changed = web('debug', old);
  const cases: [string, string, string, string | undefined][] = [
    ['the address', changed, 'at: "projects/*/env/LEVEL"', 'update projects/web/env/LEVEL'],
    ['one of several addresses', changed, 'at: [x, "projects/web/**"]', 'update projects/web/env/LEVEL'],
    ['another address', changed, 'at: "projects/*/env/OTHER"', undefined],
    ['the kind', changed, 'kind: projectEnvVar', 'update projects/web/env/LEVEL'],
    ['another kind', changed, 'kind: [project, domain]', undefined],
    ['the action', changed, 'action: [delete, update]', 'update projects/web/env/LEVEL'],
    ['another action', changed, 'action: create', undefined],
    ['the field', changed, 'field: value', 'update projects/web/env/LEVEL'],
    ['another field', changed, 'field: type', undefined],
    ['the cause', changed, 'cause: edit', 'update projects/web/env/LEVEL'],
    ['another cause', changed, 'cause: [drift, conflict]', undefined],
    ['the field, for another cause', changed, 'field: value, cause: drift', undefined],
    ['another grade', changed, 'grade: [destructive, irreversible]', undefined],
    ['the stack', changed, 'stack: "sh*", at: "**"', 'update projects/web/env/LEVEL'],
    ['another stack', changed, 'stack: "*@production", at: "**"', undefined],
    ['one of its conditions only', changed, 'kind: projectEnvVar, action: delete', undefined],
    [
      'a deletion by its grade',
      web('info'),
      'grade: [destructive, irreversible, disruptive]',
      'delete projects/web/env/OLD',
    ],
    [
      'what a new object has',
      web('info', `${old}, NEW: { value: y }`),
      'field: val*',
      'create projects/web/env/NEW',
    ],
    ['nothing where nothing changes', web('info', old), 'at: "**"', undefined],
  ];
  it.each(sampled(cases, 8))('%s', async (_, body, what, refused) => {
    const found = await said(body, deny(what));
    if (refused === undefined) expect(found).toEqual([]);
    else
      expect(found).toEqual([
        expect.stringMatching(new RegExp(`^guards/denied: the guards refuse to ${refused}.*: Ask\\.$`)),
      ]);
  });
});

it('a guard for what is deleted also holds for what goes with the object that it is in', async () => {
  const body = 'domains: { a.com: {} }\nremoved: [{ at: projects/web, delete: true, objects: 9 }]\n';
  const guards = deny('at: "projects/*/env/**", action: delete');
  expect(await said('domains: { a.com: {} }\n', guards, '--fewer-inputs')).toEqual([]);
  const [found, ...others] = await said(body, guards);
  expect(found).toMatch(
    /^guards\/denied: the guards refuse to delete projects\/web\/env\/LEVEL.*, projects\/web\/env\/OLD/,
  );
  expect(others).toEqual([]);
});

it('a rename leads out of no guard: an address counts until it is gone', async () => {
  const renamed = `projects: { shop: { $was: web, framework: nextjs, env: { LEVEL: { value: debug, type: plain }${old} } } }\n`;
  expect(await said(renamed, deny('at: "projects/web/env/*"'))).toEqual([
    expect.stringMatching(
      /^guards\/denied: the guards refuse to update projects\/shop\/env\/LEVEL\S* \(until now projects\/web\/env\/LEVEL\S*\): Ask\.$/,
    ),
  ]);
  expect(await said(renamed, deny('at: projects/web'))).toEqual([
    'guards/denied: the guards refuse to update projects/shop (until now projects/web): Ask.',
  ]);
  expect(await said(renamed, deny('at: projects/shop'))).toHaveLength(1);
  expect(await said(renamed, deny('at: projects/other'))).toEqual([]);
});

it('moving a domain out of a project counts as deleting it there', async () => {
  const domains = (project: string) =>
    `projects: { web: { framework: nextjs, ${project === 'web' ? 'domains: { a.example.net: {} }' : ''} }, docs: { ${project === 'docs' ? 'domains: { a.example.net: {} }' : ''} } }\n`;
  const other = await RecordedSite.open('file');
  other.commit(domains('web'));
  await other.apply();
  other.edit(domains('docs'));
  const judged = async (guards: string) => {
    writeFileSync(join(other.folder, 'guards.yaml'), guards);
    const { stdout } = await other.run(['plan', '--guards', 'guards.yaml', '--json']);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] };
    return diagnostics.filter(({ code }) => code.startsWith('guards/')).map(({ message }) => message);
  };
  const moved = 'the guards refuse to move projects/web/domains/a.example.net to another container: Ask.';
  expect(await judged(deny('at: "projects/web/**", action: delete'))).toEqual([moved]);
  expect(await judged(deny('kind: projectDomain, action: delete, grade: destructive'))).toEqual([moved]);
  expect(await judged(deny('at: "projects/docs/**", action: delete'))).toEqual([]);
  expect(await judged(deny('at: "**"'))).toEqual([
    expect.stringMatching(/refuse to move projects\/docs\/domains\/a.example.net \(until now projects\/web/),
  ]);
  expect(await judged('limits: { deletions: 0 }\n')).toEqual([
    'this plan deletes 1 object; the guards allow 0',
  ]);
});

it('names three, counts the rest, and says where the guard stands', async () => {
  const many = ['A', 'B', 'C', 'D', 'E']
    .map((name) => `, ${name}: { value: v, type: plain, target: [production] }`)
    .join('');
  site.edit(web('info', old + many));
  guard('deny:\n  - kind: projectEnvVar\n    message: Ask the platform team.\n');
  const { status, stderr } = await site.run(['plan', '--guards', 'guards.yaml']);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'the guards refuse to create projects/web/env/A@production, projects/web/env/B@production, projects/web/env/C@production and 2 more: Ask the platform team.',
  );
  expect(stderr).toMatch(/the guard: guards\.yaml:2:5\n\s+2 \| {3}- kind: projectEnvVar/);
});

it.each([
  ['deletions', web('info'), 'deletions: 0', 'guards/limit: this plan deletes 1 object; the guards allow 0'],
  ['as many deletions', web('info'), 'deletions: 1', undefined],
  ['requests', web('debug'), 'requests: 1', 'guards/limit: this plan sends 2 requests; the guards allow 1'],
  ['as many requests', web('debug'), 'requests: 2', undefined],
  [
    'cost',
    'projects: { web: { speedInsights: { enabled: true }, $allow: [cost] } }\n',
    'cost: 0',
    'guards/limit: this plan has 1 change that cost money; the guards allow 0',
  ],
  ['duration', web('debug'), 'duration: 1h', undefined],
])('limits: %s', async (_, body, limit, refused) => {
  expect(await said(body, `limits: { ${limit} }\n`)).toEqual(refused === undefined ? [] : [refused]);
});

it('a plan that is made again under the lease takes no longer than the one that was shown', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const large = await RecordedSite.open('file', { projects: names.map((name) => ({ name })) });
  large.edit(`projects: { ${names.map((name) => `${name}: { env: { A: { value: x, type: plain } } }`)} }\n`);
  const { forecast } = JSON.parse((await large.run(['plan', '--json'])).stdout);
  const guards = join(large.folder, 'guards.yaml');
  writeFileSync(guards, `limits: { duration: ${forecast.seconds}s }\n`);
  const args = ['apply', '--settle', '0', '--guards', guards];
  const { status, all } = await large.run(args, { input: 'yes\n', isTerminal: true });
  expect(status, all).toBe(0);
});

it('a freeze lets plans be made, and nothing be applied, until it is over', async () => {
  const freeze = (from: number, until: number) => {
    const time = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    return `freeze: [{ from: "${time(from)}", until: "${time(until)}", message: Holidays., at: "projects/**" }]\n`;
  };
  const body = web('debug', old);
  expect(await said(body, freeze(-2, -1))).toEqual([]);
  expect(await said(body, freeze(1, 2))).toEqual([]);
  expect(await said(body, freeze(-1, 1))).toEqual([
    expect.stringMatching(/^guards\/freeze: projects\/web\/env\/LEVEL.* is frozen until .*: Holidays\.$/),
  ]);
  const saved = await site.run(['plan', '--guards', 'guards.yaml', '--out', 'plan.json']);
  expect(saved.status, saved.all).toBe(0);
  const level = () =>
    site.twin.account.projects[0]!.env.find(({ key }: { key: string }) => key === 'LEVEL')!.value;
  for (const args of [['plan.json'], ['--auto-approve']]) {
    const ran = await guarded('apply', ...args);
    expect([ran.status, ran.stderr], ran.all).toEqual([1, expect.stringContaining('Holidays.')]);
    expect(level()).toBe('info');
  }
  guard(freeze(-2, -1));
  const done = await guarded('apply', 'plan.json', '--settle', '0');
  expect(done.status, done.all).toBe(0);
  expect(level()).toBe('debug');
  site.edit(web('info', old));
  await site.apply();
});

it('a saved plan is judged again when it is applied: by guards that there are, and as they are then', async () => {
  site.edit(web('debug', old));
  guard(none);
  const saved = await site.run(['plan', '--guards', 'guards.yaml', '--check', 'true', '--out', 'plan.json']);
  expect(saved.status, saved.all).toBe(0);
  const { guards } = JSON.parse(readFileSync(join(site.folder, 'plan.json'), 'utf8'));
  expect(guards).toEqual({
    file: 'guards.yaml',
    digest: expect.any(String),
    checks: ['true'],
    verdict: 'allowed',
  });
  const without = await site.run(['apply', 'plan.json']);
  expect([without.status, without.stderr]).toEqual([
    1,
    expect.stringContaining('plan.json was checked against guards.yaml'),
  ]);
  const unchecked = await guarded('apply', 'plan.json');
  expect([unchecked.status, unchecked.stderr]).toEqual([
    1,
    expect.stringContaining('plan.json was checked by true'),
  ]);
  guard(deny('at: "**"'));
  const refused = await guarded('apply', 'plan.json', '--check', 'true');
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('the guards refuse to update'),
  ]);
  expect(refused.stderr).not.toContain('no longer matches');
});

it('a plan with what the guards refuse is not saved, and nothing of it is applied, destroyed or taken back', async () => {
  site.edit(web('debug', old));
  guard(deny('at: "**"'));
  const saved = await site.run(['plan', '--guards', 'guards.yaml', '--out', 'refused.json']);
  expect(saved.stderr).toContain('refused.json was not written: a plan with errors cannot be approved.');
  const before = JSON.stringify(site.twin.account);
  for (const [command, ...args] of [
    ['apply', '--auto-approve'],
    ['destroy', '--confirm', 'shop'],
    ['undo', '2', '--auto-approve'],
  ] as [string, ...string[]][]) {
    // The environment says it where no flag does.
    site.env.TRUEUP_GUARDS = 'guards.yaml';
    const ran = await site.run([command, ...args]);
    delete site.env.TRUEUP_GUARDS;
    expect([command, ran.status, ran.stderr], ran.all).toEqual([
      command,
      1,
      expect.stringContaining('the guards refuse to'),
    ]);
  }
  expect(JSON.stringify(site.twin.account)).toBe(before);
});

it('text, comment and page say by what it was judged', async () => {
  site.edit(web('debug', old));
  guard(none);
  for (const format of ['text', 'markdown', 'html']) {
    const { stdout } = await site.run([
      'plan',
      '--guards',
      'guards.yaml',
      '--check',
      'true',
      '--format',
      format,
    ]);
    expect(stdout).toContain('Judged by guards.yaml and true: allowed.');
  }
});

describe('a check', () => {
  /** A program in a folder of its own. */
  const program = (name: string, script: string) => {
    const folder = temporary();
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
    return folder;
  };
  const checked = async (script: string, ...args: string[]) => {
    site.edit(web('debug', old));
    const folder = program('policy', script);
    return site.run(['plan', '--json', '--check', `${join(folder, 'policy')} one 'two three'`, ...args]);
  };

  it('gets the JSON of the plan and its words, and allows it with exit code 0', async () => {
    const out = join(temporary(), 'seen');
    const { status, stdout, all } = await checked(
      `cat > '${out}'; printf '\\n%s|%s\\n' "$1" "$2" >> '${out}'`,
    );
    expect(status, all).toBe(0);
    const [json, words] = readFileSync(out, 'utf8').split(/\n(?=one)/);
    expect(words).toBe('one|two three\n');
    // A program does not see reads, so that it is asked only once about equal plans.
    const { guards: _, reads: __, forecast: ___, ...printed } = JSON.parse(stdout);
    expect(JSON.parse(json!)).toMatchObject(printed);
  });

  it('refuses it with any other, and what it said is shown, without a secret', async () => {
    site.env.TRUEUP_SECRET_db = 'a-database-password-of-ours';
    site.edit(`secrets: { db: {} }\n${web('debug', ', DB: { value: "${secret.db}", type: encrypted }')}`);
    const folder = program('policy', 'echo "no: a-database-password-of-ours" >&2; echo so; exit 3');
    const { status, stderr, all } = await site.run(['plan', '--check', join(folder, 'policy')]);
    delete site.env.TRUEUP_SECRET_db;
    expect(status).toBe(1);
    expect(stderr).toMatch(/the check `.*policy` ended with exit code 3/);
    expect(stderr).toContain('so');
    expect(all).not.toContain('a-database-password-of-ours');
  });

  it.each([
    ['is not there', 'no-such-program', 'there is no program "no-such-program" that can be run'],
    ['has no words', ' ', 'there is no program'],
    ['is quoted wrongly', "sh -c 'x", 'there is no program'],
  ])('that %s refuses everything', async (_, words, message) => {
    site.edit(web('debug', old));
    const { status, stderr } = await site.run(['plan', '--check', words]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('is not asked where nothing changes', async () => {
    site.edit(web('info', old));
    const { status, all } = await site.run(['plan', '--check', 'false']);
    expect(status, all).toBe(0);
  });
});

describe('REF:FILE', () => {
  it('is the file as it is in that commit, from the top of the repository or from here', async () => {
    site.edit(web('info', old));
    guard(deny('at: "**"'));
    writeFileSync(join(site.checkout, 'top.yaml'), deny('at: "**"'));
    site.commit(web('info', old));
    git(site.checkout, 'branch', '--force', 'protected');
    guard(none);
    writeFileSync(join(site.checkout, 'top.yaml'), none);
    site.edit(web('debug', old));
    for (const guards of ['protected:top.yaml', 'protected:./guards.yaml']) {
      const { status, stderr } = await site.run(['plan', '--guards', guards]);
      expect([guards, status, stderr]).toEqual([
        guards,
        1,
        expect.stringContaining('the guards refuse to update'),
      ]);
      expect(stderr).toContain(`the guard: ${guards}:1:`);
    }
  });

  it.each(['nowhere:guards.yaml', 'protected:nothing.yaml', '--upload-pack=x:y', 'nothing.yaml', '.'])(
    'where %s cannot be read, nothing is planned',
    async (guards) => {
      const { status, stderr } = await site.run(['plan', `--guards=${guards}`]);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`the guards ${guards} cannot be read`)]);
    },
  );
});

it('tells all that is wrong with a file of guards at its place', async () => {
  site.edit(web('info', old));
  guard(`deny:
  - { at: 3, message: Three. }
  - { acton: delete, message: x }
  - { message: nothing in particular }
  - { kind: project }
limits: { deletions: -1, duration: soon }
freeze:
  - { from: 2026-01-01, until: 2027-01-01T00:00:00Z, message: a }
freze: []
`);
  const { status, stderr } = await site.run(['plan', '--guards', 'guards.yaml']);
  expect(status).toBe(1);
  await expect(stderr).toMatchFileSnapshot('golden/wrong.txt');
  guard(`deny: [{ message: nothing }, { kind: projekt, message: x }]
freeze: [{ from: 2027-01-01T00:00:00Z, until: 2026-01-01T00:00:00Z, message: a }]
`);
  await expect((await site.run(['plan', '--guards', 'guards.yaml'])).stderr).toMatchFileSnapshot(
    'golden/doubtful.txt',
  );
  for (const text of ['', '[]', 'deny: []\n---\ndeny: []\n', 'deny: [\n']) {
    guard(text);
    const ran = await site.run(['plan', '--guards', 'guards.yaml']);
    expect([text, ran.status, ran.stderr]).toEqual([text, 1, expect.stringContaining('guards.yaml')]);
  }
});

it('with --all each stack is judged, one saved file seals all, and one that is refused leaves the others', async () => {
  const all = await RecordedSite.open('git');
  for (const stack of ['a', 'b']) {
    mkdirSync(join(all.folder, stack));
    writeFileSync(
      join(all.folder, stack, 'trueup.yaml'),
      `stack: ${stack}\nplatform: { team: acme }\nprojects: { ${stack}: {} }\n`,
    );
  }
  writeFileSync(join(all.folder, 'trueup.workspace.yaml'), 'stacks: [a, b]\n');
  mkdirSync(join(all.folder, 'rules'));
  writeFileSync(join(all.folder, 'rules', 'guards.yaml'), deny('stack: b, at: "**"'));
  git(all.checkout, 'add', '--all');
  git(all.checkout, 'commit', '--quiet', '-m', 'All');
  const run = (...args: string[]) => all.run([...args, '--all', '--guards', 'rules/guards.yaml']);
  const planned = await run('plan', '--json');
  const parts = JSON.parse(planned.stdout).stacks.map(
    ({ plan }: { plan: { stack: string; guards: object } }) => [plan.stack, plan.guards],
  );
  expect(parts).toEqual([
    ['a', expect.objectContaining({ file: 'rules/guards.yaml', verdict: 'allowed' })],
    ['b', expect.objectContaining({ file: 'rules/guards.yaml', verdict: 'refused' })],
  ]);
  const applied = await run('apply', '--auto-approve', '--settle', '0');
  expect([applied.status, all.twin.account.projects.map(({ name }) => name)], applied.all).toEqual([
    1,
    ['a'],
  ]);
});

it('the example says all that can be said, and editors know it', async () => {
  const text = readFileSync('examples/ci/guards.yaml', 'utf8');
  const kinds = hosting.kinds.map(({ name }) => name);
  const guards = await parseGuards('guards.yaml', text, {
    kinds,
    listActions: async () => [],
    listFindings: async () => [],
  });
  expect([guards.deny.length, Object.keys(guards.limits).length, guards.freeze.length]).toEqual([3, 4, 1]);
  const { stdout } = await site.run(['schema', '--guards']);
  const isValid = new Ajv2020({ formats: { 'date-time': true } }).compile(JSON.parse(stdout));
  expect(isValid(parse(text)), JSON.stringify(isValid.errors)).toBe(true);
  for (const wrong of ['deny: [{ kind: projekt, message: x }]', 'limits: { deletion: 1 }', 'freez: []'])
    expect([wrong, isValid(parse(wrong))]).toEqual([wrong, false]);
});
