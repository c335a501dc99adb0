import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { canDo, isReadable, lineage } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { ApiObject } from '../../src/kind/read.ts';
import { shapeOf, traitsOf } from '../../src/kind/traits.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { isPlainObject } from '../../src/model/value.ts';
import { noteCounts } from '../support/cost.ts';
import { everyKind } from '../support/every-kind.ts';
import { sampleSeed } from '../support/samples.ts';
import { isTried, sampled } from '../support/sweep.ts';
import { kinds, describe as told, World } from '../support/world.ts';
import { exported } from './exported.ts';

// The platform says in several ways that nothing is set, and in another way tomorrow.

const absent = Symbol('absent');
const forms: [shown: string, form: unknown][] = [
  ['absent', absent],
  ['null', null],
  ['""', ''],
  ['[]', []],
  ['{}', {}],
];

let world: World;
let applied: Ledger;
let plainNotes: string[];
const yaml = everyKind([...kinds.values()], 24)(0);
/** What is read only where something names it. */
const neverExported = [...kinds.values()]
  .filter((kind) =>
    lineage(kinds, kind.name).some(({ shape, read }) => shape.onlyDeclared || read.endpoint === undefined),
  )
  .map(({ name }) => name);
beforeAll(async () => {
  world = await World.start({ seed: sampleSeed });
  const { outcome } = await world.apply(await world.plan(yaml, { maxDeletions: 1000 }));
  expect(outcome).toMatchObject({ failed: [], postponed: [], skipped: [] });
  applied = world.ledger;
  plainNotes = (await exported(world)).notes;
});
afterAll(() => world.stop());

const counts = { members: 0 };
const met = new Set<string>();
noteCounts('odd empty forms', () => ({ ...counts, kinds: met.size }));

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

/** An object as the platform could answer it as well: whatever is not set, declared or not, is so in this form. */
function inForm(
  object: ApiObject,
  schemas: Record<string, z.ZodType>,
  form: unknown,
  kept: string[],
): ApiObject {
  const copy: ApiObject = {};
  for (const name of new Set([...Object.keys(object), ...Object.keys(schemas)])) {
    const value = object[name];
    const inner = schemas[name] && shapeOf(schemas[name]);
    if (kept.includes(name)) copy[name] = value;
    else if (!isEmpty(value))
      copy[name] = inner && isPlainObject(value) ? inForm(value, inner, form, []) : value;
    else if (form === absent) continue;
    else if (form === '' || form === null || schemas[name] || isPlainObject(value) || Array.isArray(value))
      copy[name] = structuredClone(form);
    // Of what no kind declares nobody knows that it could be a list.
    else copy[name] = value;
    if (isEmpty(value)) counts.members++;
    if (copy[name] === undefined) delete copy[name];
  }
  return copy;
}

/** The fields whose odd forms leave a list unread, because a plan would take the object for another one (see `known-types.ts`). */
const strictFieldsOf = (kind: Kind): string[] => [
  ...Object.keys(kind.fields).filter(
    (name) => traitsOf(kind.fields[name]!).immutable === true || !canDo(kind, 'update'),
  ),
  ...kind.shape.addressFields,
  ...(kind.shape.identityFields ?? []),
];

/** Has a kind read its objects in this form; gives back how to end that. */
function readIn(kind: Kind, form: unknown): () => void {
  const { decode } = kind;
  const isPlainForm = form === absent || form === null;
  const kept = [
    ...kind.key,
    typeof kind.id === 'string' ? kind.id : 'id',
    ...(isPlainForm ? [] : strictFieldsOf(kind)),
  ];
  kind.decode = (object, references) => {
    met.add(kind.name);
    // A decoding of its own may rely on lists and objects: `{}` in place of a list is then an unknown form, and not read.
    const isUnknownForm = decode !== undefined && typeof form === 'object' && form !== null;
    const odd = isUnknownForm ? object : inForm(object, kind.fields, form, kept);
    return decode ? decode(odd, references) : (odd as ReturnType<NonNullable<typeof decode>>);
  };
  return () => {
    if (decode) kind.decode = decode;
    else delete kind.decode;
  };
}

/** Has all kinds read their objects in this form meanwhile. */
async function reading(form: unknown, work: () => Promise<void>): Promise<void> {
  const ends = [...kinds.values()].map((kind) => readIn(kind, form));
  try {
    await work();
  } finally {
    for (const end of ends) end();
  }
}

// Each reads and plans all kinds: one part in two plays them.
describe.runIf(isTried(1, 2)).each(sampled(forms, 1))(
  'an account that says %s where nothing is set',
  (_, form) => {
    it('is exported as any other, and a plan of that is empty', () =>
      reading(form, async () => {
        world.ledger = { ...applied, entries: {} };
        const { yaml, notes } = await exported(world);
        expect(notes.filter((note) => !plainNotes.includes(note))).toEqual([]);
        const { plan } = await world.plan(yaml, { maxDeletions: 1000 });
        expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(plan.operations, told(plan)).toEqual([]);
        expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['adopt']));
      }));

    it('is as it was applied, where an export leaves out what nobody declares', () =>
      reading(form, async () => {
        world.ledger = applied;
        const { plan } = await world.plan(yaml, { maxDeletions: 1000 });
        const changes = plan.changes.filter(
          ({ kind, action }) => neverExported.includes(kind) && action !== 'noop',
        );
        expect(told({ ...plan, changes, operations: [], diagnostics: [] })).toBe('');
        // With what the first test reads, these are all kinds.
        const never = [...kinds.values()].filter((kind) => isReadable(kind) && !met.has(kind.name));
        expect(never.map(({ name }) => name)).toEqual([]);
      }));
  },
);
