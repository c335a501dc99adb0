import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

/* `trueup run`: what it asks, what it refuses, and what it says; one account for all. */

const stack = (name: string, body: string) => `stack: ${name}\nplatform: { team: acme }\n${body}`;
const seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [
    {
      name: 'web',
      deployments: [
        { id: 'dpl_new', target: 'production' },
        { id: 'dpl_live', target: 'production' },
      ],
    },
    { name: 'other', deployments: [{ id: 'dpl_other', target: 'production' }] },
    { name: 'kept' },
  ],
};

let shell: Shell;
let twin: Twin;
beforeAll(async () => {
  shell = await new Shell().write({
    'trueup.yaml': stack('demo', 'projects:\n  web: {}\n  kept: { $protect: true }\nsecrets: { code: {} }\n'),
    'other.yaml': stack('growth', 'projects: { other: {} }\n'),
    'third.yaml': stack('third', 'projects: { other: {} }\n'),
    '.gitignore': '*.secret\n',
    'guards.yaml': 'deny: [{ at: "projects/web", grade: disruptive, message: Ask ada. }]\n',
    'freeze.yaml':
      'freeze: [{ from: 2020-01-01T00:00:00Z, until: 2099-01-01T00:00:00Z, message: Nothing moves. }]\n',
  });
  twin = await shell.withTwin(seed);
  for (const file of ['trueup.yaml', 'other.yaml'])
    expect((await shell.run(['apply', '-f', file, '--auto-approve'])).status).toBe(0);
  shell.env = { ...shell.env, TRUEUP_SECRET_code: 'a-code-of-another-team' };
});
beforeEach(() => twin.setFaults({ faults: [] }));

const writes = () => twin.requests.filter(({ method }) => method !== 'GET');
/** Runs an action; what it sent, and all that it said. */
async function ran(...args: string[]) {
  const before = writes().length;
  const { status, stderr, stdout, all } = await shell.run(['run', ...args]);
  return {
    status,
    stderr,
    stdout,
    all,
    sent: writes()
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split('?')[0]}`),
  };
}

const refused = async (...args: string[]) => {
  const done = await ran(...args);
  expect(done.status, done.all).toBe(1);
  expect(done.sent).toEqual([]);
  return done.stderr;
};

story('a name, an input or an address that is not there is told, with what was probably meant', async () => {
  expect(await refused('redeplyo')).toMatch(/there is no action `redeplyo`[\s\S]*did you mean `redeploy`\?/);
  expect(await refused('redeploy', 'web', '--input', 'traget=production')).toMatch(
    /redeploy takes no `traget`[\s\S]*did you mean `target`\?/,
  );
  expect(await refused('promote', 'web')).toMatch(
    /promote needs `deployment`[\s\S]*--input deployment=VALUE/,
  );
  expect(await refused('promote', '--input', 'deployment=dpl_new')).toMatch(
    /promote acts on a project, but none is given[\s\S]*trueup run promote projects\/NAME/,
  );
  expect(await refused('promote', 'wbe', '--input', 'deployment=dpl_new')).toMatch(
    /projects\/wbe does not exist in the account[\s\S]*did you mean projects\/web\?/,
  );
  expect(await refused('pause', 'projects/web/env/A@production')).toContain(
    'projects/web/env/A@production does not exist',
  );
  expect(await refused('verify', 'projects/web')).toMatch(
    /projects\/web is a project, but a projectDomain is needed here[\s\S]*projects\/NAME\/domains\/NAME/,
  );
});

test('an input is a text or has members, not both', async () => {
  expect(await refused('buyCredits', '--input', 'item=credits', '--input', 'item.amount=5')).toContain(
    '--input item.amount: `item` is set to another value',
  );
});

test('a value of another type is told', async () => {
  expect(
    await refused(
      'approveStage',
      'web',
      '--input',
      'canaryDeploymentId=dpl_1',
      '--input',
      'nextStageIndex=two',
    ),
  ).toMatch(/--input nextStageIndex: this must be a .*number/);
  expect(await refused('invalidateByTags', 'web', '--input', 'tags=a', '--input', 'target=stage')).toMatch(
    /--input target: this value is not allowed here[\s\S]*allowed values: `production`, `preview`/,
  );
  expect(
    await refused('invalidateByTags', 'web', '--input', 'tags=a', '--secret-input', 'target=code'),
  ).toContain('--secret-input target: this value is not allowed here');
  expect(await refused('promote', 'web', '--input', 'deployment=a', '--input', 'deployment=b')).toContain(
    '--input deployment is set twice',
  );
});

test('a list is given by several words, and arrives as one', async () => {
  const done = await ran(
    'invalidateByTags',
    'web',
    '--input',
    'tags=a',
    '--input',
    'tags=b',
    '--auto-approve',
  );
  expect(done.status, done.all).toBe(0);
  expect(done.sent).toEqual(['POST /v1/edge-cache/invalidate-by-tags']);
  expect(done.stderr).toContain('"tags": ["a", "b"]');
});

test('without a terminal and without --auto-approve nothing is sent', async () => {
  expect(await refused('promote', 'web', '--input', 'deployment=dpl_new')).toMatch(
    /=> POST \/v10\/projects\/prj_\w+\/promote\/dpl_new[\s\S]*needs a terminal or --auto-approve/,
  );
});

test('what costs money or cannot be undone takes its address once more, for --auto-approve too', async () => {
  const uninstall = ['uninstallIntegration', '--input', 'id=icfg_1'];
  expect(await refused(...uninstall, '--auto-approve')).toMatch(
    /--auto-approve is not enough[\s\S]*--confirm uninstallIntegration/,
  );
  expect(await refused(...uninstall, '--confirm', 'uninstall')).toContain(
    '--confirm says "uninstall", but this acts on uninstallIntegration',
  );
  expect((await ran(...uninstall, '--confirm', 'uninstallIntegration')).sent).toEqual([
    'DELETE /v1/integrations/configuration/icfg_1',
  ]);
  const transfer = await shell.run(['run', 'transferProject', 'web', '--secret-to', 'discard'], {
    input: 'projects/other\n',
    isTerminal: true,
  });
  expect([transfer.status, transfer.stderr.includes('Nothing was sent.')]).toEqual([1, true]);
});

test('what another stack owns is refused without --other-stack', async () => {
  expect(await refused('redeploy', 'other', '--auto-approve')).toMatch(
    /projects\/other belongs to the stack growth[\s\S]*--other-stack/,
  );
  // To declare it is not to have it.
  expect(await refused('redeploy', 'other', '--auto-approve', '-f', 'third.yaml')).toContain(
    'belongs to the stack growth',
  );
  expect((await ran('redeploy', 'other', '--auto-approve', '--other-stack')).sent).toEqual([
    'POST /v13/deployments',
  ]);
  expect((await ran('redeploy', 'other', '--auto-approve', '-f', 'other.yaml')).sent).toEqual([
    'POST /v13/deployments',
  ]);
});

test('what is protected is not destroyed', async () => {
  expect(
    await refused('transferProject', 'kept', '--confirm', 'projects/kept', '--secret-to', 'discard'),
  ).toMatch(/projects\/kept is protected, and transferProject is irreversible/);
  expect((await ran('pause', 'kept', '--auto-approve')).status).toBe(0);
});

test('guards judge an action as an update of what it is about; while a freeze lasts nothing is sent', async () => {
  const promote = ['promote', 'web', '--input', 'deployment=dpl_new', '--auto-approve'];
  expect(await refused(...promote, '--guards', 'guards.yaml')).toContain(
    'the guards refuse to run promote on projects/web: Ask ada.',
  );
  expect(await refused(...promote, '--guards', 'freeze.yaml')).toContain('Nothing moves.');
  expect(await refused(...promote, '--guards', 'guards.yaml', '--team', 'acme')).toContain('Ask ada.');
  expect(
    (await ran('invalidateByTags', 'web', '--input', 'tags=a', '--auto-approve', '--guards', 'guards.yaml'))
      .status,
  ).toBe(0);
});

test('a guard names actions: only those are refused, and a name that there is not is told', async () => {
  const promote = ['promote', 'web', '--input', 'deployment=dpl_new', '--auto-approve'];
  await shell.write({
    'run.yaml': 'deny: [{ run: [promote, "*Rollout"], message: Ask ada. }]\n',
    'typo.yaml': 'deny: [{ run: promot, message: Ask ada. }]\n',
    'account.yaml': 'deny: [{ run: createApiKey, at: "**", message: Ask ada. }]\n',
  });
  expect(await refused(...promote, '--guards', 'run.yaml')).toContain(
    'to run promote on projects/web: Ask ada.',
  );
  expect(
    await refused(
      ...['startRollout', 'web', '--input', 'canaryDeploymentId=dpl_new', '--auto-approve'],
      ...['--guards', 'run.yaml'],
    ),
  ).toContain('to run startRollout on projects/web: Ask ada.');
  expect((await ran('pause', 'web', '--auto-approve', '--guards', 'run.yaml')).status).toBe(0);
  // What a configuration declares is no action.
  await shell.write({ 'made.yaml': stack('made', 'projects: { made: {} }\n') });
  const plan = await shell.run(['plan', '-f', 'made.yaml', '--guards', 'run.yaml']);
  expect(plan.status, plan.all).toBe(0);
  expect(await refused(...promote, '--guards', 'typo.yaml')).toMatch(
    /there is no action `promot`[\s\S]*did you mean `promote`/,
  );
  const key = ['createApiKey', '--input', 'purpose=ai-gateway', '--auto-approve', '--secret-to', 'discard'];
  expect(await refused(...key, '--guards', 'account.yaml')).toContain(
    'the guards refuse to run createApiKey: Ask ada.',
  );
});

test('a secret can go to a program, which the operator has to allow; what the program refuses is told', async () => {
  const made = ['createApiKey', '--input', 'purpose=ai-gateway', '--auto-approve'];
  const keep = 'sh -c "cat > kept.txt"';
  expect(await refused(...made, '--secret-to-command', keep)).toContain('--allow-command');
  const done = await ran(...made, '--secret-to-command', keep, '--allow-command', keep);
  expect([done.status, done.sent], done.all).toEqual([0, ['POST /api-keys']]);
  const key = readFileSync(join(shell.folder, 'kept.txt'), 'utf8').trim();
  expect(key).toMatch(/^vck_/);
  expect(done.all).not.toContain(key);
  const fails = 'sh -c "exit 3"';
  const failed = await ran(...made, '--secret-to-command', fails, '--allow-command', fails);
  // It was made, and what was shown once is gone: nobody may take that for a refusal.
  expect([failed.status, failed.sent.length], failed.all).toEqual([1, 1]);
  expect(failed.stderr).toContain('could not be delivered');
  expect(failed.all).not.toContain('vck_');
  expect((await shell.run(['log'])).stdout.split('\n')[0]).not.toContain('failed');
  expect(await refused(...made, '--secret-to-command', '"')).toContain('--secret-to-command needs a program');
});

story('with stages an action is run in one of them, under its ledger and its record', async () => {
  const staged = `stack: staged
platform: { team: acme }
stages: { preview: {}, production: {} }
projects: { "staged-\${stage}": {} }
`;
  await shell.write({ 'staged.yaml': staged });
  const of = (stage: string) => ['-f', 'staged.yaml', '--stage', stage];
  for (const stage of ['preview', 'production']) {
    const applied = await shell.run(['apply', ...of(stage), '--auto-approve']);
    expect(applied.status, applied.all).toBe(0);
  }
  const pause = (name: string, stage: string) => ran('pause', name, '--auto-approve', ...of(stage));
  expect((await pause('staged-preview', 'preview')).status).toBe(0);
  const log = async (stage: string) => (await shell.run(['log', ...of(stage)])).stdout.split('\n')[0];
  expect(await log('preview')).toContain('run pause');
  expect(await log('production')).not.toContain('run pause');
  // Each stage is a stack of its own.
  expect(await refused('pause', 'staged-preview', '--auto-approve', ...of('production'))).toContain(
    'belongs to the stack staged@preview',
  );
  expect(await refused('pause', 'staged-preview', '--auto-approve', '-f', 'staged.yaml')).toContain(
    '--stage',
  );
});

test('with --other-stack what the other stack protects is not destroyed, either', async () => {
  const transfer = ['transferProject', 'kept', '--confirm', 'projects/kept', '--secret-to', 'discard'];
  expect(await refused(...transfer, '-f', 'other.yaml')).toContain('belongs to the stack demo');
  expect(await refused(...transfer, '-f', 'other.yaml', '--other-stack')).toMatch(
    /projects\/kept is protected by the stack demo, and transferProject is irreversible/,
  );
  expect((await ran('pause', 'kept', '-f', 'other.yaml', '--other-stack', '--auto-approve')).status).toBe(0);
});

story('a refusal of the platform says what to do: 402, 403, 404, 409 and 410, each sent once', async () => {
  const hints = {
    402: 'trueup does not retry it',
    403: 'the token lacks permission',
    404: 'check the address and the input',
    409: 'it is not possible in the current state',
    410: 'its target no longer exists',
  };
  for (const [status, hint] of Object.entries(hints)) {
    twin.setFaults({
      faults: [
        { at: { operation: 'requestPromote' }, do: { type: 'status', status: Number(status) as 402 } },
      ],
    });
    const done = await ran('promote', 'web', '--input', 'deployment=dpl_new', '--auto-approve');
    expect([status, done.status, done.sent.length]).toEqual([status, 1, 1]);
    expect(done.stderr).toContain('promote was refused');
    expect(done.stderr).toContain(hint);
    expect((await shell.run(['log'])).stdout.split('\n')[0]).toContain('run promote  failed');
  }
});

test('a redeploy whose answer was lost is found by its mark, and never sent twice', async () => {
  twin.setFaults({
    faults: [{ at: { operation: 'createDeployment' }, do: { type: 'connectionReset', when: 'after' } }],
  });
  const done = await ran('redeploy', 'web', '--auto-approve', '--wait', '--json');
  expect([done.status, done.sent], done.all).toEqual([0, ['POST /v13/deployments']]);
  expect(done.stderr).toContain('It went through.');
  expect(JSON.parse(done.stdout).result.id).toMatch(/^dpl_/);
});

test('a redeploy that would be another one by the time of the answer is not sent', async () => {
  twin.setFaults({
    faults: [
      {
        // The first read of the project is before the question, the second after it.
        at: { operation: 'getProject', nth: 2 },
        do: {
          type: 'foreignChange',
          change: ({ projects }) => {
            projects.find(({ name }) => name === 'web')!.serving = { production: { id: 'dpl_new' } };
          },
        },
      },
    ],
  });
  const before = writes().length;
  const { status, stderr } = await shell.run(['run', 'redeploy', 'web'], {
    input: 'yes\n',
    isTerminal: true,
  });
  expect([status, writes().length - before], stderr).toEqual([1, 0]);
  expect(stderr).toContain('the request for redeploy changed after it was shown; nothing was sent');
  twin.account.projects[0]!.serving = {};
});

story('what became of an action that cannot be found again is said not to be known', async () => {
  twin.setFaults({
    faults: [{ at: { operation: 'requestPromote' }, do: { type: 'connectionReset', when: 'after' } }],
  });
  const done = await ran('promote', 'web', '--input', 'deployment=dpl_new', '--auto-approve');
  expect([done.status, done.sent.length]).toEqual([1, 1]);
  expect(done.stderr).toMatch(/the outcome of promote is unknown[\s\S]*it is safe to repeat/);
  expect((await shell.run(['log'])).stdout.split('\n')[0]).toContain('has no recorded outcome');
});

test('a secret that is shown once goes where --secret-to says, and is never printed', async () => {
  expect(await refused('oidcToken', 'web', '--auto-approve')).toMatch(
    /returns a secret that is shown only once[\s\S]*--secret-to FILE/,
  );
  expect(await refused('oidcToken', 'web', '--auto-approve', '--secret-to', 'trueup.yaml')).toContain(
    'could not be delivered',
  );
  expect(await refused('pause', 'web', '--auto-approve', '--secret-to', 'a.secret')).toContain(
    'pause returns no secret',
  );
  const made = ['createApiKey', '--input', 'purpose=ai-gateway', '--auto-approve', '--json'];
  const done = await ran(...made, '--secret-to', 'api.secret');
  expect(done.status, done.all).toBe(0);
  const file = join(shell.folder, 'api.secret');
  const key = readFileSync(file, 'utf8').trim();
  expect(key).toMatch(/^vck_/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(done.all).not.toContain(key);
  const { partialKey, ownerId } = twin.account.apiKeys.at(-1)!;
  expect(ownerId).toBe('team_1');
  expect(JSON.parse(done.stdout)).toMatchObject({ action: 'createApiKey', result: { partialKey } });
  // It is not known what the file holds by now.
  expect(await refused(...made, '--secret-to', 'api.secret')).toContain('api.secret already exists');
});

test('an input that is a secret of the configuration is sent, and never printed', async () => {
  const done = await ran('acceptProject', '--secret-input', 'code=code', '--confirm', 'acceptProject');
  expect([done.status, done.sent], done.all).toEqual([
    0,
    ['PUT /projects/transfer-request/a-code-of-another-team'],
  ]);
  expect(done.all).not.toContain('a-code-of-another-team');
});

test('without a configuration it goes by name, records nothing, and says so', async () => {
  const before = (await shell.run(['log'])).stdout;
  const done = await ran('pause', 'projects/other', '--team', 'acme', '--auto-approve');
  expect([done.status, done.sent.length]).toEqual([0, 1]);
  expect(done.stderr).toContain(
    'Running without a configuration: nothing is recorded, and ownership is not checked.',
  );
  expect((await shell.run(['log'])).stdout).toBe(before);
  const bare = new Shell();
  bare.env = shell.env;
  expect((await bare.run(['run', 'pause', 'other'])).stderr).toContain('pass --team SLUG');
  expect((await bare.run(['run', 'pause', 'other', '--team', 'acme', '--auto-approve'])).status).toBe(0);
  expect(existsSync(join(bare.folder, '.trueup'))).toBe(false);
});

test('after actions the configuration is still applied: a plan has nothing to do, and undo takes back the apply', async () => {
  const plan = await shell.run(['plan', '--detailed-exitcode']);
  expect(plan.status, plan.all).toBe(0);
});
