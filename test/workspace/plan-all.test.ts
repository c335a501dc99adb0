import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { startGithub } from '../support/github.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { eventsIn, files, workplace } from './workplace.ts';

const story = oneStoryIn(5);

const names = ['dns', 'shop@staging', 'shop@production', 'stacks/tools'];
const write = ({ method }: { method: string }) => method !== 'GET';

describe('plan --all', () => {
  story('plans each stack, and what a needed one creates is known after it', async () => {
    const { shell, twin } = await workplace();
    const { status, stdout, stderr } = await shell.run(['plan', '--all', '--json']);
    expect(stderr).toMatch(/^Read with \d+ requests\.\n$/);
    expect(status).toBe(0);
    const { stacks, complete } = JSON.parse(stdout);
    expect(complete).toBe(true);
    expect(stacks.map(({ id }: { id: string }) => id)).toEqual(names);
    expect(stacks[1]).toMatchObject({
      path: 'shop',
      stage: 'staging',
      stack: 'shop@staging',
      needs: ['dns'],
      awaits: [{ address: 'projects/hub', stack: 'dns' }],
      plan: { formatVersion: '1.16', summary: { create: 5 } },
    });
    expect(twin.requests.filter(write)).toEqual([]);
    const without = await shell.run(['plan', '-f', 'shop/trueup.yaml', '--stage', 'staging']);
    expect(without.status).toBe(1);
    expect(without.stderr).toContain(
      'projects/hub is declared with `$existing`, but does not exist in the account',
    );
  });

  it('hides the secret of a stack in the values that another stack finds in the account', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': 'stacks: [first.yaml, second.yaml]\n',
      'first.yaml':
        'stack: first\nplatform: { team: acme }\nprojects: { one: { buildCommand: new, installCommand: other } }\n',
      'second.yaml':
        'stack: second\nplatform: { team: acme }\nsecrets: { word: { file: word.txt } }\nprojects: { two: { env: { A: "${secret.word}" } } }\n',
      'word.txt': 'canary-word',
    });
    await shell.withTwin({
      projects: [{ name: 'one', buildCommand: 'run canary-word', installCommand: 'open' }],
    });
    const formats = ['text', 'json', 'html', 'markdown'].map((format) => ['--format', format]);
    for (const options of [
      ...formats,
      ['--rehearse', '--requests', '--verbose'],
      ['--snapshot', 'snapshot'],
    ]) {
      const ran = await shell.run(['plan', '--all', '--allow-files', 'word.txt', ...options]);
      expect(ran.all).toContain('(secret)');
      expect(ran.all).not.toContain('canary');
      expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    }
    const again = await shell.run(['plan', '--all', '--from', 'snapshot']);
    expect([again.status, again.all]).toEqual([0, expect.stringContaining('(secret) → new')]);
  });

  story('reads what stacks have in common once', async () => {
    const { shell, twin } = await workplace();
    const reads = async (...args: string[]) => {
      const before = twin.requests.length;
      await shell.run(['plan', ...args]);
      return twin.requests.slice(before).map(({ method, path, body }) => `${method} ${path} ${body}`);
    };
    const apart = [
      ...(await reads('-f', 'dns/trueup.yaml')),
      ...(await reads('-f', 'stacks/tools/trueup.yaml')),
    ];
    const together = await reads('--all');
    expect(new Set(together).size).toBe(together.length);
    expect(apart.length).toBeGreaterThan(new Set(apart).size);
  });

  story('is one text, comment, page, SARIF log and report', async () => {
    const { shell } = await workplace();
    const show = async (format: string) => (await shell.run(['plan', '--all', '--format', format])).stdout;
    const text = await show('text');
    for (const name of names) expect(text).toContain(`== ${name}`);
    expect(text).toContain('== shop@staging, after dns\nKnown after dns is applied: projects/hub\n');
    expect(text).toContain('\n4 stacks: 4 with changes.\n');
    const comment = await show('markdown');
    expect(comment.split('\n')[0]).toBe('<!-- trueup:plan:%2a -->');
    expect(comment.match(/<!--/g)).toHaveLength(1);
    for (const name of names) expect(comment).toContain(`\n\`${name}\``);
    const page = await show('html');
    expect(page.match(/<h1>/g)).toHaveLength(5);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.parse(await show('sarif')).version).toBe('2.1.0');
    expect(JSON.parse(await show('gitlab'))).toEqual({ create: 11, update: 0, delete: 0 });
    expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(2);
  });

  story('one that fails leaves out what needs it, and nothing else', async () => {
    const { shell } = await workplace({ 'dns/trueup.yaml': `${files['dns/trueup.yaml']}nonsense: 1\n` });
    const { status, stdout } = await shell.run(['plan', '--all', '--out', 'plans.json']);
    expect(status).toBe(1);
    expect(stdout).toContain('`nonsense` is not a section');
    expect(stdout).toContain('Not planned: it needs dns, which failed.');
    expect(stdout).toContain('+   projects/intranet');
    expect(stdout).toContain('4 stacks: 1 with changes, 1 failed, 2 skipped.');
  });

  story('only what changed: of what is left out nothing is awaited', async () => {
    const { shell } = await workplace();
    await shell.write({ 'stacks/tools/trueup.yaml': `${files['stacks/tools/trueup.yaml']}# more\n` });
    const { stdout } = await shell.run(['plan', '--changed-since', 'HEAD', '--json']);
    expect(JSON.parse(stdout).stacks.map(({ id }: { id: string }) => id)).toEqual(['stacks/tools']);
    const none = await shell.run(['plan', '--all', '--changed-since', 'HEAD', '--format', 'markdown']);
    expect(none.status).toBe(0);
  });

  it.each([
    [['--file', 'dns'], '--file cannot be combined with --all'],
    [['--stage', 'staging'], '--stage cannot be combined with --all'],
    [['--ledger', 'one.json'], 'one file cannot be the ledger of several stacks'],
    [['--format', 'terraform'], 'trueup plan -f STACK --format terraform'],
  ])('is not for one stack: %j', async (args, message) => {
    const { shell } = await workplace();
    const { status, stderr } = await shell.run(['plan', '--all', ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

story('with --json-stream each event of the plans names its stack', async () => {
  const { shell } = await workplace({ 'dns/trueup.yaml': 'stack: dns\nprojects: []\n' });
  const { status, stdout, stderr } = await shell.run(['plan', '--all', '--json-stream']);
  expect([status, stderr]).toEqual([1, '']);
  const of = (stack?: string) => eventsIn(stdout).filter((event) => event.stack === stack);
  const typesOf = (stack?: string) => [...new Set(of(stack).map(({ type }) => type))];
  expect(names.map((name) => typesOf(name))).toEqual([
    ['diagnostic'],
    ['log'],
    ['log'],
    ['planned_change', 'change_summary'],
  ]);
  expect(of('shop@staging')).toMatchObject([{ '@message': 'Not planned: it needs dns, which failed.' }]);
  expect(typesOf()).toEqual(['version', 'log']);
});

story('the format of Terraform has one plan: for a saved file of several it says what to do', async () => {
  const { shell } = await workplace();
  await shell.run(['plan', '--all', '--out', 'plans.json']);
  const { status, stderr } = await shell.run(['show', 'plans.json', '--format', 'terraform']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('trueup plan -f STACK --format terraform')]);
});

story('a saved file of all plans is one comment, which is kept up to date', async () => {
  const { shell } = await workplace();
  const github = await startGithub();
  shell.env = {
    ...shell.env,
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: 'token',
    GITHUB_REPOSITORY: 'acme/site',
  };
  await shell.run(['plan', '--all', '--out', 'plans.json']);
  const comment = () =>
    shell.run(['comment', 'plans.json', '--pull-request', '7', '--author', 'github-actions[bot]']);
  const first = await comment();
  expect(first.stderr).toMatch(/^Commented/);
  expect((await comment()).stderr).toMatch(/^The comment is already up to date/);
  await shell.write({
    'stacks/tools/trueup.yaml': 'stack: tools\nplatform: { team: acme }\nprojects: { other: {} }\n',
  });
  await shell.run(['plan', '--all', '--out', 'plans.json']);
  expect((await comment()).stderr).toMatch(/^Updated the comment/);
  const bodies = github.comments.get(7)!.map(({ body }) => body);
  expect(bodies).toEqual([expect.stringContaining('4 stacks: 4 with changes')]);
  for (const name of names) expect(bodies[0]).toContain(name);
  expect(bodies[0]).toContain('projects/other');
});

story('the JSON of all plans is as its schema says, whatever became of them', async () => {
  // As it is in the package.
  const schema = JSON.parse(readFileSync('dist/stacks.schema.json', 'utf8'));
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  const { shell } = await workplace();
  for (const dns of [files['dns/trueup.yaml'], 'stack: dns\nprojects: []\n']) {
    await shell.write({ 'dns/trueup.yaml': dns });
    const printed = JSON.parse((await shell.run(['plan', '--all', '--json'])).stdout);
    expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
    expect(printed.stacks).toHaveLength(4);
    expect(validate({ ...printed, more: 1 })).toBe(false);
  }
});

describe('validate --all', () => {
  story(
    'looks at all stacks, or at those that changed, and tells everything that is wrong with them',
    async () => {
      const { shell } = await workplace();
      const fine = await shell.run(['validate', '--all']);
      expect([fine.status, fine.stdout.split('\n').map((line) => line.split(':')[0])]).toEqual([
        0,
        [
          'The configuration of dns is valid',
          'The configuration of shop@staging is valid',
          'The configuration of shop@production is valid',
          'The configuration of stacks/tools is valid',
          '',
        ],
      ]);
      await shell.write({
        'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { hub: { frmework: nextjs } }\n',
        'stacks/tools/trueup.yaml': 'stack: tools\nplatform: { team: acme }\nproject: {}\n',
      });
      for (const flags of [['--all'], ['--changed-since', 'HEAD']]) {
        const wrong = await shell.run(['validate', ...flags]);
        expect(wrong.status).toBe(1);
        expect(wrong.stderr).toMatch(/dns\/trueup.yaml:3:.*stacks\/tools\/trueup.yaml:3:.*2 errors/s);
      }
      const json = JSON.parse((await shell.run(['validate', '--all', '--format', 'json'])).stdout);
      expect(json.diagnostics).toHaveLength(2);
      expect((await shell.run(['validate', '--all', '-f', 'dns'])).stderr).toContain(
        'cannot be combined with --all',
      );
    },
  );
});
