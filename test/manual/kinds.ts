import { z } from 'zod';
import { defineKind, kindsOf } from '../../src/kind/define-kind.ts';
import {
  atomic,
  createOnly,
  escapeName,
  immutable,
  openEnum,
  refTo,
  request,
  secret,
  setOf,
  updateOnly,
  withTraits,
} from '../../src/kind/index.ts';
import { batch, ordered, rows } from '../../src/shapes/index.ts';

/** A container in a map: fields of many types, endpoints as data. */
const site = defineKind({
  name: 'site',
  doc: 'A site with everything that belongs to it.',
  example: `
sites:
  shop:
    region: fra
    password: "\${secret.shop}"
    build: { command: make }
secrets:
  shop: { env: SHOP_PASSWORD }
`,
  section: 'sites',
  key: ['name'],
  lifecycle: { replace: 'never', container: true },
  fields: () => ({
    name: z.string().min(1).max(40).describe('The name of the site.'),
    region: immutable(z.enum(['fra', 'iad'])).describe('Where it runs.'),
    framework: openEnum(['nextjs', 'astro']).nullable().optional().describe('What it is built with.'),
    replicas: z.int().min(1).max(9).default(2).describe('How many run at once.'),
    password: withTraits(secret(z.string()), { writeOnly: true })
      .optional()
      .describe('Who knows it may look.'),
    template: createOnly(z.string()).optional(),
    build: updateOnly(
      z.strictObject({
        command: z.string().nullable(),
        cache: z.boolean().optional().describe('Whether it is kept.'),
      }),
    )
      .nullable()
      .optional()
      .describe('How it is built.'),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  read: { endpoint: 'GET /sites', items: 'sites' },
  create: 'POST /sites',
  update: 'PATCH /sites/{id}',
  delete: 'DELETE /sites/{id}',
});

/** Units in a map, several entries under one key; requests made by a function. */
const variable = defineKind({
  name: 'variable',
  doc: 'A variable of a site, in some stages.',
  example: `
sites:
  shop:
    region: fra
    env:
      LEVEL: info
`,
  section: 'env',
  parent: 'site',
  key: ['key'],
  yaml: {
    manyPerKey: true,
    shorthand: (value) => ({ value }),
    names: ({ key, stage }) => [`${escapeName(String(key))}@${escapeName(String(stage))}`],
  },
  fields: () => ({
    key: z.string().regex(/^[A-Z_]+$/),
    value: secret(z.string(), ({ type }) => type !== 'plain'),
    type: withTraits(z.enum(['plain', 'sealed']), { immutable: (before) => before === 'sealed' }).optional(),
    stages: setOf(z.enum(['live', 'test']))
      .min(1)
      .optional(),
  }),
  shape: rows(
    {
      fields: () => ({
        key: z.string(),
        value: secret(z.string()),
        stage: z.string(),
        type: z.string().optional(),
      }),
      addressFields: ['stage'],
      toUnits: ({ stages, ...shared }) =>
        ((stages ?? ['live', 'test']) as string[]).map((stage) => ({ ...shared, stage })),
      toRow: (units) => units[0]!,
    },
    batch((steps) =>
      steps.map(({ action, address, id }) => ({
        changes: [address],
        requests: [
          action === 'create'
            ? request('POST /sites/{site}/env', {})
            : action === 'delete'
              ? request('DELETE /sites/{site}/env', {})
              : request('PUT /sites/{site}/env/{id}', {}, { id }),
        ],
      })),
    ),
  ),
  read: { endpoint: 'GET /sites/{site}/env?all=true', items: 'env' },
  create: 'POST /sites/{site}/env',
  update: 'PUT /sites/{site}/env/{id}',
  delete: 'DELETE /sites/{site}/env',
});

const form = (type: string, shape: z.ZodRawShape) => z.strictObject({ type: z.literal(type), ...shape });

/** An ordered list in a lane, whose fields have forms and lists of objects. */
const rule = defineKind({
  name: 'rule',
  doc: 'A rule for requests to a site; the first that matches decides.',
  example: `
sites:
  shop:
    region: fra
    rules:
      - { name: health, action: { type: allow }, when: [{ path: /health }] }
      - { name: admin, action: { type: limit, rate: 10 }, when: [{ path: /admin, address: 192.0.2.1 }] }
`,
  section: 'rules',
  parent: 'site',
  key: ['name'],
  shape: ordered(({ when, action }) => [when!, action!]),
  lifecycle: { replace: 'free', lane: 'rules' },
  fields: () => ({
    name: z.string(),
    when: atomic(
      z.array(
        z.strictObject({
          path: z.string().describe('How the path begins.'),
          address: z.union([z.ipv4(), z.cidrv4()]).nullable().optional(),
        }),
      ),
    ).describe('What a request must be like.'),
    action: z.union([form('allow', {}), form('limit', { rate: z.number().min(1) })]),
    variable: refTo('variable').optional(),
    note: z.any(),
  }),
  read: { endpoint: 'GET /sites/{site}/rules', items: 'rules' },
  create: 'POST /sites/{site}/rules',
  update: 'PATCH /sites/{site}/rules/{id}',
  delete: 'DELETE /sites/{site}/rules/{id}',
  move: { endpoint: 'POST /sites/{site}/rules/{id}/move', body: ({ to }) => ({ to }) },
});

/** What always exists, one for each site. */
const shield = defineKind({
  name: 'shield',
  doc: 'Whether a site is shielded.',
  example: `
sites:
  shop: { region: fra, shield: { on: true } }
`,
  section: 'shield',
  parent: 'site',
  key: [],
  lifecycle: { lane: 'rules' },
  fields: () => ({ on: z.boolean() }),
  read: { endpoint: 'GET /sites/{site}/shield' },
  update: 'PUT /sites/{site}/shield',
});

export const kinds = kindsOf([site, variable, rule, shield]);
