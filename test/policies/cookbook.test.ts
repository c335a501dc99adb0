import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { Shell } from '../support/cli.ts';

/*
 * The cookbook of docs/guides/policies.md: each policy is met by a plan that it refuses, and by none of the others. Guards are ours and always
 * tried; conftest and checkov where they are installed.
 */

const has = (program: string): boolean => {
  const { error, status } = spawnSync(program, ['--version'], { stdio: 'ignore' });
  return !error && status === 0;
};
const hasConftest = has('conftest');
const hasCheckov = has('checkov');
const folder = resolve('examples/policies');

// biome-ignore lint/suspicious/noExplicitAny: edits of a document reach anywhere
type Document = any;

const names = Array.from({ length: 21 }, (_, at) => `_acme-${at}`);
const before = (): Document =>
  parse(`
stack: cookbook
platform: { team: acme }
projects:
  shop-web:
    framework: nextjs
    ssoProtection: { deploymentType: all }
    env: { LOG_LEVEL: info, API_TOKEN: { value: "\${secret.token}", type: sensitive, target: [production] } }
    firewall:
      firewallEnabled: true
      rules:
        - name: admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }
secrets: { token: {} }
domains:
  shop.example:
    records: [${names.map((name) => `{ type: TXT, name: ${name}, value: x }`).join(', ')}]
  docs.example: {}
`);

const firewallOf = (document: Document) => document.projects['shop-web'].firewall;

/** Edits, with who refuses each. The name of a policy is that of its file. */
const edits: [name: string, edit: (document: Document) => void, refusedBy: Record<Engine, string[]>][] = [
  [
    'another log level',
    (all) => (all.projects['shop-web'].env.LOG_LEVEL = 'debug'),
    { guards: [], conftest: [], checkov: [] },
  ],
  [
    'a domain goes',
    (all) => {
      delete all.domains['docs.example'];
      all.removed = [{ at: 'domains/docs.example', delete: true }];
    },
    {
      guards: ['Domains go by hand'],
      conftest: ['domains/docs.example would be deleted'],
      checkov: [],
    },
  ],
  [
    'the firewall goes off',
    (all) => (firewallOf(all).firewallEnabled = false),
    {
      guards: ['Whether a firewall is on'],
      conftest: ['projects/shop-web/firewall is off'],
      checkov: ['CKV2_TRUEUP_1'],
    },
  ],
  [
    'a rule goes',
    (all) => (firewallOf(all).rules = []),
    {
      guards: ['Ask #security'],
      conftest: ['projects/shop-web/firewall/rules/admin refuses requests today'],
      checkov: [],
    },
  ],
  [
    'a project is open to everybody',
    (all) => (all.projects['shop-web'].ssoProtection = null),
    {
      guards: ['Who may see deployments'],
      conftest: ['projects/shop-web would be open to everybody'],
      checkov: [],
    },
  ],
  [
    'a password in plain',
    (all) => (all.projects['shop-web'].env.DB_PASSWORD = { value: 'hunter2-hunter2', type: 'plain' }),
    // It would need values.
    { guards: [], conftest: ['DB_PASSWORD'], checkov: ['CKV2_TRUEUP_2'] },
  ],
  [
    'a project with a name of its own',
    (all) => (all.projects.playground = {}),
    {
      // It would need a pattern for what is not meant.
      guards: [],
      conftest: ['projects/playground: the name of a new project begins with one of shop, docs, platform'],
      checkov: [],
    },
  ],
  [
    'much goes at once',
    (all) => (all.domains['shop.example'].records = []),
    {
      guards: ['this plan deletes 21 objects; the guards allow 20'],
      conftest: ['21 objects would be deleted'],
      checkov: [],
    },
  ],
];

type Engine = 'guards' | 'conftest' | 'checkov';

const shell = new Shell();
const home = mkdtempSync(join(tmpdir(), 'trueup-policies-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
/** By edit: what the guards say, and the file of the plan. */
const plans = new Map<string, { said: string; file: string }>();

beforeAll(async () => {
  await shell.withTwin();
  shell.env.TRUEUP_SECRET_token = 'canary-of-a-token';
  await shell.write({ 'trueup.yaml': stringify(before()) });
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  for (const [name, edit] of edits) {
    const document = before();
    edit(document);
    await shell.write({ 'trueup.yaml': stringify(document) });
    plans.set(name, await planned(name));
  }
});

async function planned(name: string, file = `${name.replaceAll(' ', '-')}.json`) {
  const judged = await shell.run(['plan', '--max-deletions', '100', '--guards', join(folder, 'guards.yaml')]);
  const plan = await shell.run(['plan', '--max-deletions', '100', '--format', 'terraform']);
  expect(plan.stdout, plan.stderr).toMatch(/^\{.*\}\n$/);
  expect(plan.stdout).not.toContain('canary');
  writeFileSync(join(home, file), plan.stdout);
  return { said: judged.status === 0 ? '' : judged.stderr, file: join(home, file) };
}

/** That all of these are said, and nothing where there are none. */
function expectSaid(said: string, wanted: string[]): void {
  for (const one of wanted) expect(said).toContain(one);
  if (wanted.length === 0) expect(said).toBe('');
}

describe('guards', () => {
  it.each(edits)('%s', (name, _, { guards }) => expectSaid(plans.get(name)!.said, guards));
});

const conftest = (file: string): string => {
  const { stdout, status } = spawnSync(
    'conftest',
    ['test', '--no-color', '--policy', join(folder, 'rego'), file],
    {
      encoding: 'utf8',
    },
  );
  expect([0, 1], stdout).toContain(status);
  return status === 0 ? '' : stdout;
};

describe.skipIf(!hasConftest)(`conftest${hasConftest ? '' : ' (not installed)'}`, () => {
  it.each(edits)('%s', (name, _, wanted) => expectSaid(conftest(plans.get(name)!.file), wanted.conftest));

  it('a firewall that is off and not mentioned is seen', async () => {
    const document = before();
    firewallOf(document).firewallEnabled = false;
    await shell.write({ 'trueup.yaml': stringify(document) });
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    delete firewallOf(document).firewallEnabled;
    await shell.write({ 'trueup.yaml': stringify(document) });
    expect(conftest((await planned('off')).file)).toContain('projects/shop-web/firewall is off');
  });

  it('a changed secret is a difference', () => {
    const policy = `package main
import rego.v1
deny contains "changed" if {
  some one in input.resource_changes
  one.type == "trueup_project_env_var"
  one.change.before.value != one.change.after.value
}`;
    const own = join(home, 'rego');
    execFileSync('mkdir', ['-p', own]);
    writeFileSync(join(own, 'changed.rego'), policy);
    const judge = (file: string) =>
      spawnSync('conftest', ['test', '--policy', own, file], { encoding: 'utf8' }).status;
    expect(judge(plans.get('another log level')!.file)).toBe(1);
    expect(judge(plans.get('a domain goes')!.file)).toBe(0);
  });
});

describe.skipIf(!hasCheckov)(`checkov${hasCheckov ? '' : ' (not installed)'}`, () => {
  const checks = readdirSync(join(folder, 'checkov')).map(
    (name) => /id: (\w+)/.exec(readFileSync(join(folder, 'checkov', name), 'utf8'))![1]!,
  );

  // It takes seconds to start: all plans at once.
  it('refuses what it should, and nothing else', () => {
    const files = [...plans.values()].flatMap(({ file }) => ['-f', file]);
    const { stdout } = spawnSync(
      'checkov',
      [
        ...files,
        ...['--framework', 'terraform_plan', '--external-checks-dir', join(folder, 'checkov')],
        ...['--check', checks.join(','), '-o', 'json', '--quiet'],
      ],
      { encoding: 'utf8', maxBuffer: 100_000_000 },
    );
    const report = JSON.parse(stdout) as {
      results: { failed_checks: { check_id: string; file_abs_path: string }[] };
    };
    const failed = (file: string) => [
      ...new Set(
        report.results.failed_checks
          .filter((one) => one.file_abs_path.endsWith(file))
          .map((one) => one.check_id),
      ),
    ];
    for (const [name, , { checkov }] of edits) expect(failed(plans.get(name)!.file), name).toEqual(checkov);
  });
});
