import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { bugReportSchema } from '../../src/doctor/bug-report-schema.ts';
import { describeFailure } from '../../src/doctor/command/describe-failure.ts';
import { Pseudonyms } from '../../src/snapshot/anonymous/pseudonyms.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const configuration = `stack: zanzibar
platform: { team: acme }
secrets: { db: { env: DATABASE_URL } }
projects:
  tanganyika:
    env:
      SERENGETI: kilima*njaro
      DB: { value: '\${secret.db}', type: sensitive, target: [production] }
`;

async function shellWith(text: string): Promise<Shell> {
  const shell = await new Shell().write({ 'zebra.yaml': text });
  await shell.withTwin({ team: { slug: 'acme' } });
  shell.env = { ...shell.env, DATABASE_URL: 'postgres://first-canary', TRUEUP_ALLOW_ENV: 'DATABASE_URL' };
  return shell;
}

const command = ['doctor', '-f', 'zebra.yaml', '--bug', 'bug.gz'];
const reportOf = ({ folder }: Shell) => {
  const text = gunzipSync(readFileSync(join(folder, 'bug.gz'))).toString();
  const canaries = [
    'zanzibar',
    'acme',
    'tanganyika',
    'SERENGETI',
    'kilimanjaro',
    'zebra',
    'canary',
    'DATABASE',
  ];
  for (const canary of [...canaries, folder]) expect(text.toLowerCase()).not.toContain(canary.toLowerCase());
  expect(text.split(/[^\w-]+/)).not.toContain(hostname());
  return JSON.parse(text);
};

describe('trueup doctor --bug', () => {
  it('writes the plan of the configuration with pseudonyms, which can be planned again', async () => {
    const shell = await shellWith(configuration);
    const run = await shell.run([...command, '--target', 'projects/tanganyika/**', '--auto-approve']);
    expect(run.status, run.all).toBe(0);
    expect(run.stderr).toMatch(/^ {2}plan +5 changes, 0 problems \(/m);
    expect(run.stderr).toContain('1 pattern may match other texts than yours');
    const report = reportOf(shell);
    expect(report).toMatchObject({ isSamePlan: true, trueup: 'development' });
    expect(report.command.join(' ')).toMatch(
      /^trueup plan .*--file xa\d+.yaml --target projects\/xa\d+\/\*\*/,
    );
    const again = await shell.run(['plan', '--from', 'bug.gz', '--json']);
    expect(JSON.parse(again.stdout).summary).toEqual(report.plan.summary);
  });

  it('asks before it writes, and refuses without a terminal', async () => {
    const shell = await shellWith(configuration);
    const declined = await shell.run(command, { input: 'no\n', isTerminal: true });
    expect(declined.all).toContain('Nothing was written.');
    const unattended = await shell.run(command);
    expect(unattended.stderr).toContain('--auto-approve [cli/unattended]');
    expect(existsSync(join(shell.folder, 'bug.gz'))).toBe(false);
    expect((await shell.run(['doctor', '-f', 'zebra.yaml', '--exclude', 'projects/*'])).stderr).toContain(
      '--exclude needs --bug',
    );
  });

  it.each([['--json'], ['--report', 'report.json'], ['--calibrate', 'recording.har']])(
    'refuses %s, which it would ignore',
    async (...options) => {
      const shell = await shellWith(configuration);
      const refused = await shell.run([...command, '--auto-approve', ...options]);
      expect([refused.status, refused.all]).toEqual([
        1,
        expect.stringContaining(`--bug and ${options[0]} cannot be combined`),
      ]);
      expect(existsSync(join(shell.folder, 'bug.gz'))).toBe(false);
    },
  );

  it('reports the codes if the configuration has errors', async () => {
    const shell = await shellWith(configuration.replace('env:\n', 'envs:\n'));
    const run = await shell.run([...command, '--auto-approve']);
    expect(run.status, run.all).toBe(0);
    const { failure, snapshot } = reportOf(shell);
    expect(failure.problems).toContainEqual({ severity: 'error', code: 'config/unknown-key', line: 6 });
    expect(snapshot).toBeUndefined();
    expect(run.stderr).toMatch(/^Wrote bug\.gz\.$/m);
  });

  story('has all stacks of a workspace that can be planned, and the codes of the others', async () => {
    const shell = await shellWith(configuration);
    await shell.write({
      'trueup.workspace.yaml': 'stacks: [zanzibar, { path: kilimanjaro, needs: [zanzibar] }, serengeti]\n',
      'zanzibar/trueup.yaml': configuration,
      'kilimanjaro/trueup.yaml': `stack: kilimanjaro
platform: { team: acme }
projects: { tanganyika: { $existing: true, env: { OWN: "\${projects.tanganyika.id}" } } }
`,
      'serengeti/trueup.yaml': 'stack: serengeti\nplatform: { team: acme }\nprojekts: {}\n',
    });
    const run = await shell.run(['doctor', '--all', '--bug', 'bug.gz', '--auto-approve']);
    expect(run.status, run.all).toBe(0);
    expect(run.stderr).toMatch(/^ {2}stacks +2$/m);
    expect(run.stderr).toContain('`trueup plan --from bug.gz` makes the same plans.');
    const { failure, isSamePlan, plans, snapshot } = reportOf(shell);
    expect([failure.problems, isSamePlan]).toMatchObject([[{ code: 'config/unknown-key' }], true]);
    expect(Object.keys(plans)).toEqual(Object.keys(snapshot.stacks));
    const again = JSON.parse((await shell.run(['plan', '--from', 'bug.gz', '--json'])).stdout);
    const planById = Object.fromEntries(again.stacks.map(({ id, plan }: never) => [id, plan]));
    for (const [id, { summary }] of Object.entries<{ summary: unknown }>(plans))
      expect(planById[id]).toMatchObject({ summary });
    expect((await shell.run(['doctor', '--all'])).stderr).toContain('--all needs --bug');
  });

  story('fits its JSON Schema, and can be planned again if it is about the embedded twin', async () => {
    const shell = await shellWith(configuration);
    expect((await shell.run([...command, '--twin', '--auto-approve'])).status).toBe(0);
    const { $schema: _, ...schema } = JSON.parse(JSON.stringify(bugReportSchema()));
    const validate = new Ajv({ strict: false }).compile(schema);
    expect([validate(reportOf(shell)), validate.errors]).toEqual([true, null]);
    expect((await shell.run(['plan', '--from', 'bug.gz'])).status).toBe(0);
  });

  it('keeps the places in the program of an error of the program, and no path of the machine', () => {
    const failure = describeFailure(programError(), new Pseudonyms(new Set()));
    expect(failure.error).toMatchObject({
      name: 'TypeError',
      message: "Cannot read properties of undefined (reading 'xa1')",
    });
    expect(failure.error!.stack[0]).toMatch(
      /^Pseudonyms.rename src\/snapshot\/anonymous\/pseudonyms\.\w+:\d+/,
    );
    expect(failure.error!.stack.join()).not.toContain('/home');
    expect(failure.problems).toMatchObject([{ code: 'internal' }]);
  });

  it.each([
    ['a text after `in`', () => 'id' in ('zanzibar text' as never)],
    ['an entry', () => Object.fromEntries(['zanzibar'] as never)],
  ])('hides a value that stands in the message of an error of the program: %s', (_, fail) => {
    const { error } = describeFailure(errorOf(fail), new Pseudonyms(new Set()));
    expect(error!.name).toBe('TypeError');
    expect(error!.message).toMatch(/^(Cannot|Iterator value) /);
    expect(error!.message).not.toMatch(/zanzibar|text/);
  });
});

function errorOf(fail: () => unknown): unknown {
  try {
    return fail();
  } catch (error) {
    return error;
  }
}

/** Returns an error that the program itself throws, with the path of a home folder in its stack. */
function programError(): unknown {
  try {
    return new Pseudonyms(undefined as never).rename('text');
  } catch (error) {
    (error as Error).stack += '\n    at hidden (/home/acme/app.js:1:2)';
    return error;
  }
}
