import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { sampled } from '../support/sweep.ts';
import { type ActionStand, actionPoints, deeds, kills, openActionStand } from './action-trouble.ts';

/*
 * Actions by hand, with trouble at their request: each is done at most once, what became of it is told and recorded as it is, and one whose
 * process was killed is told as begun, and sent again by nobody but a person.
 */

const counts = { actions: deeds.length, faults: 0, kills: 0 };
const told: Record<string, number> = {};
noteCounts('actions in trouble', () => ({ ...counts, told }));

let stand: ActionStand;
beforeAll(async () => {
  stand = await openActionStand();
});
afterAll(() => stand.close());

/** Plays each of these, and says which came to something else. */
async function all<T>(points: T[], play: (point: T) => Promise<void>, name: (point: T) => string) {
  const failures: string[] = [];
  for (const point of points)
    await play(point).catch((error: Error) =>
      failures.push(`${name(point)}: ${error.message.slice(0, 1500)}`),
    );
  expect(failures.slice(0, 5).join('\n'), `${failures.length} of ${points.length} points`).toBe('');
}

test('with any fault at its request an action is done at most once, and told as it is', async () => {
  const points = deeds.flatMap((deed) => actionPoints.map((point) => ({ deed, point })));
  await all(
    sampled(points, 10),
    async ({ deed, point }) => {
      counts.faults += 1;
      told[point.told] = (told[point.told] ?? 0) + 1;
      await stand.play(deed, point);
    },
    ({ deed, point }) => `${deed.name}, ${point.name}`,
  );
});

test('one whose process is killed is told as begun, and not sent again by itself', async () => {
  const points = deeds.flatMap((deed) => kills.map((kill) => ({ deed, kill })));
  await all(
    sampled(points, 3),
    async ({ deed, kill }) => {
      counts.kills += 1;
      await stand.kill(deed, kill);
    },
    ({ deed, kill }) => `${deed.name}, killed ${kill}`,
  );
});
