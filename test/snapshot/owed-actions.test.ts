import { beforeEach, expect, test } from 'vitest';
import { ThenStand, web } from '../actions/then-stand.ts';

const stand = new ThenStand();
beforeEach(() => stand.begin());

const statesOf = (json: string): string[] =>
  JSON.parse(json).actions.map(({ state }: { state: string }) => state);

test('an action without a known result is unknown in a plan from an anonymous snapshot, too', async () => {
  await stand.inQuickTime();
  await stand.write(web('one', '', '[{ redeploy: {}, when: [env] }]'));
  stand.loses('before');
  expect((await stand.apply()).status).toBe(75);
  const planned = await stand.plan('--json', '--snapshot', 'account.snapshot', '--anonymous');
  expect(statesOf(planned.stdout), planned.stderr).toEqual(['unknown']);
  const again = await stand.shell.run(['plan', '--json', '--from', 'account.snapshot']);
  expect(statesOf(again.stdout), again.stderr).toEqual(['unknown']);
});
