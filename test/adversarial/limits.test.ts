import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digest } from '../../src/model/digest.ts';
import type { Shell } from '../support/cli.ts';
import { apply, place, token, writes } from '../support/limits-place.ts';
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';

/* What is in the database by which runs share the limits of a token, and what somebody could put there. */

const isHere = postgresPrograms() !== undefined;
if (!isHere) console.log(withoutPostgres);

let server: PostgresServer;
beforeAll(async () => {
  if (isHere) server = await startPostgres();
});
afterAll(() => server?.remove());

describe.skipIf(!isHere)('the database of shared limits', () => {
  test('The database of `--limits` contains a digest of the token, and only the numbers of requests by operation.', async () => {
    const { twin, machines, schema, buckets } = await place(server, 1, 2);
    const [machine] = machines as [Shell];
    expect((await machine.run(apply)).status).toBe(0);
    const rows = await buckets();
    expect(new Set(rows.map(({ account }) => account))).toEqual(
      new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]),
    );
    const text = JSON.stringify(rows);
    const { id } = twin.account.teams[0]!;
    for (const secret of [token, id, 'zone-0', '192.0.2.1', twin.url]) expect(text).not.toContain(secret);
    // Another token has buckets of its own, and so has another platform.
    machine.env.TRUEUP_TOKEN = 'canary-other';
    expect((await machine.run(['plan'])).status).toBe(0);
    const all = await server.query(`select distinct account from ${schema}.limits`);
    expect(all.rows).toHaveLength(2);
  });

  test('Anyone who can write to the database of `--limits` can slow runs down or make them postpone requests, and nothing else.', async () => {
    const { twin, machines, schema } = await place(server, 1, 30, { limitWindowMs: 2000 });
    const [machine] = machines as [Shell];
    expect((await machine.run(['plan'])).status).toBe(0);
    const { account } = (await server.query(`select account from ${schema}.limits limit 1`)).rows[0];
    const owner = digest('shared limits', twin.account.teams[0]!.id);
    const lie = async (state: unknown) => {
      await server.query(
        `insert into ${schema}.limits (account, bucket, state) values ('${account}', '${owner} dns-record-create', '${JSON.stringify(state)}')
         on conflict (account, bucket) do update set state = excluded.state`,
      );
    };
    // Nothing is left for a day: put off, as the platform itself could say.
    const far = Date.now() + 1e12;
    await lie({ limit: 1, remaining: 0, endsAt: far, runs: {} });
    const held = await machine.run([...apply, '--max-wait', '5']);
    expect([held.status, writes(twin)]).toEqual([75, 0]);
    // Everything is allowed: what the answers say holds all the same.
    await lie({ limit: 100_000, remaining: 100_000, endsAt: far, runs: {} });
    expect((await machine.run(apply)).status).toBe(0);
    await lie({ limit: 'x'.repeat(200_000) });
    expect((await machine.run(['destroy', '--confirm', 's0'])).status).toBe(0);
  });
});
