import crypto, { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { defaultSwitches, otherSwitches, type Switches } from '../../providers/hosting/twin/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { jsonText } from '../../src/report/json-value.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyle } from '../report/builders.ts';
import { bodyOf, casesOf, withoutKind } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';

/*
 * What the tool does for every field of every kind, to the byte: plans, requests, ledgers, each kept as a digest. A change that is
 * to change nothing leaves them alone; one that does says which, with the texts that the last run left in `texts` to compare.
 * `TRUEUP_NET=write TRUEUP_SWEEP=all vitest run test/net` takes what is there now for what is meant.
 */

const kept = path.join(import.meta.dirname, 'behaviour.json');
const texts = path.resolve(import.meta.dirname, '../../node_modules/.cache/trueup/net');
const isWriting = process.env.TRUEUP_NET === 'write';

/** By name, such as `project other 2 plan`. */
const expected = JSON.parse(readFileSync(kept, 'utf8')) as Record<string, string>;
const found: Record<string, string> = {};

const start = Date.UTC(2026, 0, 1);
const { randomBytes } = crypto;
beforeAll(() => mkdirSync(texts, { recursive: true }));
afterAll(() => {
  if (isWriting) writeFileSync(kept, `${JSON.stringify(found, undefined, 2)}\n`);
});

/** Salts that are the same in every run. */
function countedBytes(): () => void {
  let count = 0;
  const counted = (size: number) => createHash('sha512').update(`${count++}`).digest().subarray(0, size);
  Object.assign(crypto, { randomBytes: counted });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomBytes });
    syncBuiltinESMExports();
  };
}

function note(name: string, text: string): void {
  found[name] = createHash('sha256').update(text).digest('hex').slice(0, 12);
  // What was meant stays beside what came of it.
  const isMeant = isWriting || found[name] === expected[name];
  writeFileSync(path.join(texts, `${name}${isMeant ? '' : ' now'}`), text);
}

async function play(kind: Kind, way: string, switches: Switches): Promise<string[]> {
  const names: string[] = [];
  const now = () => start;
  const world = await World.start({ switches, seed: sampleSeed, now });
  world.now = now;
  world.parallelism = 1;
  const end = countedBytes();
  const take = (step: number, what: string, text: string) => {
    names.push(`${kind.name} ${way} ${step} ${what}`);
    // The port is another one in each run.
    note(names.at(-1)!, text.replaceAll(world.twin.url, 'https://twin'));
  };
  try {
    const cases = casesOf(kind);
    const bodies = [0, 1, 2, 3].map((step) => bodyOf(kind, cases, step));
    for (const [step, body] of [...bodies, withoutKind(bodies[3]!, kind)].entries()) {
      const since = world.twin.requests.length;
      const planned = await world.plan(stringify(body), { maxDeletions: 1000 });
      const shown = planText(planned.plan, { style: plainStyle, requests: true, verbose: true });
      take(step, 'plan', `${shown}\n${jsonText(planJson(planned.plan))}`);
      await world.apply(planned);
      const sent = world.twin.requests.slice(since).map(({ method, path, status, body }) => {
        const line = `${status} ${method} ${path} ${JSON.stringify(body) ?? ''}`;
        return { isRead: method === 'GET', line };
      });
      // Reads are made side by side, in any order.
      const reads = sent.filter(({ isRead }) => isRead).map(({ line }) => line);
      const writes = sent.filter(({ isRead }) => !isRead).map(({ line }) => line);
      take(step, 'requests', [...reads.sort(), ...writes].join('\n'));
      take(step, 'ledger', JSON.stringify(world.ledger, undefined, 1));
    }
  } finally {
    end();
    await world.stop();
  }
  return names;
}

describe.each([
  ['default', defaultSwitches],
  ['other', otherSwitches],
] as const)('with the %s switches the same is planned, sent and remembered as ever', (way, switches) => {
  it.each(sampled(kinds, isWriting ? kinds.length : 2).map((kind) => [kind.name, kind] as const))(
    '%s',
    async (_, kind) => {
      const names = await play(kind, way, switches);
      if (isWriting) return;
      const other = names.filter((name) => found[name] !== expected[name]);
      expect(
        other.map((name) => `${name}: compare ${path.relative('.', path.join(texts, name))} with \`… now\``),
      ).toEqual([]);
    },
  );
});
