import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { FleetPlace, stackYaml, withoutFleet } from './fleet-place.ts';

if (withoutFleet !== undefined) console.log(withoutFleet);

let server: PostgresServer;
beforeAll(async () => {
  if (withoutFleet === undefined) server = await startPostgres();
});
afterAll(async () => server?.remove());

const files = {
  'trueup.workspace.yaml': 'stacks: [dns, { path: shop, needs: [dns] }]\n',
  'dns/trueup.yaml': stackYaml('dns'),
  'shop/trueup.yaml': stackYaml('shop'),
};

describe.skipIf(withoutFleet !== undefined)('a fleet', () => {
  it('plans with the key, applies what was agreed to in the order of needs, and then has nothing to do', async () => {
    const place = await FleetPlace.start(server, files);
    const planned = await place.run(['fleet', 'enqueue', 'plan', '--all', '--repository', 'acme/shop']);
    expect(planned.all).toContain('Enqueued 2 jobs');
    const worker = await place.work().ended;
    console.log(worker.all);
    const status = await place.status();
    console.log(JSON.stringify(status, null, 1));
    const digest = status.batches[0]!.digest!;
    const applied = await place.run([
      'fleet',
      'enqueue',
      'apply',
      '--all',
      '--repository',
      'acme/shop',
      '--digest',
      digest,
    ]);
    console.log(applied.all);
    console.log((await place.work().ended).all);
    console.log((await place.run(['fleet', 'status'])).all);
    console.log((await place.run(['plan', '--all'])).all);
  });
});
