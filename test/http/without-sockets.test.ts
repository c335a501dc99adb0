import { expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { openDirectConnections } from '../../src/http/direct-connections.ts';
import { standardBounds } from '../../src/http/exchange.ts';
import { withoutSockets } from '../support/without-sockets.ts';

it('tests without connections refuse the requests that a connection refuses', async () => {
  const twin = withoutSockets(await startTwin());
  const connections = openDirectConnections(new URL(twin.url), standardBounds);
  onTestFinished(() => twin.close());
  onTestFinished(() => connections.destroy());
  const statusOf = async (path: string, header = 'plain') => {
    const answer = await connections.request({
      origin: twin.url,
      method: 'GET',
      path,
      headers: { authorization: 'Bearer token', 'x-test': header },
    });
    for await (const part of answer.body) expect(part.length).toBeGreaterThan(0);
    return answer.statusCode;
  };
  expect(await statusOf('/v2/user')).toBe(200);
  await expect(statusOf('/v2/user?a=b c')).rejects.toThrow('Request path contains unescaped characters');
  await expect(statusOf('/v2/user', 'a\nb')).rejects.toThrow(
    'Invalid character in header content ["x-test"]',
  );
  expect(await statusOf(`/v2/user?a=${'b'.repeat(20_000)}`)).toBe(431);
});
