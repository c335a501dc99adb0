import { z } from 'zod';
import { ancestorsOf, defineKind, kindsOf } from '../../src/kind/define-kind.ts';
import { digestFields } from '../../src/kind/digests.ts';
import { immutable, refTo } from '../../src/kind/traits.ts';
import type { Address } from '../../src/model/address.ts';
import { emptyLedger, type Ledger, type LedgerEntry } from '../../src/model/ledger.ts';
import type { Plan } from '../../src/model/plan.ts';
import {
  collectionId,
  emptyLive,
  type Live,
  type LiveResource,
  type Meta,
  type Resource,
} from '../../src/model/resource.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { plan } from '../../src/plan/plan.ts';

/** Two kinds that are as small as can be: boxes with items in them, which name other items of any box. */
export const tinyKinds = kindsOf([
  defineKind({
    name: 'box',
    doc: 'A container.',
    section: 'boxes',
    key: ['name'],
    lifecycle: {
      container: true,
    },
    fields: () => ({ name: z.string(), colour: z.string().optional() }),
    read: { endpoint: 'GET /boxes', items: 'boxes' },
    create: 'POST /boxes',
    update: 'PATCH /boxes/{id}',
    delete: 'DELETE /boxes/{id}',
  }),
  defineKind({
    name: 'item',
    doc: 'What is in a box.',
    section: 'items',
    parent: 'box',
    key: ['name'],
    fields: () => ({
      name: z.string(),
      colour: z.string().optional(),
      shape: immutable(z.string()).optional(),
      uses: z.array(refTo('item')).optional(),
    }),
    read: { endpoint: 'GET /boxes/{box}/items', items: 'items' },
    create: 'POST /boxes/{box}/items',
    update: 'PATCH /boxes/{box}/items/{id}',
    delete: 'DELETE /boxes/{box}/items/{id}',
  }),
]);

/** One object as declared, live, or in the ledger, by its address; `uses` names addresses. */
export interface Tiny {
  colour?: string;
  /** Cannot be changed. */
  shape?: string;
  uses?: Address[];
  meta?: Meta;
}
export type Tinies = Record<Address, Tiny>;

const kindOf = (address: Address) => (address.includes('/items/') ? 'item' : 'box');
const parentOf = (address: Address) =>
  address.includes('/items/') ? address.split('/items/')[0]! : undefined;
const fieldsOf = (address: Address, { colour, shape, uses }: Tiny) => ({
  name: address.split('/').at(-1)!,
  ...(colour === undefined ? {} : { colour }),
  ...(shape === undefined ? {} : { shape }),
  ...(uses === undefined ? {} : { uses: uses.map(($ref) => ({ $ref, attr: 'id' })) }),
});
const place = (address: Address) => {
  const parent = parentOf(address);
  return { address, kind: kindOf(address), ...(parent === undefined ? {} : { parent }) };
};

export const tinyId = (address: Address) => `id of ${address}`;

export const tinyLive = (all: Tinies): Live => ({
  ...emptyLive(),
  resources: new Map(
    Object.entries(all).map(([address, tiny], index): [Address, LiveResource] => [
      address,
      {
        ...place(address),
        id: tinyId(address),
        ids: [tinyId(address)],
        fields: fieldsOf(address, tiny),
        index,
      },
    ]),
  ),
  complete: new Set(Object.keys(all).map((address) => collectionId(kindOf(address), parentOf(address)))),
});

/** A ledger in which these were applied from here. */
export const tinyLedger = (all: Tinies): Ledger => ({
  ...emptyLedger('http://tiny', 'owner', 'tiny'),
  entries: Object.fromEntries(
    Object.entries(all).map(([address, tiny]): [Address, LedgerEntry] => [
      address,
      {
        kind: kindOf(address),
        ids: [tinyId(address)],
        origin: 'created',
        salt: 'salt',
        form: 1,
        ...digestFields(
          tinyKinds.get(kindOf(address))!.fields,
          fieldsOf(address, tiny),
          new Set(['name', 'colour', 'shape', 'uses']),
          'salt',
          undefined,
        ),
        dependsOn: [...(tiny.uses ?? []), ...(tiny.meta?.dependsOn ?? [])],
      },
    ]),
  ),
});

export function tinyPlan(
  { desired, live, known = {} }: { desired: Tinies; live: Tinies; known?: Tinies },
  options: PlanOptions = {},
): Plan {
  const resources = Object.entries(desired).map(([address, tiny], index): [Address, Resource] => [
    address,
    {
      ...place(address),
      fields: fieldsOf(address, tiny),
      meta: tiny.meta ?? {},
      index,
      at: { file: 'tiny.yaml', line: index + 1, column: 1 },
    },
  ]);
  return plan({
    desired: { stack: 'tiny', resources: new Map(resources), inputs: [], folders: [] },
    live: tinyLive(live),
    ledger: tinyLedger(known),
    kinds: tinyKinds,
    secrets: new Map(),
    facts: {},
    now: 0,
    options: { maxDeletions: 1000, ...options },
  });
}

/** The boxes around an address. */
export const boxOf = (address: Address): Address[] =>
  ancestorsOf(tinyKinds, tinyKinds.get(kindOf(address))!, parentOf(address)).map((above) => above.address);
