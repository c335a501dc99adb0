import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import {
  defaultSwitches,
  otherSwitches,
  servedOperations,
  startTwin,
  type Twin,
} from '../../providers/hosting/twin/index.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import { everySeed } from '../support/every-seed.ts';
import { samples } from '../support/samples.ts';
import { inTurn, oneStoryIn } from '../support/sweep.ts';
import { send } from './client.ts';
import { Reading } from './every-read.ts';

const story = oneStoryIn(4);

const seed = everySeed(samples);

const ofProject = ({ account }: Twin) => `?slug=acme&projectId=${account.projects[0]?.id}`;

const bodies = [undefined, null, 'text', [], [null], {}, { action: 'rules.insert' }, { name: 'x' }];

describe.each([
  ['default', defaultSwitches],
  ['other', otherSwitches],
])('with the %s switches', (_name, switches) => {
  let twin: Twin;
  let read: Awaited<ReturnType<typeof Reading.of>>;
  beforeAll(async () => {
    twin = await startTwin({ seed, switches });
    read = await Reading.of(twin);
    return () => twin.close();
  });

  it('serves every read of the seed', () => {
    expect(read.unread.map(({ path }) => path)).toEqual([]);
  });

  story('has no fault of its own for any served operation and body', async () => {
    for (const [at, operation] of catalog.entries()) {
      const { method, path } = operation;
      if (method === 'HEAD' || !servedOperations.includes(nameOf(operation))) continue;
      // One of them here, others for other operations; all of them with `npm run sweep`.
      for (const body of inTurn<unknown>(bodies, at, 1)) {
        const answer = await send(twin, method, read.reading.concrete(path) + ofProject(twin), body);
        expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).not.toBe(500);
      }
    }
  });
});
