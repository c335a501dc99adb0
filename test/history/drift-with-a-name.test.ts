import { expect } from 'vitest';
import type { FaultPlan } from '../../providers/hosting/twin/index.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const body = 'projects: { web: { framework: nextjs, env: { A: { value: one, type: plain } } } }\n';

async function changedOutside(site: RecordedSite): Promise<void> {
  const project = site.twin.account.projects[0]!;
  // Through the API, as a person's script would, with another user's name.
  const user = site.twin.account.user;
  site.twin.account.user = { ...user, id: 'user_grace', username: 'grace' };
  const answer = await fetch(`${site.twin.url}/v9/projects/${project.id}?slug=acme`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer token-for-tests', 'content-type': 'application/json' },
    body: JSON.stringify({ framework: 'astro' }),
  });
  expect(answer.status).toBe(200);
  site.twin.account.user = user;
}

const refused: FaultPlan = {
  faults: [{ at: { operation: 'listUserEvents' }, do: { type: 'status', status: 403 } }],
};

const eventsRead = (site: RecordedSite) =>
  site.twin.requests.filter(({ path }) => path.startsWith('/v3/events')).length;

story('a plan names who changed what outside, and asks for it only where there is drift', async () => {
  const site = await RecordedSite.open('file');
  site.commit(body);
  await site.apply();
  await site.run(['plan']);
  expect(eventsRead(site)).toBe(0);
  // Later than what is still counted as the apply's own.
  site.twin.account.lastTime += 5000;
  await changedOutside(site);
  const { stdout } = await site.run(['plan']);
  expect(eventsRead(site)).toBe(1);
  expect(stdout).toMatch(/# changed outside by grace, \d{4}-\d\d-\d\d \d\d:\d\d UTC, through a token/);
  const { changedBy } = JSON.parse((await site.run(['plan', '--json'])).stdout);
  expect(changedBy).toMatchObject([{ address: 'projects/web', who: 'grace', through: 'a token' }]);
  for (const format of ['markdown', 'html'])
    expect((await site.run(['plan', '--format', format])).stdout).toMatch(/[Cc]hanged outside by grace, /);
  const blamed = await site.run(['blame', 'projects/web']);
  expect(blamed.stdout).toMatch(/framework +astro +\S+Z +outside: grace/);
  // A saved plan shows it too, and is still the plan when the events are not there any more.
  expect((await site.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  expect((await site.run(['show', 'plan.json'])).stdout).toContain('changed outside by grace');
  site.twin.setFaults(refused);
  const applied = await site.run(['apply', 'plan.json', '--settle', '0']);
  expect(applied.status, applied.all).toBe(0);
});

story('that the token may not read events is no problem, and nobody is named', async () => {
  const site = await RecordedSite.open('file');
  site.commit(body);
  await site.apply();
  site.twin.account.lastTime += 5000;
  await changedOutside(site);
  site.twin.setFaults(refused);
  const { stdout, stderr, status } = await site.run(['plan']);
  expect(status).toBe(0);
  expect(stdout).toContain('changed outside: reverts');
  expect(stdout + stderr).not.toMatch(/changed outside by|events|\b403\b|nobody/);
});

story('a variable names its writer itself', async () => {
  const site = await RecordedSite.open('file');
  site.commit(body);
  await site.apply();
  for (const row of site.twin.account.projects[0]!.env)
    Object.assign(row, { value: 'other', updatedBy: 'user_grace', updatedAt: row.updatedAt + 60_000 });
  const { stdout } = await site.run(['plan']);
  expect(stdout).toContain('changed outside by the user user_grace');
});
