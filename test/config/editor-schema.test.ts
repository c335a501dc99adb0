import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { metaReaders } from '../../src/config/blocks/meta-readers.ts';
import { editorSchema } from '../../src/config/editor/editor-schema.ts';
import type { JsonSchema } from '../../src/config/editor/json-schema.ts';
import { layerKeys } from '../../src/config/expressions/inspect-node.ts';
import { defineKind, kindsOf } from '../../src/kind/define-kind.ts';
import { atomic } from '../../src/kind/traits.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds as testKinds } from './kinds.ts';

const story = oneStoryIn(3);

const real = kindsOf(allKinds);
const definitionsOf = (schema: JsonSchema) => schema.definitions as Record<string, JsonSchema>;

/** Every schema in a schema, with its place. */
function all(schema: unknown, at = ''): { at: string; schema: JsonSchema }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([name, value]) => all(value, `${at}/${name}`));
  return Array.isArray(schema) ? inner : [{ at, schema: schema as JsonSchema }, ...inner];
}

/** The definition of one kind with these fields. */
const definition = (fields: Record<string, z.ZodType>): JsonSchema => definitionsOf(schemaOf(fields)).thing!;

/** The schema of a provider that has one kind, with these fields. */
function schemaOf(fields: Record<string, z.ZodType>): JsonSchema {
  const kind = defineKind({
    name: 'thing',
    doc: 'A thing.',
    section: 'things',
    key: ['name'],
    fields: () => fields,
    read: { endpoint: 'GET /things', items: '' },
  });
  return editorSchema(kindsOf([kind]));
}

describe('every kind', () => {
  const schema = editorSchema(real);

  story('has a definition with its documentation, and references lead to one', () => {
    expect(Object.keys(definitionsOf(schema))).toEqual(
      expect.arrayContaining(allKinds.map(({ name }) => name)),
    );
    for (const { name, doc } of allKinds)
      expect(definitionsOf(schema)[name]).toMatchObject({ title: name, description: doc });
    const references = all(schema).flatMap(({ schema: { $ref } }) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    expect(new Set(references)).toEqual(
      new Set(Object.keys(definitionsOf(schema)).map((name) => `#/definitions/${name}`)),
    );
  });

  it('stays small enough for an editor', () => {
    expect(JSON.stringify(schema).length / real.size).toBeLessThan(8000);
  });

  story('knows nothing but what is declared', () => {
    const open = all(schema).filter(
      ({ schema: { properties, additionalProperties, title } }) =>
        properties && title && additionalProperties !== false,
    );
    expect(open.map(({ at }) => at)).toEqual([]);
    expect(schema).toMatchObject({ additionalProperties: false, patternProperties: { '^x-': {} } });
  });

  it('has its `$` keys, all documented, and no others', () => {
    const keys = new Set<string>();
    for (const { name } of allKinds)
      for (const [key, value] of Object.entries(definitionsOf(schema)[name]!.properties!)) {
        if (!key.startsWith('$')) continue;
        keys.add(key);
        const { description } = value.$ref ? definitionsOf(schema)[key]! : value;
        expect(description, key).toMatch(/^[A-Z].*\.$/);
      }
    expect([...keys].sort()).toEqual([...Object.keys(metaReaders), ...layerKeys].sort());
  });

  it('says of its fields what they are, and which are secret', () => {
    for (const kind of allKinds)
      for (const field of Object.keys(kind.fields))
        expect(definitionsOf(schema)[kind.name]!.properties![field]!.description, field).toMatch(/\.$/);
    const { project } = definitionsOf(schema);
    expect(project!.properties!.passwordProtection!.properties!.password!.description).toContain('A secret.');
  });
});

describe('sections follow the kinds', () => {
  const schema = editorSchema(testKinds);
  const { site, wall, variable, rule, zone } = definitionsOf(schema);

  it('as a map, a list, a single block, or entries that may be lists and shorthands', () => {
    expect(Object.keys(schema.properties!)).toEqual([
      'stack',
      'platform',
      'ledger',
      'include',
      'stages',
      'variables',
      'owns',
      'findings',
      'removed',
      '$allow',
      'secrets',
      'use',
      'lookups',
      'templates',
      'patches',
      'sites',
      'zones',
    ]);
    expect(schema.properties!.sites).toMatchObject({ additionalProperties: { $ref: '#/definitions/site' } });
    expect(site!.properties!.wall).toMatchObject({ $ref: '#/definitions/wall' });
    expect(wall!.properties!.rules).toMatchObject({
      type: ['array', 'string'],
      items: { $ref: '#/definitions/rule' },
    });
    const entry = site!.properties!.env!.additionalProperties as JsonSchema;
    expect([entry.if, entry.then!.items, entry.else]).toEqual([
      { type: 'array' },
      { $ref: '#/definitions/variable' },
      { $ref: '#/definitions/variable' },
    ]);
    expect(variable!.type).toEqual(['object', 'string', 'number', 'boolean', 'null']);
  });

  it('null stands for an empty entry of a map', () => {
    expect(site!.type).toContain('null');
    expect(rule!.type).not.toContain('null');
    expect(wall!.type).not.toContain('null');
  });

  it('what is required may be missing from what only exists or is let go, but for the key', () => {
    expect(definitionsOf(schema)['complete.rule']).toMatchObject({
      if: { required: ['$use'] },
      else: {
        required: ['name'],
        if: { required: ['$existing'] },
        else: { required: ['match', 'action'] },
      },
    });
    expect(zone!.required).toBeUndefined();
  });

  it('each kind has the keys of layers that mean something there', () => {
    const keysOf = (kind: JsonSchema) => Object.keys(kind.properties!).filter((key) => layerKeys.has(key));
    const everywhere = ['$each', '$use', '$when', '$drop'];
    expect(keysOf(site!)).toEqual(everywhere);
    expect(keysOf(variable!)).toEqual([...everywhere, '$add']);
    expect(keysOf(rule!)).toEqual([...everywhere, '$first', '$last', '$before', '$after']);
  });

  it('`$exclusive` names child sections; where there are none it is unknown', () => {
    const { items } = site!.properties!.$exclusive as { items: JsonSchema };
    expect(items.anyOf![0]!.enum).toEqual(['stages', 'env', 'hosts', 'wall']);
    expect(Object.keys(rule!.properties!)).not.toContain('$exclusive');
  });
});

describe('fields', () => {
  it('one member that tells objects apart becomes conditions, one of which is checked', () => {
    const one = z.strictObject({ type: z.literal('one'), url: z.string() });
    const two = z.strictObject({ type: z.enum(['two', 'three']), size: z.number().describe('How large.') });
    for (const union of [z.discriminatedUnion('type', [one, two]), z.union([one, two]).nullable()]) {
      const { to } = definition({ name: z.string(), to: union }).properties!;
      expect(JSON.stringify(to)).not.toContain('oneOf');
      expect(to!.properties!.type!.anyOf![0]!.enum).toEqual(['one', 'two', 'three']);
      expect(to!.allOf!.map((one) => one.if!.properties!.type)).toEqual([
        { enum: ['one'] },
        { enum: ['two', 'three'] },
      ]);
      expect(to!.allOf!.map((one) => one.then)).toMatchObject([
        { required: ['type', 'url'] },
        { properties: { size: { description: 'How large.' } }, additionalProperties: false },
      ]);
    }
  });

  it('keep defaults, limits, patterns and the words for them', () => {
    const { properties } = definition({
      name: z.string(),
      count: z.int().min(3).max(9).default(5).describe('How many.'),
      slug: z
        .string()
        .regex(/^[a-z]+$/, 'a slug can have letters')
        .max(20)
        .optional(),
      hosts: z.array(z.string()).min(1).optional(),
      labels: z.record(z.string().regex(/^[a-z]+$/), z.boolean()).optional(),
    });
    expect(properties!.count).toEqual({
      type: ['integer', 'string'],
      pattern: '\\$\\{',
      patternErrorMessage: 'Incorrect type. Expected "integer".',
      minimum: 3,
      maximum: 9,
      default: 5,
      description: 'How many.',
    });
    expect(properties!.slug!.anyOf![0]!.else).toEqual({
      pattern: '^[a-z]+$',
      patternErrorMessage: 'a slug can have letters',
      maxLength: 20,
    });
    expect(properties!.hosts).toMatchObject({ minItems: 1 });
    expect(properties!.labels).toMatchObject({
      propertyNames: { else: { pattern: '^[a-z]+$' } },
      additionalProperties: { type: ['boolean', 'string'] },
    });
  });

  it('require nothing that another layer may give; what is compared as a whole requires what it does', () => {
    const inner = z.strictObject({ a: z.string(), b: z.string().optional() });
    const fields = {
      name: z.string(),
      merged: z
        .strictObject({ one: inner, more: z.record(z.string(), inner) })
        .nullable()
        .optional(),
      whole: atomic(z.strictObject({ inner })).optional(),
      list: z.array(inner).min(2).optional(),
    };
    const schema = schemaOf(fields);
    const { merged, whole, list } = definitionsOf(schema).thing!.properties!;
    expect(JSON.stringify(merged)).not.toContain('required');
    expect(whole).toMatchObject({ required: ['inner'], properties: { inner: { required: ['a'] } } });
    expect(JSON.stringify(schema)).not.toContain('isWhole');
    // `"...${var.x}"` stands for any number of items.
    expect(list).toMatchObject({ items: { required: ['a'] }, else: { minItems: 2 } });
    const complete = definitionsOf(schema)['complete.thing']!.else!;
    expect(Object.keys(complete.properties!)).toEqual(['merged']);
    expect(complete.properties!.merged).toMatchObject({
      required: ['one', 'more'],
      properties: { one: { required: ['a'] }, more: { additionalProperties: { required: ['a'] } } },
    });
  });
});
