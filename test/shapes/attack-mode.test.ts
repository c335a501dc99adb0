import { describe, expect, it, onTestFinished } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(5);

const start = Date.UTC(2027, 0, 1);
const hour = 3_600_000;

describe.each(sampled([false, true], 1))(
  'attack mode, read as enabled after its end: %s',
  (attackModeExpiredReadable) => {
    let clock: number;
    async function begin(attackMode?: { activeUntil: number }): Promise<World> {
      clock = start;
      const seed: Seed = { projects: [{ name: 'web', ...(attackMode ? { attackMode } : {}) }] };
      const world = await World.start({ seed, switches: { attackModeExpiredReadable }, now: () => clock });
      onTestFinished(() => world.stop());
      world.now = () => clock;
      return world;
    }
    const until = (time: number | string) =>
      `projects: { web: { attackMode: { attackModeEnabled: true, attackModeActiveUntil: ${time} } } }`;
    const live = (world: World) => world.twin.account.projects[0]!.attackMode;
    /** What the next run does: the change of the attack mode with its causes, and the bodies that it sends. */
    async function next(world: World, yaml: string) {
      const since = world.twin.requests.length;
      const plan = await world.converge(yaml);
      const change = plan.changes.find(({ kind }) => kind === 'attackMode')!;
      const causes = change.fields.map(({ path, cause }) => `${path}: ${cause}`);
      const sent = world.twin.requests.slice(since).filter(({ method }) => method !== 'GET');
      return { action: change.action, reason: change.reason, causes, sent: sent.map(({ body }) => body) };
    }
    const quiet = { action: 'noop', causes: [], sent: [] };

    story('is switched on once, and over without a change when its time is', async () => {
      const world = await begin();
      const first = await next(world, until(start + hour));
      expect(first.sent).toMatchObject([{ attackModeEnabled: true, attackModeActiveUntil: start + hour }]);
      clock += hour - 1;
      expect(await next(world, until(start + hour))).toMatchObject(quiet);
      clock += 1;
      const over = await next(world, until(start + hour));
      expect(over).toMatchObject({ ...quiet, reason: 'its time ended at 2027-01-01T01:00:00.000Z' });
      clock += 1000 * hour;
      expect(await next(world, until(start + hour))).toMatchObject(quiet);
    });

    story('is switched off where somebody prolonged it, which is drift', async () => {
      const world = await begin();
      await next(world, until(start + hour));
      clock += 2 * hour;
      live(world)!.activeUntil = start + 9 * hour;
      live(world)!.enabled = true;
      const { plan } = await world.plan(until(start + hour), { unattended: true });
      expect(plan.diagnostics).toEqual([]);
      const off = await next(world, until(start + hour));
      expect(off).toMatchObject({ action: 'update', reason: 'changed outside' });
      expect(off.causes).toContain('attackModeEnabled: drift');
      expect(off.sent).toEqual([{ projectId: expect.any(String), attackModeEnabled: false }]);
      expect(live(world)).toMatchObject({ enabled: false });
      expect(await next(world, until(start + hour))).toMatchObject(quiet);
    });

    it('is switched off by an edit to an end that is over, which is no drift', async () => {
      const world = await begin();
      await next(world, until(start + 9 * hour));
      clock += 5 * hour;
      const earlier = until(start + 4 * hour);
      const off = await next(world, earlier);
      expect(off).toEqual({
        action: 'update',
        reason: 'its time ended at 2027-01-01T04:00:00.000Z',
        causes: ['attackModeEnabled: edit'],
        sent: [{ projectId: expect.any(String), attackModeEnabled: false }],
      });
      expect(await next(world, earlier)).toMatchObject(quiet);
      Object.assign(live(world)!, { enabled: true, activeUntil: start + 20 * hour });
      expect((await next(world, earlier)).causes).toEqual(['attackModeEnabled: drift']);
    });

    it('is over without a request after an edit to another end that is over', async () => {
      const world = await begin();
      await next(world, until(start + hour));
      clock += 5 * hour;
      const later = until(start + 2 * hour);
      expect((await next(world, later)).sent).toEqual([]);
      expect(await next(world, later)).toMatchObject(quiet);
    });

    oneRowIn(2)([
      ['before its end', hour / 2],
      ['after its end', 2 * hour],
    ])('has a later deadline after one request, %s', async (_, passed) => {
      const world = await begin();
      await next(world, until(start + hour));
      clock += passed;
      const later = start + 5 * hour;
      const { plan } = await world.plan(until(later), { unattended: true });
      expect(plan.diagnostics).toEqual([]);
      expect((await next(world, until(later))).sent).toMatchObject([
        { attackModeEnabled: true, attackModeActiveUntil: later },
      ]);
      expect(live(world)).toMatchObject({ enabled: true, activeUntil: later });
    });

    story('is on again where somebody switched it off', async () => {
      const world = await begin();
      await next(world, until(start + hour));
      Object.assign(live(world)!, { enabled: false, activeUntil: null });
      const { plan } = await world.plan(until(start + hour), { unattended: true });
      expect(plan.diagnostics).toEqual([]);
      expect(await next(world, until(start + hour))).toMatchObject({
        reason: 'changed outside',
        sent: [{ attackModeEnabled: true, attackModeActiveUntil: start + hour }],
      });
    });

    oneRowIn(3)([
      ['that was never on', undefined],
      ['whose time was over', { activeUntil: start - hour }],
      ['whose time was over, at another moment', { activeUntil: start - 2 * hour }],
    ])('with a deadline that is over is adopted as off: one %s', async (_, found) => {
      const world = await begin(found);
      expect(await next(world, until(start - hour))).toMatchObject({ action: 'adopt', sent: [] });
      expect(await next(world, until(start - hour))).toMatchObject(quiet);
    });

    story('can be declared off', async () => {
      const world = await begin({ activeUntil: start + hour });
      const off =
        'projects: { web: { attackMode: { attackModeEnabled: false, attackModeActiveUntil: null } } }';
      expect((await next(world, off)).sent).toMatchObject([{ attackModeEnabled: false }]);
      expect(await next(world, off)).toMatchObject(quiet);
      world.ledger = { ...world.ledger, entries: {} };
      expect(await next(world, off)).toMatchObject({ action: 'adopt', sent: [] });
    });

    story('has the same deadline as a time with any offset and as milliseconds', async () => {
      const world = await begin();
      await next(world, until('2027-01-01T01:00:00Z'));
      expect(live(world)!.activeUntil).toBe(start + hour);
      for (const same of ['2027-01-01T03:00:00+02:00', '"2027-01-01T01:00:00.000Z"', start + hour])
        expect(await next(world, until(same)), String(same)).toMatchObject(quiet);
    });
  },
);

story('is no change for the exit code either once its time is over', async () => {
  const clock = { ahead: 0 };
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
projects: { web: { attackMode: { attackModeEnabled: true, attackModeActiveUntil: ${Date.now() + hour} } } }
`,
  });
  const now = () => Date.now() + clock.ahead;
  await shell.withTwin(
    { projects: [{ name: 'web' }] },
    { now, switches: { attackModeExpiredReadable: true } },
  );
  const plan = () => shell.run(['plan', '--detailed-exitcode']);
  expect((await plan()).status).toBe(2);
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  clock.ahead = 2 * hour;
  const later = 'const now = Date.now; Date.now = () => now() + 7200000';
  shell.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(later)}`;
  const ran = await plan();
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('No changes')]);
});
