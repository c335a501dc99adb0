import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kindsOf, parentOf } from '../../src/kind/define-kind.ts';
import { mirroringFields } from '../../src/kind/duplicate-descriptions.ts';
import { type Address, isWithin } from '../../src/model/address.ts';
import { emptyLedger, type Ledger, type LedgerEntry, type OtherStack } from '../../src/model/ledger.ts';
import { emptyLive, type Live, type LiveResource, type Resource } from '../../src/model/resource.ts';
import { Claims, claimKeysOf } from '../../src/plan/claims.ts';
import { plan } from '../../src/plan/plan.ts';
import { askAboutOthers } from '../../src/plan/summarize-claims.ts';
import { narrowedStacks } from '../support/narrowed.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { type Tinies, tinyKinds, tinyLedger, tinyLive } from '../support/tiny.ts';

const story = oneStoryIn(3);

/*
 * Plans that know only the ledgers to which the ownership index leads are those that know all ledgers.
 */

const boxes = ['a', 'b', 'c', 'd'].map((name) => `boxes/${name}`);
const places = boxes.flatMap((box) => [box, `${box}/items/x`, `${box}/items/y`]);
/** Objects by place, each item with the box around it. */
const objects = fc
  .subarray(places, { maxLength: 6 })
  .map(
    (addresses): Tinies =>
      Object.fromEntries(
        places
          .filter((place) => addresses.some((address) => isWithin(address, place)))
          .map((place) => [place, {}]),
      ),
  );
/** A ledger in which boxes may have names that only its stack gives them, or may belong to others. */
const ledgers = fc
  .record({
    objects,
    renamed: fc.subarray(boxes, { maxLength: 1 }),
    existing: fc.subarray(boxes, { maxLength: 2 }),
    handedOver: fc.subarray(places, { maxLength: 1 }),
  })
  .map(({ objects, renamed, existing, handedOver }): Ledger['entries'] =>
    Object.fromEntries(
      Object.entries(tinyLedger(objects).entries).map(([address, entry]) => [
        renamed.some((box) => isWithin(address, box)) ? address.replace(/^boxes\/./, '$&-renamed') : address,
        {
          ...entry,
          ...(existing.includes(address) ? { existing: true as const } : {}),
          ...(handedOver.includes(address) ? { handover: 'tiny' } : {}),
        },
      ]),
    ),
  );
const otherStack = (stack: string, entries: Ledger['entries']): OtherStack => ({
  stack,
  entries,
  inputs: [],
  isVerified: true,
  isWellFormed: true,
});

story('a plan with the index is the plan that knows all ledgers', async () => {
  const counts = { read: 0, of: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        desired: objects,
        known: objects,
        live: objects,
        others: fc.array(ledgers, { minLength: 1, maxLength: 4 }),
      }),
      fc.boolean(),
      async ({ desired, known, live, others }, destroy) => {
        const stacks = others.map((entries, index) => otherStack(`other${index}`, entries));
        const resources = Object.keys(destroy ? {} : desired).map((address, index): [Address, Resource] => {
          const { kind, parent, fields } = tinyLive({ [address]: {} }).resources.get(address)!;
          const at = { file: 'tiny.yaml', line: index + 1, column: 1 };
          return [address, { address, kind, ...(parent ? { parent } : {}), fields, meta: {}, index, at }];
        });
        const input = {
          desired: { stack: 'tiny', resources: new Map(resources), inputs: [], folders: [] },
          live: tinyLive({ ...Object.fromEntries(boxes.map((box) => [box, {}])), ...live }),
          ledger: tinyLedger(known),
          kinds: tinyKinds,
          secrets: new Map(),
          facts: {},
          now: 0,
          options: { maxDeletions: 1000, destroy },
        };
        const question = askAboutOthers({ ...input, ledgers: [input.ledger] });
        const { stacks: otherStacks, unread } = await narrowedStacks(stacks, tinyKinds, (read, of) => {
          counts.read += read;
          counts.of += of;
        }).readConcerned(() => question);
        expect(plan({ ...input, otherStacks, unreadClaims: unread })).toEqual(
          plan({ ...input, otherStacks: stacks }),
        );
      },
    ),
    { numRuns: runs(8000) },
  );
  // Otherwise it would prove nothing.
  expect(counts.read).toBeGreaterThan(counts.of / 10);
  expect(counts.read).toBeLessThan((counts.of * 9) / 10);
});

const kinds = kindsOf(hosting.kinds);

/** Objects of the platform whose claims are found in different ways: by row, by a domain that may move, by a singleton, by a link, without a name. */
const samples: [kind: string, address: string, id: string][] = ['web', 'shop', 'blog'].flatMap(
  (name): [string, string, string][] => [
    ['project', `projects/${name}`, `prj_${name}`],
    ['projectEnvVar', `projects/${name}/env/A@production`, `env_${name}`],
    ['projectEnvVar', `projects/${name}/env/A@preview`, `env_${name}`],
    ['projectDomain', `projects/${name}/domains/example.com`, 'example.com'],
    ['projectMember', `projects/${name}/members/ada`, 'user_ada'],
    ['sharedEnvLink', `projects/${name}/sharedEnvLinks/env_shared`, 'env_shared'],
    ['firewall', `projects/${name}/firewall`, `prj_${name}`],
    ['webhook', `webhooks/${name}`, `hook_${name}`],
    ['sharedEnvVar', `env/SHARED@production`, 'env_shared'],
    ['domain', `domains/${name}.com`, `${name}.com`],
  ],
);

story('an index leads to each claim to an object of the platform that a plan looks for', async () => {
  const entryOf = (kind: string, id: string): LedgerEntry => ({
    ...{ kind, ids: [id], origin: 'created', salt: '', form: 1 },
    ...{ fields: { name: 'digest' }, secrets: {} },
  });
  /** The entries of these objects, with the projects around them. `names`: what a stack calls the projects. */
  const toEntries = (chosen: typeof samples, renamed: boolean): Ledger['entries'] =>
    Object.fromEntries(
      samples
        .filter(([, address]) => chosen.some(([, other]) => isWithin(other, address)))
        .map(([kind, address, id]) => [
          renamed ? address.replace(/^projects\/\w+/, '$&-2') : address,
          {
            ...entryOf(kind, id),
            ...(chosen.some(([, other]) => other === address) ? {} : { existing: true as const }),
          },
        ]),
    );
  const subset = fc.subarray(samples, { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(subset, fc.boolean()), { minLength: 1, maxLength: 4 }),
      subset,
      subset,
      async (others, own, visible) => {
        const stacks = others.map(([chosen, renamed], index) =>
          otherStack(`other${index}`, toEntries(chosen, renamed)),
        );
        const ledger = { ...emptyLedger('', 'owner', 'own'), entries: toEntries(own, false) };
        const shown = samples.filter(
          ([kind, address]) =>
            kind === 'project' || [...own, ...visible].some(([, other]) => other === address),
        );
        const live: Live = {
          ...emptyLive(),
          resources: new Map(
            shown.map(([kind, address, id], index): [Address, LiveResource] => {
              const parent = parentOf(address, kinds.get(kind)!);
              return [
                address,
                { address, kind, id, ids: [id], fields: {}, index, ...(parent ? { parent } : {}) },
              ];
            }),
          ),
        };
        const desired = { stack: 'own', resources: new Map(), inputs: [], folders: [] };
        const question = askAboutOthers({ desired, ledgers: [ledger], live, kinds });
        const { stacks: read, unread } = await narrowedStacks(stacks, kinds).readConcerned(() => question);
        const find = (address: Address) => live.resources.get(address);
        const [all, narrowed] = [stacks, read].map((some) => new Claims(some, kinds, find));
        for (const object of live.resources.values()) {
          const isOwn = ledger.entries[object.address] !== undefined || object.parent !== undefined;
          const expected = all!
            .allFor(object, object.address)
            .map(({ owner, address }) => [owner.stack, address]);
          const found = narrowed!
            .allFor(object, object.address)
            .map(({ owner, address }) => [owner.stack, address]);
          if (isOwn) {
            expect(found).toEqual(expected);
            expect(narrowed!.listInside(object, object.address)).toEqual(
              all!.listInside(object, object.address),
            );
          } else {
            const isUnread = claimKeysOf(object.kind, object.ids, object.address, kinds).some((key) =>
              unread?.has(key),
            );
            expect(found.length > 0 || isUnread).toBe(expected.length > 0);
          }
        }
      },
    ),
    { numRuns: runs(8000) },
  );
});

it('an object that a list of another object can contain is found by its id, because it is its name', () => {
  const parts = [...kinds.values()]
    .flatMap(mirroringFields)
    .flatMap(({ mirrored }) => (mirrored.parent === undefined ? [mirrored] : []));
  expect(parts.length).toBeGreaterThan(0);
  for (const { kind, own } of parts) expect(kinds.get(kind)!.key).toEqual([own.field]);
});
