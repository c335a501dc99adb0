import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { startGithub } from '../support/github.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = (body: string) => `stack: demo\nplatform: { team: acme }\n${body}`;
const good = yaml('projects: { web: { env: { A: { value: "##[add-mask]x", type: plain } } } }\n');

/** A folder below the top of a repository, in a step of GitHub Actions. */
async function step(files: Record<string, string>, event: unknown = {}): Promise<Shell> {
  const shell = await new Shell().write({ ...files, 'event.json': JSON.stringify(event) });
  shell.env = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: join(shell.folder, '..'),
    GITHUB_EVENT_PATH: join(shell.folder, 'event.json'),
    GITHUB_STEP_SUMMARY: join(shell.folder, 'summary.md'),
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_TOKEN: 'token',
    TRUEUP_LEDGER: 'ledger.json',
    TRUEUP_LEDGER_KEY: keyText(),
  };
  return shell;
}

const pull = (head: string) => ({
  pull_request: {
    number: 7,
    head: { repo: { full_name: head } },
    base: { repo: { full_name: 'acme/site' } },
  },
});

const summaryOf = ({ folder }: Shell) => readFileSync(join(folder, 'summary.md'), 'utf8');

describe('in GitHub Actions', () => {
  test('problems are marked at their lines, by their paths in the repository', async () => {
    const shell = await step({ 'trueup.yaml': yaml('projects:\n  web:\n    framwork: nextjs\n') });
    const ran = await shell.run(['validate']);
    expect(ran.status).toBe(1);
    const folder = shell.folder.split('/').at(-1);
    expect(ran.stderr).toMatch(
      new RegExp(`^::error file=${folder}/trueup\\.yaml,line=5,endLine=5,col=5,endColumn=13,title=`, 'm'),
    );
  });

  test('a plan has the lines for readers of logs of Terraform only where they are asked for', async () => {
    const shell = await step({ 'trueup.yaml': good });
    await shell.withTwin();
    const lines = /^Terraform will perform the following actions:$/m;
    const usual = await shell.run(['plan']);
    expect([usual.status, usual.all]).toEqual([0, expect.not.stringMatching(lines)]);
    const asked = await shell.run(['plan', '--format', 'terraform-text']);
    expect([asked.status, asked.stdout]).toEqual([0, expect.stringMatching(lines)]);
  });

  test('the page of a plan names the commit of the pull request, the run and the time, with links', async () => {
    const head = 'ab12'.repeat(10);
    const event = pull('acme/site');
    const shell = await step(
      { 'trueup.yaml': good },
      { pull_request: { ...event.pull_request, head: { ...event.pull_request.head, sha: head } } },
    );
    await shell.withTwin();
    Object.assign(shell.env, { GITHUB_SERVER_URL: 'https://github.test', GITHUB_RUN_ID: '42' });
    const before = new Date().toISOString();
    const { stdout, status } = await shell.run(['plan', '--format', 'html', '--out', 'saved.json']);
    expect(status).toBe(0);
    expect(stdout).toContain(`href="https://github.test/acme/site/commit/${head}"`);
    expect(stdout).toContain(
      '<a href="https://github.test/acme/site/actions/runs/42" rel="noreferrer">GitHub Actions 42</a>',
    );
    const [, time] = /<time datetime="([^"]+)"/.exec(stdout)!;
    expect(time! >= before && time! <= new Date().toISOString()).toBe(true);
    // Who shows a saved plan is not who made it.
    const shown = await shell.run(['show', 'saved.json', '--format', 'html']);
    expect(shown.stdout).not.toContain('class="facts"');
  });

  test('a plan is in the summary of the step, and no value becomes a command', async () => {
    const shell = await step({ 'trueup.yaml': good });
    await shell.withTwin();
    writeFileSync(join(shell.folder, 'summary.md'), 'Before.\n');
    const ran = await shell.run(['plan', '--out', 'plan.json']);
    expect(ran.status).toBe(0);
    expect(ran.all).toContain('\\u0023#[add-mask]x');
    expect(ran.all).not.toContain('##[');
    const summary = summaryOf(shell);
    expect(summary).toMatch(/^Before\.\n<!-- trueup:plan:demo -->/);
    expect(summary).toContain('2 to create');
  });

  test('what an apply could not do is marked at its lines, and its outcome is in the summary of the step', async () => {
    const shell = await step({ 'trueup.yaml': good });
    const twin = await shell.withTwin();
    twin.setFaults({
      faults: [{ at: { operation: 'createProjectEnv' }, do: { type: 'status', status: 500 } }],
    });
    const ran = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect(ran.status).toBe(1);
    const folder = shell.folder.split('/').at(-1);
    expect(ran.stderr).toMatch(
      new RegExp(
        `^::error file=${folder}/trueup\\.yaml,line=3,endLine=3,col=27,endColumn=28,title=apply/failed projects/web/env/A`,
        'm',
      ),
    );
    const summary = summaryOf(shell);
    expect(summary).toContain('### trueup apply: `demo`');
    expect(summary).toContain('Apply failed: 1 done, 1 failed, 0 not tried.');
  });

  test('secrets from files are hidden by the runner before anything is said, in a stream of events too', async () => {
    const secret = 'first line of 100%\n##[group]second line';
    const shell = await step({
      'trueup.yaml': yaml(
        'secrets: { a: { file: key.pem }, b: {}, c: { json: {} } }\nprojects: { web: { env: { A: { value: "${secret.a}" }, B: { value: "${secret.b}" }, C: { value: "${secret.c[x]}" } } } }\n',
      ),
      'key.pem': secret,
    });
    await shell.withTwin();
    const TRUEUP_SECRET_c = '{"x":"a part of it","y":"the rest"}';
    shell.env = { ...shell.env, TRUEUP_SECRET_b: 'known to the runner', TRUEUP_SECRET_c };
    const allowed = ['--allow-files', 'key.pem'];
    const lines = ['first line of 100%25', '##[group]second line', 'a part of it'];
    const masked = lines.map((line) => `::add-mask::${line}\n`).join('');
    const plan = await shell.run(['plan', '--json', ...allowed]);
    expect(plan.status).toBe(0);
    expect(plan.stderr.startsWith(masked)).toBe(true);
    expect(JSON.parse(plan.stdout).complete).toBe(true);
    const ran = await shell.run([
      'apply',
      '--auto-approve',
      '--settle',
      '0',
      '--json-stream',
      '--verbose',
      ...allowed,
    ]);
    expect([ran.status, ran.stderr]).toEqual([0, masked]);
    for (const line of ran.stdout.trimEnd().split('\n'))
      expect(JSON.parse(line)['@message']).toBeTypeOf('string');
    for (const text of [ran.stdout, plan.stdout, plan.stderr.slice(masked.length)])
      expect(text).not.toMatch(/first line|second line|known to the runner|a part of it|add-mask/);
    shell.env = { ...shell.env, GITHUB_ACTIONS: '' };
    expect((await shell.run(['plan', ...allowed])).all).not.toContain('first line');
  });

  test('from a fork it is said in a line what can be done without a token', async () => {
    const shell = await step({ 'trueup.yaml': good }, pull('eve/site'));
    const ran = await shell.run(['plan']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^Error: .*fork.*validated but not planned \[auth\/fork\]$/m);
    expect(ran.stderr).toContain('`trueup validate`');
    expect(summaryOf(shell)).toContain('**This could not be planned: 1 error.**');
  });

  test('a fork is validated, and it is said why it is not planned; so is Dependabot', async () => {
    const fork = /^This pull request comes from a fork, so there is no token: validated, not planned\.$/m;
    const shell = await step({ 'trueup.yaml': good }, pull('eve/site'));
    const ran = await shell.run(['validate']);
    expect(ran).toMatchObject({ status: 0, stdout: 'The configuration is valid: 2 objects in 1 file.\n' });
    expect(ran.stderr).toMatch(fork);
    expect(ran.stderr).toMatch(/^::notice title=trueup::This pull request comes from a fork, /m);
    expect(summaryOf(shell)).toMatch(fork);
    await shell.write({ 'trueup.yaml': yaml('projects: { web: { framwork: x } }\n') });
    const broken = await shell.run(['validate', '--format', 'json']);
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringMatching(fork) });
    expect(JSON.parse(broken.stdout).valid).toBe(false);

    const dependabot = { ...pull('acme/site'), sender: { login: 'dependabot[bot]' } };
    await shell.write({ 'trueup.yaml': good, 'event.json': JSON.stringify(dependabot) });
    expect((await shell.run(['validate'])).stderr).toMatch(/^This pull request is from Dependabot, /m);
    expect((await shell.run(['plan'])).stderr).toMatch(
      /^Error: .*from Dependabot.* not planned \[auth\/fork\]$/m,
    );
    // From people who get secrets, a step may do without them.
    await shell.write({ 'event.json': JSON.stringify(pull('acme/site')) });
    expect((await shell.run(['validate'])).stderr).toBe('');
  });

  story('why there is no plan stands where the plan would, under the name of its stack', async () => {
    const github = await startGithub();
    const broken = yaml('projects:\n  web:\n    framwork: nextjs\n    nodeVersoin: 22.x\n');
    const shell = await step({ 'trueup.yaml': good }, pull('acme/site'));
    await shell.withTwin();
    const token = 'canary-token-of-the-account';
    shell.env = { ...shell.env, GITHUB_API_URL: github.url };
    const planned = async (more: Record<string, string> = {}, out = 'plan.json') => {
      const { env } = shell;
      shell.env = { ...env, ...more };
      const ran = await shell.run(['plan', '--format', 'markdown', '--out', out]);
      shell.env = env;
      await shell.write({ 'plan.md': ran.stdout });
      return ran;
    };
    await planned();
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^Commented/);
    rmSync(join(shell.folder, 'summary.md'));

    await shell.write({ 'trueup.yaml': broken });
    const ran = await planned();
    expect(ran).toMatchObject({ status: 1, stdout: expect.stringMatching(/^<!-- trueup:plan:demo -->\n/) });
    expect(ran.stdout).toContain('**This could not be planned: 2 errors.**');
    expect(ran.stdout).toMatch(/at [\w-]+\/trueup\.yaml:5:5/);
    expect(summaryOf(shell)).toBe(`${ran.stdout}\n`);
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^Updated the comment/);
    expect(github.comments.get(7)).toEqual([
      expect.objectContaining({ body: expect.stringContaining('could not be planned') }),
    ]);

    // Nobody answers, or nobody may ask: the configuration was read by then.
    await shell.write({ 'trueup.yaml': good });
    for (const more of [
      { TRUEUP_TOKEN: '' } as Record<string, string>,
      { TRUEUP_BASE_URL: 'http://127.0.0.1:1', TRUEUP_TOKEN: token },
    ]) {
      const { stdout } = await planned(more);
      expect(stdout).toMatch(/^<!-- trueup:plan:demo -->\n[\s\S]*planned: 1 error\./);
    }
    // A file that cannot be written: of that only, not of a plan and then of that.
    const unwritten = await planned({}, 'trueup.yaml/plan.json');
    expect(unwritten.stdout.match(/^### /gm)).toHaveLength(1);
    expect(unwritten.stdout).toContain('cannot be written to trueup.yaml');

    // Of a file that is no YAML the line with the name is enough.
    await shell.write({ 'trueup.yaml': `${good}domains: [\n` });
    expect((await planned()).stdout).toMatch(/^<!-- trueup:plan:demo -->\n/);
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^Updated the comment/);

    // Without a name, and without a file: no plan of an earlier push goes on standing there.
    await shell.write({ 'trueup.yaml': 'stack: [demo\n' });
    const nameless = await planned();
    expect(nameless.stdout).toMatch(/^### trueup plan\n\n\*\*This could not be planned: 1 error\.\*\*/);
    github.say(7, 'ada', '<!-- trueup:plan:demo -->\nquoted');
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^Updated the comment: https:/);
    const bodies = () => github.comments.get(7)!.map(({ body }) => body);
    expect(bodies()).toEqual([
      `<!-- trueup:plan:demo -->\n${nameless.stdout.trimEnd()}`,
      expect.stringMatching(/quoted/),
    ]);
    rmSync(join(shell.folder, 'trueup.yaml'));
    await planned();
    await shell.run(['comment', 'plan.md']);
    expect(bodies()[0]).toContain('there is no trueup.yaml');
    // Where there is none to be found, it is said.
    github.comments.delete(7);
    const comment = await shell.run(['comment', 'plan.md']);
    expect(comment).toMatchObject({ status: 1, stderr: expect.stringMatching(/-> fix those errors first/) });
    expect(summaryOf(shell)).not.toContain(token);
  });

  test('an approved plan that is refused is in the summary of the step, one that is only shown is not', async () => {
    const shell = await step({ 'trueup.yaml': good });
    await shell.withTwin();
    await shell.run(['plan', '--out', 'plan.json']);
    rmSync(join(shell.folder, 'summary.md'));
    expect((await shell.run(['show', 'plan.json'])).status).toBe(0);
    expect(existsSync(join(shell.folder, 'summary.md'))).toBe(false);
    await shell.write({ 'trueup.yaml': good.replace('web:', 'web: { framework: nextjs }, docs:') });
    expect((await shell.run(['apply', 'plan.json'])).status).toBe(1);
    expect(summaryOf(shell)).toContain('### trueup apply: `demo`\n\n**This could not be applied: ');
    expect(summaryOf(shell)).toContain('no longer matches what would be applied');
  });

  test('the comment says of which commit and run it is, as far as there is room', async () => {
    const github = await startGithub();
    const event = pull('acme/site');
    const shell = await step({ 'trueup.yaml': good }, event);
    await shell.withTwin();
    shell.env = {
      ...shell.env,
      GITHUB_API_URL: github.url,
      GITHUB_SERVER_URL: 'https://github.test',
      GITHUB_RUN_ID: '34',
      GITHUB_SHA: 'a'.repeat(40),
    };
    await shell.run(['plan', '--out', 'plan.json']);
    const comment = async (file: string) => (await shell.run(['comment', file])).stderr;
    const last = () => github.comments.get(7)![0]!.body.split('\n').at(-1);
    expect(await comment('plan.json')).toMatch(/^Commented/);
    expect(last()).toBe('Plan of `aaaaaaa`, [run](https://github.test/acme/site/actions/runs/34)');
    // The commit that was pushed, where GitHub says it: the one of the run is its merge.
    Object.assign(event.pull_request.head, { sha: 'b'.repeat(40) });
    await shell.write({ 'event.json': JSON.stringify(event) });
    expect(await comment('plan.json')).toMatch(/^The comment is already up to date/);
    const marker = '<!-- trueup:plan:demo -->';
    await shell.write({ 'plan.md': `${marker}\n\nnews` });
    expect(await comment('plan.md')).toMatch(/^Updated the comment/);
    expect(last()).toContain('Plan of `bbbbbbb`');
    await shell.write({ 'plan.md': `${marker}\n${'x'.repeat(65_536 - marker.length - 1)}` });
    expect(await comment('plan.md')).toMatch(/^Updated the comment/);
    expect(last()).toMatch(/^x+$/);
  });

  test('a saved plan is commented as it was printed; without a pull request, or a report, it is said what is missing', async () => {
    const github = await startGithub();
    const shell = await step({ 'trueup.yaml': good, 'empty.md': '' }, pull('acme/site'));
    await shell.withTwin();
    shell.env = { ...shell.env, GITHUB_API_URL: github.url };
    const { stdout } = await shell.run(['plan', '--format', 'markdown', '--out', 'plan.json']);
    const ran = await shell.run(['comment', 'plan.json']);
    expect(ran).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Commented: https:/) });
    const body = github.comments.get(7)![0]!.body;
    // In a file there are no commands.
    // A file does not say what it took to read the account.
    const printed = stdout.trimEnd().replace(/ Read with \d+ requests\./, '');
    expect(body.replace('##[', '\\u0023#[')).toBe(printed);
    await shell.write({ 'plan.md': body });
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^The comment is already up to date/);
    const empty = await shell.run(['comment', 'empty.md']);
    expect(empty).toMatchObject({ status: 1, stderr: expect.stringContaining('empty') });
    shell.env = { ...shell.env, GITHUB_EVENT_PATH: '', GITHUB_TOKEN: '' };
    const lost = await shell.run(['comment', 'plan.json']);
    expect(lost.stderr).toMatch(/GITHUB_TOKEN is not set/);
    expect(lost.stderr).toMatch(/--pull-request N/);
  });
});

test('the exit code for drift: what the configuration changed is none, what was changed outside is', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yaml('projects: { web: { framework: nextjs } }\n'),
  });
  const twin = await shell.withTwin();
  expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(0);
  await shell.run(['apply', '--auto-approve', '--settle', '0']);
  await shell.write({ 'trueup.yaml': yaml('projects: { web: { framework: nextjs, nodeVersion: 22.x } }\n') });
  expect(await shell.run(['plan', '--drift-exitcode'])).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Ledger: .*\nNothing was changed outside since the last apply\.\n$/),
  });
  expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(2);
  twin.account.projects[0]!.framework = 'astro';
  expect(await shell.run(['plan', '--drift-exitcode'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Ledger: .*\n1 object was changed outside since the last apply\.\n$/),
  });
});
