import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from 'vitest';
import { initRepository } from '../support/init-repository.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { ThenStand, web } from './then-stand.ts';

const story = oneStoryIn(6);

/* `$then`: what follows the changes of a run, what is owed, and what is refused. */

const stand = new ThenStand();
beforeEach(() => stand.begin());
const apply = (...args: string[]) => stand.apply(...args);
const plan = (...args: string[]) => stand.plan(...args);
const made = () => stand.made();

/** Applied once, with the deployment of before the change forgotten. */
const settled = async () => {
  expect((await apply()).status).toBe(0);
  stand.twin.requests.length = 0;
};

story(
  'a change that is asked for is followed by the action, once, with what serves visitors then',
  async () => {
    await stand.write(web('one', ', SECOND: two'));
    const shown = await plan('--requests');
    expect(shown.stdout).toContain('Triggers: 1 build.');
    expect(shown.stdout).toContain('redeploy projects/web (target: production)');
    expect(shown.stdout).toContain('after 2 changes in projects/web/env');
    expect(shown.stdout).toContain('"deploymentId": "dpl_live"');
    expect(shown.stdout).toMatch(/then 1 build\. 3 requests\.\n$/);
    const done = await apply();
    expect(done.status).toBe(0);
    expect(done.stdout).toContain('sent redeploy projects/web (target: production)');
    expect(made()).toEqual(['dpl_live']);
    expect(await plan()).toMatchObject({ status: 0 });
    expect((await stand.shell.run(['log'])).stdout).toContain('1 action sent');
  },
);

story('what nothing asks for is not sent: another field, and what a run only takes back', async () => {
  await settled();
  await stand.write(web('one').replace('nextjs', 'nextjs\n    nodeVersion: 22.x'));
  expect((await apply()).status).toBe(0);
  await stand.shell.run(['api', 'PATCH', '/v9/projects/web', '--field', 'framework=vite', '--auto-approve']);
  const back = await plan();
  expect(back.stdout).toContain('framework');
  expect(back.stdout).not.toContain('redeploy');
  await stand.shell.write({
    'trueup.yaml': web('one', '', `[{ redeploy: { target: production }, drift: true }]`).replace(
      'nextjs',
      'nextjs\n    nodeVersion: 22.x',
    ),
  });
  expect((await plan()).stdout).toContain('redeploy projects/web');
});

story('one that is asked for from elsewhere names its projects by globs', async () => {
  await stand.shell.write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
projects: { site-de: { $existing: true }, site-fr: {} }
sharedEnv:
  DSN: { value: one, projectId: [site-fr], $then: [{ redeploy: { project: [site-*] } }] }
`,
  });
  expect((await apply()).status).toBe(0);
  expect(made().sort()).toEqual(['dpl_de', 'dpl_fr']);
});

story('where nothing serves the target there is nothing to do, and nothing is owed', async () => {
  await stand.write(web('one').replace('web:', 'empty:'));
  const shown = await plan();
  expect(shown.stdout).toContain('no deployment of empty serves production');
  expect((await apply()).status).toBe(0);
  expect(made()).toEqual([]);
  expect((await plan()).status).toBe(0);
});

story('what is refused is owed: the next plan has it, and the next apply does it', async () => {
  stand.fails('createDeployment', 403);
  const refused = await apply();
  expect(refused.status).toBe(1);
  expect(refused.stdout).toContain('refused redeploy projects/web (target: production)');
  const owed = await plan('--drift-exitcode');
  expect(owed.status).toBe(2);
  expect(owed.stdout).toContain('pending from run 1');
  expect((await stand.shell.run(['plan', '--drift-exitcode'])).status).toBe(0);
  const done = await apply();
  expect(done.all).toContain('1 action sent');
  expect(done.status).toBe(0);
  expect((await plan()).status).toBe(0);
});

story('where the platform asks for a longer wait it is owed, and nothing has failed', async () => {
  stand.twin.setFaults({
    faults: [{ at: { operation: 'createDeployment', nth: 1 }, do: { type: 'rateLimit', retryAfter: 3600 } }],
  });
  const limited = await apply('--max-wait', '10');
  expect(limited.status, limited.all).toBe(75);
  expect(limited.stdout).toContain('owed redeploy projects/web (target: production)');
  expect(limited.stdout).toContain('1 action owed');
  // It was not sent: the next apply does not look for it, and sends it.
  stand.twin.requests.length = 0;
  const done = await apply();
  expect([done.status, made()], done.all).toEqual([0, ['dpl_live']]);
  expect(stand.twin.requests.filter(({ path }) => path.startsWith('/v7/deployments'))).toEqual([]);
});

story('a change that fails holds back what follows it', async () => {
  stand.fails('createProjectEnv', 400);
  const failed = await apply();
  expect(failed.status).toBe(1);
  expect(failed.stdout).toContain('owed redeploy projects/web (target: production)');
  expect(made()).toEqual([]);
  expect((await apply()).status).toBe(0);
  expect(made()).toEqual(['dpl_live']);
});

story('an owed action whose $then is gone is dropped, and told', async () => {
  stand.fails('createDeployment', 403);
  await apply();
  await stand.write(web('one', '', '[]'));
  expect((await plan()).stdout).toContain('the configuration no longer asks for it; nothing is sent');
  await apply();
  expect((await plan()).all).not.toContain('redeploy');
});

story('--no-actions leaves it out, and no debt', async () => {
  const shown = await plan('--no-actions');
  expect(shown.stdout).toContain('skipped by --no-actions');
  expect((await apply('--no-actions')).status).toBe(0);
  expect(made()).toEqual([]);
  expect((await plan()).status).toBe(0);
});

story('--target does what its changes ask for, and shows what else is owed', async () => {
  stand.fails('createDeployment', 403);
  await apply();
  const part = await plan('--target', 'projects/web');
  expect(part.stdout).toContain('pending, and not part of this plan');
  expect(part.status).toBe(0);
});

story('a project that was rolled back is not built: told, owed, and tried again later', async () => {
  await settled();
  await stand.shell.run([
    'run',
    'rollback',
    'projects/web',
    '--input',
    'deployment=dpl_live',
    '--auto-approve',
  ]);
  await stand.write(web('two'));
  const { stdout } = await plan();
  expect(stdout).toContain('web was rolled back');
  expect(stdout).toContain(', 1 action not sent now. 1 request.');
  expect(stdout).not.toContain('Sets going');
  const before = made().length;
  const done = await apply();
  expect(done.status).toBe(75);
  expect(done.stdout).toContain('1 action owed');
  expect(made().length).toBe(before);
  await stand.shell.run([
    'run',
    'promote',
    'projects/web',
    '--input',
    'deployment=dpl_live',
    '--auto-approve',
  ]);
  expect((await apply()).status).toBe(0);
  expect(made().length).toBe(before + 1);
});

story('an approved plan has what follows, whatever is deployed meanwhile', async () => {
  expect((await stand.shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  expect((await stand.shell.run(['show', 'plan.json'])).stdout).toContain('redeploy projects/web');
  await stand.build();
  expect((await stand.shell.run(['apply', 'plan.json', '--settle', '0'])).status).toBe(0);
  expect(made().length).toBe(2);
  expect(made()[1]).not.toBe('dpl_live');
});

test('an approved plan without an action is not done with one', async () => {
  await stand.write(web('one', '', '[]'));
  await stand.shell.run(['plan', '--out', 'plan.json']);
  await stand.write(web('one'));
  const refused = await stand.shell.run(['apply', 'plan.json', '--settle', '0']);
  expect(refused.status).toBe(1);
  expect(refused.all).toContain('approval/');
});

story('destroy asks for none', async () => {
  await settled();
  const gone = await stand.shell.run(['destroy', '--confirm', 'demo', '--settle', '0']);
  expect(gone.status).toBe(0);
  expect(made()).toEqual([]);
});

oneRowIn(5)([
  ['a name that no action has', '[redeplou]', 'did you mean `redeploy`?'],
  ['one that is done by hand only', '[{ buyDomain: {} }]', 'can only be run by hand'],
  ['an input that it does not take', '[{ redeploy: { targett: x } }]', 'takes no `targett`'],
  ['a value of another type', '[{ redeploy: { target: [x] } }]', 'is not allowed here'],
  ['a field that there is not', '[{ redeploy: {}, when: [envv] }]', 'did you mean `env`?'],
  ['two in one item', '[{ redeploy: {}, verify: {} }]', 'can have only one action'],
  ['what it is about is not here', '[verify]', 'acts on a projectDomain'],
  ['a project that is not declared', '[{ redeploy: { project: [nope-*] } }]', 'no declared project matches'],
  ['no list', 'redeploy', 'must be a list of actions'],
  [
    'a wait for what is done at once',
    '[{ invalidateByTags: { tags: [a] }, wait: { minutes: 3 } }]',
    'nothing to wait for',
  ],
  ['a missing input', '[invalidateByTags]', 'needs `tags`'],
])('wrong: %s', async (_, then, said) => {
  await stand.write(web('one', '', then));
  const { status, all } = await stand.shell.run(['validate']);
  expect(status).toBe(1);
  expect(all).toContain(said);
  expect(all).toContain('trueup.yaml:6:');
});

test('an unknown variable in a list of `$then` is the only problem', async () => {
  const then =
    '[{ redeploy: { project: [web, "${var.no}"] }, when: [env, "${var.no}"], wait: { minutes: "${var.no}" } }]';
  await stand.write(web('one', '', then));
  const { stderr } = await stand.shell.run(['validate']);
  expect(stderr).toContain('`no` is not declared under `variables`');
  expect(stderr).not.toContain('must be');
});

story('a request whose answer is lost is found by its mark, and is not owed', async () => {
  stand.loses('after');
  const done = await apply();
  expect([done.status, made()], done.all).toEqual([0, ['dpl_live']]);
  expect(done.stderr).toContain('It went through.');
  // Of all that the project ever had nobody reads more than what is new.
  const looks = stand.twin.requests.filter(({ path }) => path.startsWith('/v7/deployments'));
  expect(looks.length).toBeGreaterThan(0);
  for (const { path } of looks) expect(path).toMatch(/[?&]since=\d{13}/);
  expect((await plan()).status).toBe(0);
});

story(
  'an unanswered redeploy is sent again after ten minutes in which the account does not show it',
  async () => {
    await stand.inQuickTime();
    stand.loses('before');
    expect((await apply()).status).toBe(75);
    const early = await apply();
    expect([early.status, made().length], early.all).toEqual([75, 1]);
    expect(early.all).not.toContain('Checking whether it went through');
    expect(early.stdout).toMatch(
      /the account does not show it: from 12:\d\d UTC on, an apply sends it again/,
    );
    stand.pass(10 * 60_000);
    const late = await apply();
    expect([late.status, made().length], late.all).toEqual([0, 2]);
    expect((await plan()).status).toBe(0);
  },
);

story('an unanswered redeploy that the account shows later is not sent again', async () => {
  await stand.inQuickTime();
  stand.loses('after');
  // Nothing can be read while the first run looks for it.
  const refused = { type: 'status', status: 403 } as const;
  stand.twin.setFaults({
    faults: [
      { at: { operation: 'createDeployment', nth: 1 }, do: { type: 'connectionReset', when: 'after' } },
      { at: { operation: 'getDeployments' }, do: refused },
    ],
  });
  expect((await apply()).status).toBe(75);
  stand.pass(10 * 60_000);
  const unread = await apply();
  expect([unread.status, made().length], unread.all).toEqual([75, 1]);
  stand.twin.setFaults({ faults: [] });
  const found = await apply();
  expect([found.status, made().length], found.all).toEqual([0, 1]);
  expect((await plan()).status).toBe(0);
});

story('an unanswered redeploy can be sent at once by --again, or dropped by --skip', async () => {
  await stand.inQuickTime();
  stand.loses('before');
  const lost = await apply();
  expect([lost.status, made().length], lost.all).toEqual([75, 1]);
  expect(lost.stdout).toContain(
    'this run sent it and got no response, and the account does not show it: from 12:',
  );
  const shown = await plan();
  expect(shown.status).toBe(2);
  expect(shown.stdout).toContain(
    'run 1 sent it and got no response, so it may have been done; the next apply looks for it, and sends it again once the account has not shown it for ten minutes',
  );
  const again = await apply();
  expect([again.status, made().length]).toEqual([75, 1]);
  expect(again.stdout).toContain('send it with `trueup run redeploy projects/web --again`');
  const sent = await stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve']);
  expect([sent.status, made().length], sent.all).toEqual([0, 2]);
  expect((await plan()).status).toBe(0);
  const none = await stand.shell.run(['run', 'redeploy', 'projects/web', '--skip', '--auto-approve']);
  expect([none.status, none.stderr.split('\n')[0]]).toEqual([
    1,
    'Error: no redeploy projects/web of this stack is pending [run/not-owed]',
  ]);
});

story('--skip drops what is owed, and sends nothing', async () => {
  stand.fails('createDeployment', 403);
  await apply();
  const before = made().length;
  const skipped = await stand.shell.run(['run', 'redeploy', 'projects/web', '--skip', '--auto-approve']);
  expect(skipped.stderr).toContain('Dropped: redeploy projects/web');
  expect([skipped.status, made().length]).toEqual([0, before]);
  expect((await plan()).status).toBe(0);
});

story('what is run by hand pays an equal debt', async () => {
  stand.fails('createDeployment', 403);
  await apply();
  expect((await stand.shell.run(['run', 'redeploy', 'projects/web', '--auto-approve'])).status).toBe(0);
  expect((await plan()).status).toBe(0);
});

const waiting = web('one', '', '[{ redeploy: { target: production }, when: [env], wait: { minutes: 3 } }]');

story('apply waits for what it set going: done, failed, or still under way', async () => {
  await stand.inQuickTime({ buildSeconds: 120 });
  await stand.write(waiting);
  const done = await apply();
  expect(done.status, done.all).toBe(0);
  expect(done.stderr).toMatch(
    /redeploy projects\/web \(target: production\): QUEUED[\s\S]*BUILDING[\s\S]*READY[\s\S]*done after/,
  );
  await stand.inQuickTime({ buildSeconds: 120, buildFails: true });
  await stand.write(waiting);
  const failed = await apply();
  expect([failed.status, failed.stderr.includes('[then/ended]')], failed.all).toEqual([1, true]);
  expect((await plan()).status).toBe(0);
  await stand.inQuickTime({ buildSeconds: 3000 });
  await stand.write(waiting);
  const long = await apply();
  expect([long.status, long.stderr.includes('still running after 3 min')], long.all).toEqual([75, true]);
});

story('a look that fails tells nothing: apply goes on waiting', async () => {
  await stand.inQuickTime({ buildSeconds: 120 });
  await stand.write(waiting);
  const refused = { type: 'status', status: 403 } as const;
  stand.twin.setFaults({ faults: [{ at: { operation: 'getDeployment', nth: 1 }, do: refused }] });
  const done = await apply();
  expect(done.status, done.all).toBe(0);
  expect(done.stderr).toMatch(
    /redeploy projects\/web \(target: production\): not known: GET [^\n]* 403[\s\S]*READY/,
  );
});

story('where one is owed, the others are waited for all the same', async () => {
  await stand.inQuickTime({ buildSeconds: 120 });
  await stand.write(`stack: demo
platform: { team: acme }
projects: { web: {}, site-de: {}, site-fr: {} }
sharedEnv:
  DSN: { value: one, projectId: [web], $then: [{ redeploy: { project: '*' }, wait: { minutes: 3 } }] }
`);
  stand.fails('createDeployment', 403);
  const refused = await apply('--parallelism', '1');
  expect(refused.status, refused.all).toBe(1);
  expect(refused.stdout).toContain('Verified: the account matches the configuration.');
  expect(refused.stderr).toContain('redeploy projects/site-fr (target: production): READY');
  expect(refused.stderr).toContain('redeploy projects/web (target: production): READY');
});

story('a stack that needs another one does not wait for what only follows there', async () => {
  await stand.shell.write({
    'trueup.workspace.yaml': 'stacks: [one, { path: two, needs: [one] }]\n',
    'one/trueup.yaml': web('one').replace('stack: demo', 'stack: one'),
    'two/trueup.yaml': 'stack: two\nplatform: { team: acme }\nprojects: { site-de: { env: { A: one } } }\n',
  });
  stand.fails('createDeployment', 403);
  const { status, all } = await apply('--all');
  expect([status, all.includes('1 of 2 stacks are ')], all).toEqual([1, true]);
  expect(stand.twin.account.projects.find(({ name }) => name === 'site-de')!.env).toHaveLength(1);
});

story('with a build under way nothing is sent: owed, and done once that is over', async () => {
  await stand.inQuickTime({ buildSeconds: 300 });
  await stand.build();
  const busy = await apply();
  expect([busy.status, made().length], busy.all).toEqual([75, 1]);
  expect(busy.stdout).toContain('a build of web is in progress');
  stand.pass(400_000);
  expect((await apply()).status).toBe(0);
  expect(made().length).toBe(2);
});

story('what was built since has the changes: an owed redeploy is not sent', async () => {
  await stand.inQuickTime();
  stand.fails('createDeployment', 403);
  await apply();
  stand.pass(3_600_000);
  await stand.build();
  const before = made().length;
  expect((await plan()).stdout).toContain('was created since and already has the changes');
  const done = await apply();
  expect([done.status, made().length], done.all).toEqual([0, before]);
  expect((await plan()).all).not.toContain('redeploy');
});

test('guards judge what follows: by its name, or as an update of what it is about', async () => {
  await stand.shell.write({
    'run.yaml': 'deny: [{ run: [redeploy], message: Ask ada. }]\n',
    'other.yaml': 'deny: [{ run: promote, message: Ask ada. }]\n',
    'update.yaml': 'deny: [{ at: projects/web, grade: disruptive, message: Ask ada. }]\n',
    'kind.yaml': 'deny: [{ kind: project, action: update, message: Ask ada. }]\n',
  });
  const judged = async (file: string) => (await plan('--guards', file)).all;
  expect(await judged('run.yaml')).toContain('the guards refuse to run redeploy on projects/web: Ask ada.');
  expect(await judged('other.yaml')).toContain('Judged by other.yaml: allowed.');
  for (const file of ['update.yaml', 'kind.yaml'])
    expect(await judged(file)).toContain('the guards refuse to run redeploy on projects/web: Ask ada.');
});

story('a plan with a ledger that is lost says that what is owed is lost with it', async () => {
  stand.shell.env = { ...stand.shell.env, CI: 'true' };
  expect((await plan()).all).toContain('along with any pending `$then` action');
});

story('equal actions of several stacks are told, and each does its own', async () => {
  await stand.shell.write({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': web('one').replace('stack: demo', 'stack: one'),
    'two/trueup.yaml':
      'stack: two\nplatform: { team: acme }\nprojects: { web: { $existing: true } }\nsharedEnv:\n  DSN: { value: one, $then: [{ redeploy: { project: web } }] }\n',
  });
  const shown = await plan('--all');
  expect(shown.all).toContain(
    'redeploy projects/web (target: production) is requested by 2 stacks and runs once for each: one, two [then/several]',
  );
  expect((await apply('--all')).status).toBe(0);
  expect(made().length).toBe(2);
});

story('what is so already is not sent: a domain that is verified', async () => {
  const yaml = (redirect: string) =>
    `stack: demo\nplatform: { team: acme }\nprojects:\n  web:\n    domains:\n      www.shop.example: {}\n      shop.example: { redirect: ${redirect}, $then: [verify] }\n`;
  await stand.write(yaml('www.shop.example'));
  const done = await apply();
  expect(done.stdout, done.all).toMatch(/nothing to do for verify|sent verify/);
  await stand.shell.write({
    'trueup.yaml': yaml('www.shop.example').replace(
      'redirect: www.shop.example',
      'redirectStatusCode: 301, redirect: www.shop.example',
    ),
  });
  expect((await plan()).stdout).toContain('already in that state; nothing is sent');
});

story('while a rolling release is under way nothing is built', async () => {
  await settled();
  stand.twin.account.projects[0]!.rollout = {
    ...{ stages: [{ targetPercentage: 10, requireApproval: true }, { targetPercentage: 100 }], startedAt: 1 },
    ...{ stage: 0, stageAt: 1, canary: 'dpl_live', current: 'dpl_live' },
  };
  await stand.write(web('two'));
  const shown = await plan();
  expect(shown.stdout, shown.all).toContain('a rolling release of web is in progress');
});

story('undo takes no action back, and its own changes ask for theirs', async () => {
  await stand.shell.write({ '.gitignore': '.trueup\n' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: stand.shell.folder, stdio: 'pipe' });
  initRepository(stand.shell.folder);
  const commit = () => {
    git('add', '-A');
    git('-c', 'user.name=ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'x');
  };
  commit();
  await settled();
  await stand.write(web('two'));
  commit();
  await apply();
  const before = made().length;
  const undone = await stand.shell.run(['undo', '2', '--auto-approve', '--settle', '0']);
  expect([undone.status, made().length], undone.all).toEqual([0, before + 1]);
  expect(undone.stdout).toContain('redeploy projects/web');
});

story('an upper layer replaces the whole list', async () => {
  await stand.shell.write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
templates: { site: { $kind: project, $then: [redeploy] } }
projects: { web: { $use: site, $then: [{ invalidateByTags: { tags: [a] } }] } }
`,
  });
  const { stdout } = await stand.shell.run(['render']);
  expect(stdout).toContain('invalidateByTags');
  expect(stdout).not.toContain('redeploy');
});
