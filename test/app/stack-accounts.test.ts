import { afterAll, beforeAll, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import type { Port } from '../../src/app/port.ts';
import { createStackAccounts } from '../../src/app/session/stack-accounts.ts';
import { totalOf } from '../../src/model/plan.ts';
import type { Endpoint } from '../../src/model/request.ts';
import { here } from '../support/here.ts';
import { withoutSockets } from '../support/without-sockets.ts';

const listProjects: Endpoint = 'GET /v10/projects';
const listDomains: Endpoint = 'GET /v5/domains';

let twin: Twin;
beforeAll(async () => {
  twin = await startTwin({ seed: { team: { slug: 'acme' }, teams: [{ slug: 'other' }] } });
  withoutSockets(twin);
});
afterAll(() => twin.close());

/** Opens the accounts of several stacks on the twin. */
function openAccounts() {
  const host = { ...here, env: { TRUEUP_TOKEN: 'a-token' } };
  const port: Port = {
    ...{ run: { host }, say: () => {}, canAsk: false, ask: async () => '', toRunner: () => {} },
  };
  return createStackAccounts(hosting, { baseUrl: twin.url, twin: false, maxWait: 60, verbose: false }, port);
}

it('counts for each stack of an account what this stack asks for, also what the cache answers', async () => {
  const accounts = openAccounts();
  const [first, second] = [await accounts.open({ team: 'acme' }), await accounts.open({ team: 'acme' })];
  const ownerReads = totalOf(first.sent());
  for (const endpoint of [listProjects, listDomains]) await first.connection.send({ endpoint });
  await second.connection.send({ endpoint: listProjects });
  expect(first.sent().get(listDomains)).toBe(1);
  expect(second.sent().get(listProjects)).toBe(1);
  expect(second.sent().get(listDomains)).toBeUndefined();
  expect([first, second].map(({ sent }) => totalOf(sent()) - ownerReads)).toEqual([2, 1]);
  expect(accounts.sent()).toBe(ownerReads + 2);
  await accounts.close();
});

it('sums the requests of all accounts', async () => {
  const accounts = openAccounts();
  const before = twin.requests.length;
  for (const team of ['acme', 'other']) {
    const { connection } = await accounts.open({ team });
    await connection.send({ endpoint: listProjects });
  }
  expect(accounts.sent()).toBe(twin.requests.length - before);
  await accounts.close();
});
