import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog } from '../providers/hosting/catalog.ts';
import { actionsAndLookups } from '../providers/hosting/day-two.ts';
import { extraOperations } from '../providers/hosting/extra-operations.ts';
import { kinds as allKinds } from '../providers/hosting/kinds/index.ts';
import { comparedFields } from '../src/kind/compare.ts';
import { addressPathOf, canDo, lineage, namesOf, secretIdOf } from '../src/kind/define-kind.ts';
import type { Kind } from '../src/kind/kind.ts';
import { plain } from '../src/kind/plain.ts';
import { innerOf, shapeOf, traitsOf } from '../src/kind/traits.ts';
import { operationOf } from '../src/manual/coverage.ts';
import { requestsOf } from '../src/manual/kind-requests.ts';
import { addressOf, escapeName, unescapeName } from '../src/model/address.ts';
import type { Fields } from '../src/model/value.ts';
import { missingFor, unlisted } from './contract/contract.ts';
import { folder, given, sources, textOf } from './contract/given.ts';
import { exampleFindings } from './contract/of-example.ts';
import { sendsTogether } from './contract/of-kind.ts';
import { nameIn } from './contract/of-sample.ts';
import { seedFindings } from './contract/of-twin.ts';
import { grapheme } from './support/characters.ts';
import { codeLines, median } from './support/code-lines.ts';
import { casesOf } from './support/field-cases.ts';
import { planExample } from './support/plan-example.ts';
import { blockSchema, samples } from './support/samples.ts';
import { oneStoryIn, runs } from './support/sweep.ts';
import { kinds } from './support/world.ts';

const story = oneStoryIn(4);

const { files: kindFiles } = given;

describe('the contract', () => {
  it.each(allKinds.map((kind) => [kind.name, kind] as const))('%s lacks nothing', async (_, kind) => {
    const found = [...missingFor(kind), ...(await exampleFindings(kind))];
    if (found.length > 0) expect.fail(found.map((message) => `${kind.name}: ${message}`).join('\n'));
  });

  it('what is there is in the lists, and what the twin can be seeded with is in a sample', () => {
    const found = [...unlisted(), ...seedFindings(given)];
    if (found.length > 0) expect.fail(found.map(({ kind, message }) => `${kind}: ${message}`).join('\n'));
  });
});

// What lacks something has said so above.
const named = allKinds
  .filter((kind) => missingFor(kind).length === 0)
  .map((kind) => [kind.name, kind] as const);

describe.each(named)('%s', (name, kind) => {
  const fields = comparedFields(kind);

  it('has a container that its lane is in', () => {
    if (kind.lifecycle.container) expect(kind.key.length).toBeGreaterThan(0);
    if (kind.lifecycle.lane)
      expect(lineage(kinds, kind.parent).some(({ lifecycle }) => lifecycle.container)).toBe(true);
    if (kind.yaml.mapBy !== undefined) expect(Object.keys(kind.fields)).toContain(kind.yaml.mapBy);
  });

  it.runIf(kind.read.single)('is read in part only where its siblings have nothing to do with it', () => {
    const { single, byId, deletedMark, endpoint, items } = kind.read;
    if (endpoint !== undefined) expect([typeof endpoint, typeof items]).toEqual(['string', 'string']);
    expect(single!.endpoint).toMatch(/^GET .*\{id\}(\/|$)/);
    expect(kind.key).toHaveLength(1);
    const { shape, rules, yaml } = kind;
    const { onlyDeclared: _, ...asUsual } = shape;
    expect(asUsual).toEqual(plain);
    for (const trait of [byId, yaml.names, rules.clashes, deletedMark, secretIdOf(kind)])
      expect(trait).toBeUndefined();
    for (const { traits } of allSchemas(kind)) expect([traits.ref, traits.softRef]).not.toContain(name);
  });

  it('has traits that can be kept', () => {
    for (const { path: at, schema, traits } of allSchemas(kind)) {
      const { updateOnly, createOnly, immutable, unordered, atomic, ref, softRef } = traits;
      if (updateOnly) expect(canDo(kind, 'update') && !sendsTogether(kind), at).toBe(true);
      if (createOnly || immutable) expect(canDo(kind, 'create'), at).toBe(true);
      expect(createOnly && (immutable || updateOnly), at).toBeFalsy();
      if (unordered) expect(typesOf(schema), at).toContain(atomic ? 'object' : 'array');
      if (atomic)
        expect(
          typesOf(schema).some((type) => ['any', 'object', 'array', 'record'].includes(type)),
          at,
        ).toBe(true);
      for (const target of [ref, softRef]) {
        if (target === undefined) continue;
        // Found by its name, so it must be near: under something that both are in.
        const { parent } = kinds.get(target) ?? {};
        expect([undefined, ...lineage(kinds, kind.parent).map((above) => above.name)], at).toContain(parent);
      }
    }
  });

  story('has a sample that is valid in each step', () => {
    for (const { label, steps } of casesOf(kind))
      for (const step of steps) {
        const key =
          kind.yaml.mapBy === undefined ? {} : { [kind.yaml.mapBy]: nameIn(samples[kind.name]!, label) };
        const own = Object.entries(step).filter(([field]) => !field.startsWith('$'));
        expect(
          issuesOf(blockSchema(kind), { ...key, ...Object.fromEntries(own) }),
          JSON.stringify(step),
        ).toEqual([]);
      }
  });

  story('has an example that shows each request, and owns up to all of them', async () => {
    const requests = await planExample(kinds, kind);
    // Of what is a name, and nothing else that could be changed, only the name can.
    const isOnlyName = Object.entries(kind.fields).every(
      ([field, schema]) => kind.key.includes(field) || traitsOf(schema).immutable === true,
    );
    for (const verb of ['create', 'update', 'delete'] as const)
      expect(
        requests.some(({ when }) => when === verb),
        `${verb} is planned`,
      ).toBe(canDo(kind, verb) && (verb !== 'update' || !isOnlyName));
    expect(requests.some(({ when }) => when === 'move')).toBe(kind.shape.byIndex);
    const owned = new Set(requestsOf(kind).map(({ endpoint }) => endpoint));
    expect(requests.filter(({ endpoint }) => !owned.has(endpoint))).toEqual([]);
  });

  story('has addresses that lead back to where an object is', () => {
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
        expect(addressPathOf(address, name, kinds)).toEqual(places);
        expect(address).not.toMatch(/[*?]/);
      }),
      { numRuns: runs(25, 12) },
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
  it('name only operations of the catalog, and those few outside of it that are listed', () => {
    const endpoints = sources(folder).flatMap((file) => endpointsIn(textOf(file)));
    const outside = endpoints.filter((endpoint) => !operationOf(endpoint, catalog));
    expect(outside.filter((endpoint) => !operationOf(endpoint, extraOperations))).toEqual([]);
    const lookups = [...actionsAndLookups.lookups.values()].flatMap(({ endpoint, single }) =>
      [endpoint, single?.endpoint ?? []].flat(),
    );
    const used = new Set([...outside, ...lookups].map((endpoint) => operationOf(endpoint, extraOperations)));
    expect(extraOperations.filter((operation) => !used.has(operation))).toEqual([]);
    const claimed = new Set(endpoints.flatMap((endpoint) => operationOf(endpoint, catalog) ?? []));
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
    const lines = [...kindFiles.values()].map((file) =>
      codeLines(
        textOf(file)
          // Text for the manual, like a comment.
          .replace(/^ {2}example: `[^`]*`,$/gm, '')
          .replace(/\s*\.describe\(\s*(['"`]).*?\1,?\s*\)/gs, ''),
      ),
    );
    const sorted = lines.sort((a, b) => a - b);
    const middle = median(sorted);
    console.log(`kinds: lines of code without imports ${sorted.join(' ')}, median ${middle}`);
    expect(middle).toBeGreaterThanOrEqual(20);
    expect(middle).toBeLessThanOrEqual(40);
  });

  story('are known to nobody by name', () => {
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

const sampleKeys = (kind: Kind): Fields =>
  kind.yaml.mapBy === undefined ? {} : { [kind.yaml.mapBy]: nameIn(samples[kind.name]!, 'label')! };
