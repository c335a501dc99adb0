import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

const path = '/v2/sandboxes/drives';
const names = ({ body }: { body: { drives: { name: string }[] } }) => body.drives.map(({ name }) => name);

it('are made once by their name, and never changed', async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
  const { id: projectId } = twin.account.projects[0]!;
  const first = await send(twin, 'POST', `${path}/cache`, { projectId });
  expect([first.status, first.body.drive]).toEqual([
    201,
    expect.objectContaining({ name: 'cache', projectId, region: 'iad1', maxSizeBytes: 2 ** 40 }),
  ]);
  const again = await send(twin, 'POST', `${path}/cache`, { projectId, maxSizeBytes: 1, region: 'sfo1' });
  expect([again.status, again.body]).toEqual([200, first.body]);
  const gone = await send(twin, 'DELETE', `${path}/cache?projectId=${projectId}`);
  expect([gone.status, gone.body]).toEqual([200, first.body]);
  expect(refusal(await send(twin, 'DELETE', `${path}/cache?projectId=${projectId}`))[0]).toBe(404);
});

it('are listed in pages, newest first, or by name; one that is in use stays', async () => {
  const drives = [{ name: 'b' }, { name: 'a', currentSandboxName: 'worker' }, { name: 'ab' }];
  twin = await startTwin({ seed: { projects: [{ name: 'web', sandboxDrives: drives }] } });
  const of = `?projectId=${twin.account.projects[0]!.id}`;
  const first = await send(twin, 'GET', `${path}${of}&limit=2`);
  expect(names(first)).toEqual(['ab', 'a']);
  const rest = await send(twin, 'GET', `${path}${of}&limit=2&cursor=${first.body.pagination.next}`);
  expect([names(rest), rest.body.pagination]).toEqual([['b'], { count: 1, next: null }]);
  const sorted = await send(twin, 'GET', `${path}${of}&sortBy=name&sortOrder=asc&namePrefix=a`);
  expect(names(sorted)).toEqual(['a', 'ab']);
  expect(refusal(await send(twin, 'DELETE', `${path}/a${of}`))).toEqual([409, 'conflict']);
});
