import { expect, it } from 'vitest';
import type { Pages, Request } from '../../src/model/request.ts';
import { readCache } from '../../src/run/read-cache.ts';

const list: Request = { endpoint: 'GET /v10/projects', items: 'projects', pages: true };

it('reads a further page again if that failed, and shares it if it did not', async () => {
  let isDown = true;
  const read: number[] = [];
  const pageFrom = (first: number): Pages => ({
    items: () => Array.from({ length: first }, (_, index) => index + 1),
    readNext: async () => {
      read.push(first + 1);
      if (isDown) throw new Error('the connection was cut');
      return pageFrom(first + 1);
    },
  });
  const { send } = readCache(async () => pageFrom(1));
  const open = async () => (await send(list)) as Pages;
  const failing = await open();
  await expect(failing.readNext!()).rejects.toThrow('cut');
  isDown = false;
  for (const pages of [failing, await open(), await open()])
    expect((await pages.readNext!()).items()).toEqual([1, 2]);
  expect(read).toEqual([2, 2]);
});
