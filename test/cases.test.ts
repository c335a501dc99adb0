import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Seed } from '../providers/hosting/twin/index.ts';
import { hasErrors } from '../src/model/diagnostic.ts';
import type { PlanOptions } from '../src/plan/input.ts';
import { diagnosticsText } from '../src/report/diagnostics-text.ts';
import { planText } from '../src/report/plan-text.ts';
import { styleFor } from '../src/report/style.ts';
import { World } from './support/world.ts';

/*
 * A case is a folder: `<area>/<what it shows>/`.
 *
 *   live.json      what the account has at first: a seed of the twin (may be missing)
 *   applied.yaml   what was applied before, so that there is a ledger (may be missing)
 *   outside.json   what somebody else did since: a list of [endpoint, body]; `{address}` is an id out of the ledger (may be missing)
 *   unreadable.json  a list of endpoints that answer nothing now (may be missing)
 *   options.json   options of the plan (may be missing)
 *   desired.yaml   what is planned
 *   plan.txt       the plan as people get it; then the problems, if any
 *   requests.txt   the same with the requests, and the order of the operations
 *
 * Unless the plan is refused, the case is also applied, and then nothing may be left to do.
 */
const root = path.join(import.meta.dirname, 'cases');
const style = styleFor({ color: false, width: 100 });
const cases = readdirSync(root).flatMap((area) =>
  readdirSync(path.join(root, area)).map((name) => `${area}/${name}`),
);

describe('the case', () => {
  it.each(cases)('%s', async (name) => {
    const folder = path.join(root, name);
    const read = (file: string) => {
      const at = path.join(folder, file);
      return existsSync(at) ? readFileSync(at, 'utf8') : undefined;
    };
    const json = <T>(file: string) => JSON.parse(read(file) ?? 'null') as T | null;
    const world = await World.start({ seed: json<Seed>('live.json') ?? {} });
    try {
      // One at a time: the ids that the twin gives are then always the same.
      world.parallelism = 1;
      world.replays = true;
      const applied = read('applied.yaml');
      if (applied !== undefined) await world.converge(applied);
      for (const [endpoint, body] of json<[string, unknown][]>('outside.json') ?? [])
        await outside(world, endpoint, body);

      const unreadable = json<string[]>('unreadable.json') ?? [];
      const { send } = world.connection;
      world.connection.send = async (request) => {
        if (unreadable.includes(request.endpoint)) throw new Error('answered 500');
        return send(request);
      };
      const options = json<PlanOptions>('options.json') ?? {};
      const desired = read('desired.yaml')!;
      const { plan } = await world.plan(desired, options);
      const order = plan.operations.map(({ id, dependsOn }) =>
        dependsOn.length === 0 ? id : `${id}, after ${dependsOn.join(', after ')}`,
      );
      const problems = diagnosticsText(plan.diagnostics, { style });
      const inOrder = ['In this order:', ...order].join('\n  ');
      const text = (...parts: string[]) => `${parts.filter(Boolean).join('\n\n')}\n`;
      await expect(text(planText(plan, { style, requests: false }), problems)).toMatchFileSnapshot(
        path.join(folder, 'plan.txt'),
      );
      await expect(
        text(planText(plan, { style, requests: true }), order.length > 0 ? inOrder : '', problems),
      ).toMatchFileSnapshot(path.join(folder, 'requests.txt'));
      expect(hasErrors(plan.diagnostics)).toBe(name.endsWith('-refused'));
      if (!hasErrors(plan.diagnostics)) await world.converge(desired, options);
    } finally {
      await world.stop();
    }
  });
});

/** A request of somebody else's. */
async function outside(world: World, endpoint: string, body: unknown): Promise<void> {
  const [method, target] = endpoint.split(' ') as [string, string];
  const place = target.replace(/\{([^}]+)\}/g, (_, address) => world.ledger.entries[address]!.ids[0]!);
  const url = new URL(place, world.twin.url);
  url.searchParams.set('teamId', world.twin.account.teams[0]!.id);
  const answer = await fetch(url, {
    method,
    headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
    ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${endpoint} answered ${answer.status}: ${await answer.text()}`);
}
