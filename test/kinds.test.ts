import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog } from '../providers/hosting/catalog.ts';
import { kinds as allKinds } from '../providers/hosting/kinds/index.ts';
import { loadExample } from '../src/cli/kinds.ts';
import { headerKeys } from '../src/config/read-header.ts';
import {
  blockSchema,
  can,
  childKinds,
  lineage,
  namesOf,
  placesOf,
  secretIdOf,
} from '../src/kind/define-kind.ts';
import type { Kind } from '../src/kind/kind.ts';
import { comparedFields } from '../src/kind/leaves.ts';
import { plain } from '../src/kind/plain.ts';
import { docOf, innerOf, shapeOf, traitsOf } from '../src/kind/traits.ts';
import { writeRequests } from '../src/kind/write.ts';
import { requestsOf } from '../src/manual/kind-requests.ts';
import { addressOf, escapeName, unescapeName } from '../src/model/address.ts';
import type { Fields } from '../src/model/value.ts';
import { grapheme } from './support/characters.ts';
import { casesOf } from './support/field-cases.ts';
import { optionalMembers } from './support/optional-members.ts';
import { planExample } from './support/plan-example.ts';
import { isLeaf, placed, samples, writableLeaves } from './support/samples.ts';
import { kinds } from './support/world.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = 'providers/hosting/kinds';
const sources = (under: string) =>
  readdirSync(path.join(root, under), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(under, name.replaceAll(path.sep, '/')));
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** Files that declare a kind, by the name that they export it under. */
const kindFiles = new Map(
  sources(folder).flatMap((file) =>
    [...textOf(file).matchAll(/^export const (\w+) = defineKind\(/gm)].map(([, name]) => [name!, file]),
  ),
);
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Several changes of the kind may be one request, which it makes itself. */
const sendsTogether = ({ shape }: Pick<Kind, 'shape'>) => /sent together/.test(shape.words(false).join());

/** The endpoints whose placeholders the planner fills; what a kind fills itself is checked where it is sent. */
function endpointsOf(kind: Kind): string[] {
  const isBatch = sendsTogether(kind);
  const writes = [kind.create, kind.update, kind.delete, kind.move]
    .flatMap((write) => (write === undefined || isBatch ? [] : writeRequests(write)))
    .flatMap(({ endpoint, params }) => (params ? [] : [endpoint]));
  return [...[kind.read.endpoint].flat(), ...(kind.read.one ? [kind.read.one.endpoint] : []), ...writes];
}

const named = allKinds.map((kind) => [kind.name, kind] as const);

describe.each(named)('%s', (name, kind) => {
  const fields = comparedFields(kind);

  it('stands in a file of its own, named after it', () => {
    expect(path.basename(kindFiles.get(name)!)).toBe(`${kebab(name)}.ts`);
    expect([...kindFiles.values()].filter((file) => file === kindFiles.get(name))).toHaveLength(1);
    expect(kind.doc).toMatch(/^[A-Z].{10,200}\.$/);
  });

  it('documents its fields', () => {
    for (const [field, schema] of Object.entries(kind.fields))
      expect(docOf(schema), field).toMatch(/^[A-Z\d`].{5,250}\.$/);
  });

  it('has a key of fields that are always there', () => {
    for (const field of kind.key) {
      expect(fields[field], field).toBeDefined();
      expect(traitsOf(fields[field]!).secret, field).toBeUndefined();
      expect(fields[field]!.safeParse(undefined).success, `${field} may be absent`).toBe(false);
    }
    if (kind.yaml.mapBy !== undefined) expect(Object.keys(kind.fields)).toContain(kind.yaml.mapBy);
    for (const field of Object.keys(kind.fields)) expect(field).toMatch(/^[a-zA-Z][a-zA-Z0-9]*$/);
  });

  it('has a section that is nobody else’s', () => {
    const parent = kind.parent === undefined ? undefined : kinds.get(kind.parent);
    if (kind.parent !== undefined) expect(parent, 'the parent is a kind').toBeDefined();
    expect(Object.keys(parent?.fields ?? {})).not.toContain(kind.section);
    expect(childKinds(kinds, kind.parent).filter(({ section }) => section === kind.section)).toEqual([kind]);
    if (!parent) expect(headerKeys).not.toContain(kind.section);
    expect(kind.section).toMatch(/^(?!x-)[a-z][a-zA-Z]*$/);
  });

  it('is read in one way, and written in ways that go together', () => {
    expect(kind.read.items === undefined).toBe(kind.key.length === 0);
    expect(can(kind, 'create') || can(kind, 'update')).toBe(true);
    // Nobody sees a staged list on its way, so any way will do.
    if (kind.shape.byIndex) expect(kind.move).toBeDefined();
    if (kind.lifecycle.container) expect(kind.key.length).toBeGreaterThan(0);
    if (kind.lifecycle.lane)
      expect(lineage(kinds, kind.parent).some(({ lifecycle }) => lifecycle.container)).toBe(true);
  });

  it.runIf(kind.read.one)('is read in part only where its siblings have nothing to do with it', () => {
    const { one, detail, gone, endpoint, items } = kind.read;
    expect([typeof endpoint, typeof items]).toEqual(['string', 'string']);
    expect(one!.endpoint).toMatch(/^GET .*\{id\}$/);
    expect(kind.key).toHaveLength(1);
    const { shape, rules, yaml } = kind;
    expect(shape).toBe(plain);
    for (const trait of [detail, yaml.names, rules.clashes, gone, secretIdOf(kind)])
      expect(trait).toBeUndefined();
    for (const { traits } of allSchemas(kind)) expect([traits.ref, traits.softRef]).not.toContain(name);
  });

  it('asks endpoints of the catalog, with placeholders that can be filled', () => {
    for (const endpoint of endpointsOf(kind)) {
      expect(operationOf(endpoint), endpoint).toBeDefined();
      const fillable = [
        'id',
        ...(kind.shape.staging ? ['version'] : []),
        ...lineage(kinds, kind.parent).map((above) => above.name),
        ...Object.keys(kind.fields),
      ];
      for (const [, placeholder] of endpoint.matchAll(/\{(\w+)\}/g))
        expect(fillable, endpoint).toContain(placeholder);
    }
  });

  it('has traits that can be kept', () => {
    for (const { path: at, schema, traits } of allSchemas(kind)) {
      const { updateOnly, createOnly, immutable, unordered, atomic, ref, softRef } = traits;
      if (updateOnly) expect(can(kind, 'update') && !sendsTogether(kind), at).toBe(true);
      if (createOnly || immutable) expect(can(kind, 'create'), at).toBe(true);
      expect(createOnly && (immutable || updateOnly), at).toBeFalsy();
      if (unordered) expect(typesOf(schema), at).toContain('array');
      if (atomic)
        expect(
          typesOf(schema).some((type) => ['any', 'object', 'array', 'record'].includes(type)),
          at,
        ).toBe(true);
      for (const target of [ref, softRef]) {
        if (target === undefined) continue;
        // Found by its name, so it must be near: under something that both are in.
        const { parent } = kinds.get(target) ?? {};
        expect(kinds.has(target), `${at} refers to ${target}`).toBe(true);
        expect([undefined, ...lineage(kinds, kind.parent).map((above) => above.name)], at).toContain(parent);
      }
    }
  });

  it('counts its normal form anew where an empty member says nothing', () => {
    if (optionalMembers(kind).some((member) => member.emptyIsAbsent))
      expect(kind.form ?? 1, 'write `form: 2`').toBeGreaterThan(1);
  });

  it('has a sample with every field, and the sample is valid', () => {
    const sample = samples[name]!;
    const leaves = writableLeaves(kind).map((leaf) => leaf.path);
    const covered = Object.keys(sample.leaves);
    expect(leaves.filter((leaf) => !covered.some((path) => isLeaf(path, leaf)))).toEqual([]);
    expect(covered.filter((path) => !leaves.some((leaf) => isLeaf(path, leaf)))).toEqual([]);
    for (const { label, steps } of casesOf(kind))
      for (const step of steps) {
        const key = kind.yaml.mapBy === undefined ? {} : { [kind.yaml.mapBy]: sampleKey(kind, label) };
        const own = Object.entries(step).filter(([field]) => !field.startsWith('$'));
        expect(
          issuesOf(blockSchema(kind), { ...key, ...Object.fromEntries(own) }),
          JSON.stringify(step),
        ).toEqual([]);
      }
  });

  it('has an example that is valid', async () => {
    expect(kind.example, 'the manual shows one').toBeDefined();
    const { desired, diagnostics } = await loadExample(kinds, kind.example!);
    expect(diagnostics).toEqual([]);
    expect([...desired.resources.values()].map((resource) => resource.kind)).toContain(name);
    expect(kind.example!.trim().split('\n').length, 'it is short').toBeLessThanOrEqual(15);
  });

  it('has an example that shows each request, and owns up to all of them', async () => {
    const requests = await planExample(kinds, kind);
    // Of what is a name and nothing else, only the name can change.
    const isOnlyName = Object.keys(kind.fields).every((field) => kind.key.includes(field));
    for (const verb of ['create', 'update', 'delete'] as const)
      expect(
        requests.some(({ when }) => when === verb),
        `${verb} is planned`,
      ).toBe(can(kind, verb) && (verb !== 'update' || !isOnlyName));
    expect(requests.some(({ when }) => when === 'move')).toBe(kind.shape.byIndex);
    const owned = new Set(requestsOf(kind).map(({ endpoint }) => endpoint));
    expect(requests.filter(({ endpoint }) => !owned.has(endpoint))).toEqual([]);
  });

  it('has addresses that lead back to where an object is', () => {
    const above = lineage(kinds, kind.parent).reverse();
    const strange = fc.string({ unit: grapheme, minLength: 1 });
    fc.assert(
      fc.property(fc.array(strange, { minLength: 12, maxLength: 12 }), (drawn) => {
        const names = [...drawn];
        const drawnFor = (schema: z.ZodType) =>
          (schema instanceof z.ZodEnum ? schema.options[0] : names.pop())!;
        const places: [string, string | undefined, string][] = [];
        for (const one of [...above, kind]) {
          const fields = Object.fromEntries(one.key.map((field) => [field, drawnFor(one.fields[field]!)]));
          const parent = places.at(-1)?.[2];
          places.push([one.name, parent, addressOf(parent, one.section, namesOf(one, fields))]);
        }
        const address = places.at(-1)![2];
        expect(placesOf(address, name, kinds)).toEqual(places);
        expect(address).not.toMatch(/[*?]/);
      }),
      { numRuns: 25 },
    );
  });

  it.runIf(kind.shape.rowOf)('turns its units back into the row that they came from', () => {
    const { units: toUnits, rowOf } = kind.shape;
    const zone = { name: 'example.com' };
    for (const { steps } of casesOf(kind))
      for (const step of steps) {
        const row = { ...sampleKeys(kind), ...step } as Fields;
        const units = toUnits(row, zone);
        expect(toUnits(rowOf!(units), zone)).toEqual(units);
        for (const unit of units)
          expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(unit)));
      }
  });
});

describe('all kinds', () => {
  it('are in the list of the provider, in an order that needs nothing later in a lane', () => {
    expect([...kindFiles.keys()].sort()).toEqual(allKinds.map(({ name }) => name).sort());
    expect(Object.keys(samples).sort()).toEqual(allKinds.map(({ name }) => name).sort());
    allKinds.forEach(({ parent }, index) => {
      if (parent !== undefined) expect(allKinds.slice(0, index).map(({ name }) => name)).toContain(parent);
    });
  });

  it('name only operations of the catalog', () => {
    const endpoints = sources(folder).flatMap((file) => endpointsIn(textOf(file)));
    expect(endpoints.filter((endpoint) => !operationOf(endpoint))).toEqual([]);
    const claimed = new Set(endpoints.map(operationOf));
    console.log(`kinds: ${allKinds.length} kinds claim ${claimed.size} of ${catalog.length} operations`);
  });

  it('claim the endpoints that stand in their sources, and no others', () => {
    const files = new Set([...kindFiles].flatMap(([name, file]) => (kinds.has(name) ? usedBy(file) : [])));
    const written = [...files].flatMap((file) => endpointsIn(textOf(file)));
    const claimed = allKinds.flatMap((kind) => requestsOf(kind).map(({ endpoint }) => endpoint));
    expect([...new Set(claimed)].sort()).toEqual([...new Set(written)].sort());
    for (const kind of allKinds) {
      const own = usedBy(kindFiles.get(kind.name)!).flatMap((file) => endpointsIn(textOf(file)));
      expect(requestsOf(kind).filter(({ endpoint }) => !own.includes(endpoint))).toEqual([]);
    }
  });

  it('are mostly short', () => {
    const lines = [...kindFiles.values()].map(
      (file) =>
        textOf(file)
          .replace(/^import [^;]*;/gm, '')
          // Text for the manual, like a comment.
          .replace(/^ {2}example: `[^`]*`,$/gm, '')
          .replace(/\s*\.describe\(\s*(['"`]).*?\1,?\s*\)/gs, '')
          .split('\n')
          .filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length,
    );
    const sorted = lines.sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)]!;
    console.log(`kinds: lines of code without imports ${sorted.join(' ')}, median ${median}`);
    expect(median).toBeGreaterThanOrEqual(20);
    expect(median).toBeLessThanOrEqual(40);
  });

  it('are known to nobody by name', () => {
    const names = allKinds.map(({ name }) => name).join('|');
    const tests = [
      new RegExp(`\\b\\w*[kK]ind(\\w*|\\??\\.name)\\)?\\s*[!=]==?\\s*'(${names})'`),
      new RegExp(`'(${names})'\\s*[!=]==?`),
      new RegExp(`\\bcase\\s+'(${names})'`),
      new RegExp(`\\b(kinds|byName)\\.(get|has)\\('(${names})'\\)`),
      new RegExp(`\\[[^\\]]*'(${names})'[^\\]]*\\]\\.includes\\(\\w*([kK]ind|\\.name)`),
    ];
    const found = [...sources('src'), ...sources('providers')].flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => tests.some((test) => test.test(line)))
        .filter((line) => !(kindFiles.get(/'(\w+)'/.exec(line)?.[1] ?? '') === file))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
    expect(tests.some((test) => test.test("if (change.kind === 'project') {"))).toBe(true);
  });
});

it('names in addresses come back as they were', () => {
  fc.assert(
    fc.property(fc.string({ unit: grapheme }), (name) => {
      expect(unescapeName(escapeName(name))).toBe(name);
      expect(escapeName(name)).not.toMatch(/[/*?]/);
    }),
  );
});

const endpointsIn = (text: string): string[] =>
  [...text.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/[^']*)'/g)].map(([, endpoint]) => endpoint!);

/** A file, and those that it imports, directly or not. */
function usedBy(file: string, found: string[] = []): string[] {
  if (found.includes(file)) return found;
  const imported = [...textOf(file).matchAll(/ from '(\.[^']+)'/g)].map(([, from]) =>
    path.posix.join(path.posix.dirname(file), from!),
  );
  return imported.reduce((all, next) => usedBy(next, all), [...found, file]);
}

/** The operation that an endpoint is; a word may stand where the catalog has a placeholder (`config/active`). */
function operationOf(endpoint: string) {
  const [method, target] = endpoint.replace(/\?.*/, '').split(' ') as [string, string];
  const parts = target.split('/');
  const isOpen = (part: string) => part.startsWith('{');
  const fits = (path: string, part: (one: string, other: string) => boolean) =>
    path.split('/').length === parts.length &&
    path.split('/').every((one, index) => part(one, parts[index]!));
  const exact = (one: string, other: string) => one === other || (isOpen(one) && isOpen(other));
  const loose = (one: string, other: string) => one === other || isOpen(one);
  const own = catalog.filter((operation) => operation.method === method);
  return own.find(({ path }) => fits(path, exact)) ?? own.find(({ path }) => fits(path, loose));
}

/** Every schema of a kind, nested ones included, with its traits. */
function allSchemas(kind: Kind) {
  const inside = (at: string, schema: z.ZodType): { path: string; schema: z.ZodType }[] => [
    { path: at, schema },
    ...Object.entries(shapeOf(schema) ?? {}).flatMap(([name, inner]) => inside(`${at}.${name}`, inner)),
  ];
  return Object.entries({ ...kind.fields, ...comparedFields(kind) })
    .flatMap(([name, schema]) => inside(name, schema))
    .map((one) => ({ ...one, traits: traitsOf(one.schema) }));
}

/** The sorts of value that a schema takes, wrappers and unions looked through. */
function typesOf(schema: z.ZodType): string[] {
  const inner = innerOf(schema);
  if (inner) return typesOf(inner);
  const { type, options } = schema.def as { type: string; options?: z.ZodType[] };
  return options ? options.flatMap(typesOf) : [type];
}

const issuesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** What the place of a sample says about its key. */
const sampleKey = (kind: Kind, label: string): string => {
  return findHere(placed(samples[kind.name]!, label, { HERE: true }))!;
};

const findHere = (block: unknown, key = ''): string | undefined =>
  typeof block !== 'object' || block === null
    ? undefined
    : 'HERE' in block
      ? key
      : Object.entries(block)
          .map(([name, inner]) => findHere(inner, Array.isArray(block) ? key : name))
          .find((found) => found !== undefined);

const sampleKeys = (kind: Kind): Fields =>
  kind.yaml.mapBy === undefined ? {} : { [kind.yaml.mapBy]: sampleKey(kind, 'label') };
