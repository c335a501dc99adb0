import { z } from 'zod';
import { defineKind, kindsOf } from '../../src/kind/define-kind.ts';
import { escapeName, type Fields, openEnum, refTo, secret, setOf, softRefTo } from '../../src/kind/index.ts';
import { ordered, rows } from '../../src/shapes/index.ts';

const read = { endpoint: 'GET /things', items: '' } as const;

const site = defineKind({
  name: 'site',
  doc: 'A container with fields of every type.',
  section: 'sites',
  key: ['name'],
  lifecycle: { container: true },
  fields: () => ({
    name: z.string().min(1).max(40),
    framework: openEnum(['nextjs', 'astro', 'hugo']).nullable().optional(),
    region: z.enum(['fra', 'iad']).optional(),
    port: z.int().min(1).optional(),
    active: z.boolean().optional(),
    note: z.string().nullable().optional(),
    version: z.string().optional(),
    email: z.email().optional(),
    password: secret(z.string()).optional(),
    tags: setOf(z.string()).optional(),
    size: z.union([z.number(), z.literal('auto'), z.string().regex(/^\d+%$/)]).optional(),
    logs: z.union([z.literal('*'), z.array(z.string())]).optional(),
    build: z
      .strictObject({
        command: z.string(),
        cache: z.boolean().optional(),
        key: secret(z.string()).optional(),
        steps: z
          .array(z.strictObject({ run: z.string(), shell: z.enum(['sh', 'bash']).optional() }))
          .optional(),
      })
      .optional(),
    labels: z.record(z.string(), z.string()).optional(),
    extra: z.any().optional(),
  }),
  rules: {
    check: ({ port, active }) =>
      port === 1 && active ? [{ path: ['port'], message: 'no', hint: 'another' }] : [],
  },
  read,
  shows: 'token',
});

const stage = defineKind({
  name: 'stage',
  doc: 'Something that siblings refer to.',
  section: 'stages',
  parent: 'site',
  key: ['slug'],
  fields: () => ({ slug: z.string().regex(/^[a-z-]+$/) }),
  read,
});

const variable = defineKind({
  name: 'variable',
  doc: 'Several entries under one key, units for rows.',
  section: 'env',
  parent: 'site',
  key: ['key'],
  yaml: {
    manyPerKey: true,
    shorthand: (value) => ({ value }),
    names: ({ key, target }) => [`${escapeName(String(key))}@${escapeName(String(target))}`],
  },
  fields: () => ({
    key: z.string().regex(/^[A-Z_]+$/),
    value: secret(z.string(), ({ type }) => type !== 'plain'),
    type: z.enum(['plain', 'encrypted']).optional(),
    target: setOf(z.string()).optional(),
    stages: setOf(refTo('stage')).optional(),
  }),
  shape: rows({
    fields: () => ({ key: z.string(), value: secret(z.string()), type: z.string(), target: z.string() }),
    toUnits: ({ target, ...shared }) =>
      ((target ?? ['live', 'test']) as string[]).map((item) => ({ ...shared, target: item })),
    toRow: (units) => units[0]!,
  }),
  read,
});

const host = defineKind({
  name: 'host',
  doc: 'Names without case, and an order among siblings by mention.',
  section: 'hosts',
  parent: 'site',
  key: ['name'],
  fields: () => ({
    name: z.string().toLowerCase(),
    redirect: softRefTo('host', z.string().toLowerCase()).nullable().optional(),
    stage: refTo('stage').optional(),
  }),
  read,
});

const wall = defineKind({
  name: 'wall',
  doc: 'A singleton with children.',
  section: 'wall',
  parent: 'site',
  key: [],
  fields: () => ({ enabled: z.boolean().optional() }),
  read,
});

const rule = defineKind({
  name: 'rule',
  doc: 'An ordered list.',
  section: 'rules',
  parent: 'wall',
  key: ['name'],
  shape: ordered(),
  fields: () => ({ name: z.string(), match: z.string(), action: z.strictObject({ type: z.string() }) }),
  read,
});

const entry = defineKind({
  name: 'entry',
  doc: 'A list whose key has two parts.',
  section: 'entries',
  parent: 'wall',
  key: ['host', 'ip'],
  fields: () => ({ host: z.string().toLowerCase(), ip: z.string(), note: z.string().optional() }),
  read,
});

const zone = defineKind({
  name: 'zone',
  doc: 'The parent of sets.',
  section: 'zones',
  key: ['name'],
  lifecycle: { container: true },
  fields: () => ({ name: z.string().toLowerCase(), ttl: z.number().optional() }),
  read: { ...read, later: { until: 'it is there', pending: () => undefined } },
});

const record = defineKind({
  name: 'record',
  doc: 'A list of rows that make up sets.',
  section: 'records',
  parent: 'zone',
  key: ['name', 'type'],
  fields: () => ({ name: z.string().toLowerCase(), type: z.string(), value: z.string() }),
  shape: rows({
    fields: () => ({ name: z.string(), type: z.string(), values: z.array(z.string()) }),
    toUnits: ({ name, type, value }, parent) => [
      { name: name === parent.name ? '@' : name!, type: type!, values: [value!] },
    ],
    merge: (one, other) => {
      const [added] = other.values as string[];
      const values = one.values as string[];
      return values.includes(added!) ? undefined : ({ ...one, values: [...values, added] } as Fields);
    },
    toRow: ([unit]) => unit!,
  }),
  read,
});

export const kinds = kindsOf([site, stage, variable, host, wall, rule, entry, zone, record]);
