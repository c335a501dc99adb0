import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { ThenStand, web } from './then-stand.ts';

const story = oneStoryIn(7);

/* What stays owed although something else changes, and what does not. */

const stand = new ThenStand();
beforeEach(() => stand.begin());

const lookups = 'lookups: { live: { deployment: { project: web, target: production, state: READY } } }\n';
const withLookup = (text: string, found = lookups) => text.replace('projects:', `${found}projects:`);
/** What follows, of the plan. */
const follows = async () => JSON.parse((await stand.plan('--format', 'json')).stdout).actions;
const ledger = () => JSON.parse(readFileSync(join(stand.shell.folder, '.trueup/ledger/demo.json'), 'utf8'));

story(
  'what nobody knows of is not sent again because something else could not be read meanwhile',
  async () => {
    await stand.inQuickTime();
    const then = '[{ redeploy: { deployment: "${lookup.live.id}" }, when: [env] }]';
    await stand.write(withLookup(web('one', '', then)));
    stand.loses('before');
    const lost = await stand.apply();
    expect([lost.status, stand.made().length], lost.all).toEqual([75, 1]);
    // What it is given cannot be found, and then not be read.
    await stand.write(withLookup(web('one', '', then), lookups.replace('READY', 'ERROR')));
    expect((await stand.apply()).status).toBe(75);
    await stand.write(withLookup(web('one', '', then)));
    for (const operation of ['getProject', 'getDeployments', 'getDeployments']) {
      stand.fails(operation, 500);
      expect((await stand.apply()).status).not.toBe(0);
    }
    const last = await stand.apply();
    expect([last.status, stand.made().length], last.all).toEqual([75, 1]);
    expect(last.stdout).toContain('the account does not show it: from ');
    // By hand it is sent with what is found then.
    const again = await stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve']);
    expect([again.status, stand.made().slice(1)], again.all).toEqual([0, ['dpl_live']]);
    expect((await stand.plan()).status).toBe(0);
  },
);

story('what was done after all is found, whatever else cannot be read', async () => {
  await stand.inQuickTime();
  const then = '[{ redeploy: { deployment: "${lookup.live.id}" }, when: [env] }]';
  await stand.write(withLookup(web('one', '', then)));
  stand.loses('before');
  expect((await stand.apply()).status).toBe(75);
  const [{ mark }] = Object.values(ledger().owed) as [{ mark: string }];
  const { deployments } = stand.twin.account.projects[0]!;
  // It arrived after the search had ended.
  deployments.push({ ...deployments[0]!, id: 'dpl_late', meta: { trueupRun: mark } });
  await stand.write(withLookup(web('one', '', then), lookups.replace('READY', 'ERROR')));
  const found = await stand.apply();
  expect([found.status, stand.made().length], found.all).toEqual([0, 1]);
});

story('it follows its project to another name', async () => {
  stand.fails('createDeployment', 403);
  await stand.apply();
  const renamed = web('one').replace('  web:\n', '  shop:\n    $was: web\n');
  await stand.write(renamed);
  expect(await follows()).toMatchObject([
    { about: 'projects/shop', state: 'due', owedBy: expect.anything() },
  ]);
  const before = stand.made().length;
  const done = await stand.apply();
  expect([done.status, stand.made().length], done.all).toEqual([0, before + 1]);
  expect(ledger().owed).toBeUndefined();
});

story('where the new name cannot be given it stays owed under the old one', async () => {
  stand.fails('createDeployment', 403);
  await stand.apply();
  await stand.write(web('one').replace('  web:\n', '  shop:\n    $was: web\n'));
  stand.fails('updateProject', 403);
  const failed = await stand.apply();
  expect(failed.status, failed.all).toBe(1);
  expect(Object.values(ledger().owed)).toMatchObject([{ about: 'projects/web', from: ['projects/web'] }]);
});

test('another change of its project that fails holds it back, too', async () => {
  await stand.write(`${web('one')}    domains: { a.shop.example: {} }\n`);
  stand.fails('addProjectDomain', 400);
  const failed = await stand.apply('--no-canary');
  expect([failed.status, stand.made()], failed.all).toEqual([1, []]);
  expect(failed.stdout).toMatch(
    /owed redeploy projects\/web[^\n]*\n {2}projects\/web\/domains\/a\.shop\.example was not changed/,
  );
  expect((await stand.apply()).status).toBe(0);
  expect(stand.made()).toEqual(['dpl_live']);
});

story('the newest input wins', async () => {
  stand.fails('createDeployment', 403);
  await stand.apply();
  stand.twin.account.projects[0]!.deployments.push({
    ...stand.twin.account.projects[0]!.deployments[0]!,
    id: 'dpl_other',
  });
  await stand.write(web('one', '', '[{ redeploy: { deployment: dpl_other }, when: [env] }]'));
  expect((await stand.apply()).status).toBe(0);
  expect(stand.made().at(-1)).toBe('dpl_other');
  expect(ledger().owed).toBeUndefined();
});

const site = (projects: string) =>
  `stack: demo\nplatform: { team: acme }\nprojects: { web: {}, ${projects} }\nsharedEnv:\n  DSN: { value: one, projectId: [web], $then: [{ redeploy: { project: ['site-*', web] } }] }\n`;

story('where its project is gone, it is dropped, and told', async () => {
  await stand.write(site('site-de: {}'));
  stand.twin.setFaults({
    faults: [{ at: { operation: 'createDeployment' }, do: { type: 'status', status: 403 } }],
  });
  await stand.apply();
  stand.twin.setFaults({ faults: [] });
  expect(Object.keys(ledger().owed)).toHaveLength(2);
  await stand.write(site('site-fr: {}'));
  expect(await follows()).toMatchObject([
    { about: 'projects/site-de', state: 'over', owedBy: expect.anything(), why: expect.anything() },
    { about: 'projects/web', state: 'due', owedBy: expect.anything() },
  ]);
  const before = stand.made().length;
  const done = await stand.apply();
  expect([done.status, stand.made().slice(before)], done.all).toEqual([0, ['dpl_live']]);
  expect(ledger().owed).toBeUndefined();
});

story('it is written before the first change of the account', async () => {
  let owed: unknown;
  const { provider } = stand.shell;
  stand.shell.provider = {
    ...provider,
    connect: async (settings) => {
      const connection = await provider.connect(settings);
      return {
        ...connection,
        send: (request, confirm) => {
          if (!request.endpoint.startsWith('GET')) owed ??= ledger().owed ?? 'nothing';
          return connection.send(request, confirm);
        },
      };
    },
  };
  expect((await stand.apply()).status).toBe(0);
  expect(owed).toMatchObject({
    'redeploy projects/web {"target":"production"}': { about: 'projects/web', from: ['projects/web'] },
  });
});

story('one whose changes were not even tried is not owed: they ask for it again themselves', async () => {
  expect((await stand.apply('--no-actions')).status).toBe(0);
  await stand.write(`stack: demo
platform: { team: acme }
projects: { web: {}, site-de: { domains: { a.shop.example: {} } } }
sharedEnv:
  DSN: { value: one, projectId: [web], $dependsOn: [projects/site-de/domains/a.shop.example], $then: [{ redeploy: { project: web } }] }
`);
  stand.fails('addProjectDomain', 400);
  const failed = await stand.apply();
  expect([failed.status, stand.made(), ledger().owed], failed.all).toEqual([1, [], undefined]);
  expect(failed.stdout).toMatch(/nothing to do for redeploy[^\n]*\n {2}nothing that it follows was changed/);
  expect((await stand.apply()).status).toBe(0);
  expect(stand.made()).toEqual(['dpl_live']);
});

test('what another stack has taken over since is not built: neither by hand, nor after it was dropped here', async () => {
  stand.fails('createDeployment', 403);
  await stand.apply();
  await stand.shell.write({
    'growth.yaml': 'stack: growth\nplatform: { team: acme }\nprojects: { web: { $from: demo } }\n',
  });
  // It was taken over when this stack did not declare it for a moment.
  const without = 'stack: demo\nplatform: { team: acme }\nprojects: { empty: {} }\n';
  await stand.shell.write({ 'trueup.workspace.yaml': 'stacks: [trueup.yaml, growth.yaml]\n' });
  await stand.write(without);
  expect((await stand.apply('-f', 'growth.yaml')).status).toBe(0);
  await stand.write(web('one'));
  const before = stand.made().length;
  // It still declares the project, and its ledger has it still.
  const still = await stand.apply();
  expect(still.status, still.all).toBe(1);
  expect(still.stderr).toContain('projects/web is owned by the stack growth');
  const byHand = await stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve']);
  expect(byHand.status, byHand.all).toBe(1);
  expect(byHand.stderr).toContain('projects/web belongs to the stack growth');
  await stand.write(without);
  expect(await follows()).toMatchObject([{ about: 'projects/web', state: 'over' }]);
  const done = await stand.apply();
  expect(done.status, done.all).toBe(0);
  expect(stand.made()).toHaveLength(before);
  expect(ledger().owed).toBeUndefined();
  expect(stand.twin.account.projects.map(({ name }) => name)).toContain('web');
});

test('a destroy of something else leaves it owed, and one of its project or of the whole stack says why it is dropped', async () => {
  const other = 'sharedEnv:\n  OTHER: { value: two }\n';
  await stand.write(`${site('site-de: {}').replace('sharedEnv:\n', other)}`);
  stand.twin.setFaults({
    faults: [{ at: { operation: 'createDeployment' }, do: { type: 'status', status: 403 } }],
  });
  await stand.apply();
  const owedAbout = () =>
    Object.values<{ about: string }>(ledger().owed ?? {})
      .map(({ about }) => about)
      .sort();
  expect(owedAbout()).toEqual(['projects/site-de', 'projects/web']);
  const destroy = (...args: string[]) => stand.shell.run(['destroy', ...args, '--confirm', 'demo']);
  const ofOther = await destroy('sharedEnv/OTHER');
  expect(ofOther.status, ofOther.all).toBe(0);
  expect(ofOther.stdout).toContain('pending, and not part of this plan');
  expect(ofOther.stdout).toContain('# selected by `trueup destroy`');
  expect(ofOther.stdout).toContain('the account has nothing left of the selected part');
  expect(owedAbout()).toEqual(['projects/site-de', 'projects/web']);
  const ofProject = await destroy('projects/site-de');
  expect(ofProject.stdout).toContain('this plan removes its object or its `$then`; nothing is sent');
  expect(owedAbout()).toEqual(['projects/web']);
  const ofStack = await destroy();
  expect(ofStack.stdout).toContain('the stack is being destroyed; nothing is sent');
  expect(ofStack.all).not.toMatch(/configuration no longer asks|removed from the configuration/);
  expect(stand.made()).toHaveLength(2);
});
