import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { startGithub } from '../support/github.ts';

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
    TRUEUP_LEDGER_KEY: 'long-enough-for-a-key',
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

describe('in GitHub Actions', () => {
  test('problems are marked at their lines, by their paths in the repository', async () => {
    const shell = await step({ 'trueup.yaml': yaml('projects:\n  web:\n    framwork: nextjs\n') });
    const ran = await shell.run(['validate']);
    expect(ran.status).toBe(1);
    const folder = shell.folder.split('/').at(-1);
    expect(ran.stderr).toMatch(new RegExp(`^::error file=${folder}/trueup\\.yaml,line=5,col=5,title=`, 'm'));
  });

  test('a plan is in the summary of the step, and no value becomes a command', async () => {
    const shell = await step({ 'trueup.yaml': good });
    await shell.withTwin();
    writeFileSync(join(shell.folder, 'summary.md'), 'Before.\n');
    const ran = await shell.run(['plan', '--out', 'plan.json']);
    expect(ran.status).toBe(0);
    expect(ran.all).toContain('\\u0023#[add-mask]x');
    expect(ran.all).not.toContain('##[');
    const summary = readFileSync(join(shell.folder, 'summary.md'), 'utf8');
    expect(summary).toMatch(/^Before\.\n<!-- trueup:plan:demo -->/);
    expect(summary).toContain('4 to create');
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
        `^::error file=${folder}/trueup\\.yaml,line=3,col=\\d+,title=apply/failed projects/web/env/A`,
        'm',
      ),
    );
    const summary = readFileSync(join(shell.folder, 'summary.md'), 'utf8');
    expect(summary).toContain('### trueup apply: `demo`');
    expect(summary).toContain('Apply failed: 1 done, 3 failed, 0 not tried.');
  });

  test('from a fork it is said in a line what can be done without a token', async () => {
    const shell = await step({ 'trueup.yaml': good }, pull('eve/site'));
    const ran = await shell.run(['plan']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^Error: .*fork.*validated, but not planned$/m);
    expect(ran.stderr).toContain('`trueup validate`');
    expect(existsSync(join(shell.folder, 'summary.md'))).toBe(false);
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
    expect(body.replace('##[', '\\u0023#[')).toBe(stdout.trimEnd());
    await shell.write({ 'plan.md': body });
    expect((await shell.run(['comment', 'plan.md'])).stderr).toMatch(/^The comment says so already/);
    const empty = await shell.run(['comment', 'empty.md']);
    expect(empty).toMatchObject({ status: 1, stderr: expect.stringContaining('empty') });
    shell.env = { ...shell.env, GITHUB_EVENT_PATH: '', GITHUB_TOKEN: '' };
    const lost = await shell.run(['comment', 'plan.json']);
    expect(lost.stderr).toMatch(/no GITHUB_TOKEN/);
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
  expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(0);
  expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(2);
  twin.account.projects[0]!.framework = 'astro';
  expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(2);
});
