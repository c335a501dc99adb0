import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import type { ProxyAction } from '../support/proxy-fault.ts';

// What only the proxy does: answers that are whole, and not true.

let twin: Twin;
let proxy: FaultProxy;
const slept: number[] = [];

beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web', env: ['A', 'B', 'C'].map(variable) }] } });
  proxy = await startFaultProxy(
    () => twin.url,
    async (ms) => void slept.push(ms),
  );
  onTestFinished(async () => {
    await proxy.close();
    await twin.close();
  });
});

const variable = (key: string) => ({ key, value: key });
const listed = async (): Promise<string[]> => {
  const team = twin.account.teams[0]!.slug;
  const answer = await fetch(`${proxy.url}/v10/projects/web/env?slug=${team}`, {
    headers: { authorization: 'Bearer t' },
  });
  const { envs } = (await answer.json()) as { envs: { key: string }[] };
  return envs.map(({ key }) => key).sort();
};
const every = (action: ProxyAction) =>
  proxy.setFaults([{ at: { endpoint: 'GET /v10/projects/{project}/env' }, do: action }]);

it('leaves an item out, and doubles items', async () => {
  expect(await listed()).toEqual(['A', 'B', 'C']);
  every({ type: 'leftOut' });
  expect(await listed()).toHaveLength(2);
  every({ type: 'doubled' });
  expect(await listed()).toEqual(['A', 'A', 'B', 'B', 'C', 'C']);
});

it('answers as before, once there is another answer', async () => {
  every({ type: 'earlier' });
  expect(await listed()).toHaveLength(3);
  twin.account.projects[0]!.env.pop();
  expect(proxy.made).toEqual([]);
  expect(await listed()).toHaveLength(3);
  expect(proxy.made).toHaveLength(1);
  proxy.setFaults([]);
  expect(await listed()).toHaveLength(2);
});

it('lets others do something just before, and waits before it answers', async () => {
  every({ type: 'foreign', change: () => void twin.account.projects[0]!.env.pop() });
  expect(await listed()).toHaveLength(2);
  every({ type: 'delay', ms: 70 });
  expect(await listed()).toHaveLength(2);
  expect(slept).toEqual([70]);
});

it('disturbs the requests that it is told to, and the same ones each time', async () => {
  const hit = async (at: Parameters<FaultProxy['setFaults']>[0][number]['at']) => {
    proxy.setFaults([{ at, do: { type: 'doubled' } }]);
    const counts: number[] = [];
    for (let n = 0; n < 12; n++) counts.push((await listed()).length);
    return counts.flatMap((count, index) => (count === 6 ? [index + 1] : []));
  };
  expect(await hit({ request: 3 })).toEqual([3]);
  const drawn = await hit({ seed: 1, share: 0.5 });
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.length).toBeLessThan(12);
  expect(await hit({ seed: 1, share: 0.5 })).toEqual(drawn);
});
