import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanOptions } from '../../src/app/planning/plan-options.ts';
import type { Session } from '../../src/app/session/session.ts';
import { checksumOf } from '../../src/approval/parse-saved-plan.ts';
import { planAgain } from '../../src/approval/plan-again.ts';
import { readSavedPlans } from '../../src/approval/plan-files.ts';
import { saveSessionPlan } from '../../src/approval/save-plan.ts';
import type { SavedPlan } from '../../src/approval/saved-plan.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import type { LedgerKey } from '../../src/model/digest.ts';
import { createMasking } from '../../src/model/masking.ts';
import type { Plan } from '../../src/model/plan.ts';
import { jsonText } from '../../src/report/show.ts';
import { openSessionPlan } from '../../src/run/open-plan.ts';
import { knownStacks } from '../../src/run/other-stacks.ts';
import { here } from '../support/here.ts';
import { runs, sampled } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';

/*
 * Whatever is done to a plan's file, applying it is refused, or does what was approved. The file goes through what
 * `apply FILE` does up to its first request; a plan that gets through is compared with the one that was saved.
 */

const rule = (name: string) => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: `/${name}` }] }],
  action: { mitigate: { action: 'deny' } },
});
const before = `projects: ${JSON.stringify({
  web: { framework: 'vite', firewall: { rules: [rule('a'), rule('b')] } },
  old: { framework: 'vite' },
})}
domains: { example.com: { $exclusive: [records], records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: old, value: 192.0.2.2 }] } }
`;
const after = `projects: ${JSON.stringify({
  web: { framework: 'nextjs', firewall: { rules: [rule('b'), rule('c'), rule('a')] } },
  new: { framework: 'vite' },
})}
domains: { example.com: { $exclusive: [records], records: [{ type: A, name: www, value: 192.0.2.9 }] } }
`;

let world: World;
let folder: string;
const options = { exclude: ['projects/none'], maxDeletions: 5, parallelism: 1, maxWait: 1 };

beforeAll(async () => {
  world = await World.start();
  await world.converge(before);
  folder = mkdtempSync(join(tmpdir(), 'trueup-forged-'));
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

/** A session whose account stays as it is, so that each answer is asked for once. */
async function sessionWith(key: LedgerKey | undefined): Promise<Session> {
  const configuration = await world.configure(after);
  const answers = new Map<string, Promise<unknown>>();
  const send: World['connection']['send'] = (request) => {
    const asked = JSON.stringify(request);
    if (!answers.has(asked)) answers.set(asked, world.connection.send(request));
    return answers.get(asked)!;
  };
  return {
    host: { ...here, cwd: folder },
    ledgerChoice: { repositoryLedger: undefined },
    configuration,
    desired: configuration.desired,
    clock: here.clock,
    actionsAndLookups: () => Promise.reject(new Error('nothing asks for actions')),
    lookUp: () => Promise.reject(new Error('nothing is looked up')),
    sources: openSources({ env: {}, cwd: folder }),
    origins: new Map(),
    kinds,
    connection: { ...world.connection, send },
    owner: await world.connection.owner(),
    account: { type: 'team', name: 'acme' },
    documents: fileDocuments(join(folder, 'ledger.json'), here),
    store: {
      place: '',
      read: async () => world.ledger,
      proof: () => ({ by: world.key.id }),
      journalText: () => undefined,
      requireVerified: () => {},
      write: async (ledger) => ledger,
      appendToJournal: async () => {},
      startJournal: async () => {},
      close: async () => {},
    },
    ledger: world.ledger,
    otherStacks: knownStacks([]),
    secrets: new Map(),
    masking: createMasking(),
    key,
    diagnostics: [],
    sent: () => new Map(),
    say: () => {},
    close: async () => {},
  };
}

/** The plan that applying this text would carry out; undefined where it is refused. Nothing else may be thrown. */
async function applied(session: Session, text: string): Promise<Plan | undefined> {
  const file = join(folder, 'plan.json');
  writeFileSync(file, text);
  try {
    const approved = (await readSavedPlans(file, here)).parts[0]!.plan;
    const again = { parallelism: 1, maxWait: 1, ...approved.options };
    return (await planAgain(session, { file, approved }, createPlanOptions(again, here))).plan;
  } catch (error) {
    if (error instanceof Problems) return undefined;
    throw error;
  }
}

/** A plan of this session, and the text of its file. */
async function savedBy(session: Session): Promise<{ saved: SavedPlan; text: string; effect: string }> {
  const { plan } = await openSessionPlan(session, createPlanOptions(options, here));
  expect(plan.operations.length).toBeGreaterThan(5);
  const saved = saveSessionPlan(session, plan, options);
  return { saved, text: `${jsonText(saved)}\n`, effect: effectOf(plan) };
}

const effectOf = ({ operations, changes }: Plan): string =>
  JSON.stringify([operations, changes.map(({ address, action }) => `${action} ${address}`)]);

type Path = string[];

/** The way to every value of a document, containers included. */
function* paths(value: unknown, at: Path = []): Generator<Path> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) yield* paths(item, [...at, name]);
}

const mutations: ((value: unknown) => unknown[])[] = [
  (value) => [typeof value === 'string' ? `${value}x` : typeof value === 'number' ? value + 1 : !value],
  () => [],
  (value) => [value, value],
  () => [null],
  (value) => [Array.isArray(value) ? value.toReversed() : [value]],
];

/** A copy with something else at the end of a path: another value, none, or two (of a member, one under another name). */
function mutated(holder: object, [name, ...rest]: Path, how: number): object {
  const change = (value: unknown): unknown[] =>
    rest.length > 0 ? [mutated(value as object, rest, how)] : mutations[how % mutations.length]!(value);
  if (Array.isArray(holder))
    return holder.flatMap((item, index) => (String(index) === name ? change(item) : [item]));
  return Object.fromEntries(
    Object.entries(holder).flatMap(([key, item]) =>
      key === name ? change(item).map((one, index) => [index === 0 ? key : `${key}2`, one]) : [[key, item]],
    ),
  );
}

describe('a forged plan', () => {
  it('with any byte changed is refused, or is the plan that was approved', async () => {
    const session = await sessionWith(world.key);
    const { text, effect } = await savedBy(session);
    expect(effectOf((await applied(session, text))!)).toBe(effect);
    let refused = 0;
    const times = runs(150, 15);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.string({ minLength: 0, maxLength: 2 }),
        async (at, put) => {
          const plan = await applied(session, text.slice(0, at) + put + text.slice(at + 1));
          if (!plan) refused += 1;
          else expect(effectOf(plan)).toBe(effect);
        },
      ),
      { numRuns: times },
    );
    console.log(`forged plan, bytes: ${refused} of ${times} refused, the others do what was approved`);
    expect(refused).toBeGreaterThan(times / 4);
  });

  it('that is cut off anywhere is refused', async () => {
    const session = await sessionWith(world.key);
    const { text } = await savedBy(session);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 4), async (end) => {
        expect(await applied(session, text.slice(0, end))).toBeUndefined();
      }),
      { numRuns: runs(50) },
    );
  });

  it('with any value changed and a checksum that fits is refused where there is a key', async () => {
    const session = await sessionWith(world.key);
    const { saved } = await savedBy(session);
    const ways = [...paths(saved)].filter(([name]) => name !== 'checksum');
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(ways.length - 1), fc.nat(4), async (way, how) => {
        const forged = mutated(saved, ways[way]!, how) as SavedPlan;
        if (JSON.stringify(forged) === JSON.stringify(saved)) return;
        tried += 1;
        const text = jsonText({ ...forged, checksum: checksumOf(forged) });
        expect(await applied(session, text), ways[way]!.join('.')).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
    console.log(`forged plan, values with a key: ${tried} of ${tried} refused`);
    expect(tried).toBeGreaterThan(runs(200) * 0.75);
  });

  it('with any value changed and a checksum that fits is refused without a key, or is the plan that was approved', async () => {
    const session = await sessionWith(undefined);
    const { saved, effect } = await savedBy(session);
    const ways = [...paths(saved)].filter(([name]) => name !== 'checksum');
    // What is only for people, and what the options leave as it is, may pass; what is done never.
    const harmless = /(^|\.)(at|options|unmanaged)(\.|$)/;
    let refused = 0;
    let passed = 0;
    const tried = sampled([...ways.entries()], 60);
    for (const [index, way] of tried) {
      const forged = mutated(saved, way, index) as SavedPlan;
      if (JSON.stringify(forged) === JSON.stringify(saved)) continue;
      const plan = await applied(session, jsonText({ ...forged, checksum: checksumOf(forged) }));
      if (!plan) refused += 1;
      else {
        passed += 1;
        expect(way.join('.')).toMatch(harmless);
        expect(effectOf(plan)).toBe(effect);
      }
    }
    console.log(`forged plan, values without a key: ${refused} refused, ${passed} do what was approved`);
    expect(refused).toBeGreaterThan(tried.length / 2);
  });
});
