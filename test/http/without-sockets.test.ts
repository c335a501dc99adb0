import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { withoutSockets } from '../support/without-sockets.ts';

it('tests without connections refuse the requests that a connection refuses', async () => {
  const twin = withoutSockets(await startTwin());
  const pool = new Pool(twin.url);
  onTestFinished(() => twin.close());
  onTestFinished(() => pool.destroy());
  const statusOf = async (path: string, header = 'plain') => {
    const answer = await pool.request({
      origin: twin.url,
      method: 'GET',
      path,
      headers: { authorization: 'Bearer token', 'x-test': header },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  expect(await statusOf('/v2/user')).toBe(200);
  await expect(statusOf('/v2/user?a=b c')).rejects.toThrow('invalid request path');
  await expect(statusOf('/v2/user', 'a\nb')).rejects.toThrow('invalid x-test header');
  expect(await statusOf(`/v2/user?a=${'b'.repeat(20_000)}`)).toBe(431);
});
