import * as z from 'zod';
import {
  type ApiObject,
  defineKind,
  emptyCounts,
  escapeName,
  type Fields,
  neededToCreate,
  refTo,
  secretUnlessWritten,
  setOf,
  withTraits,
} from '#kind';
import { batch, rows } from '#shapes';
import { createTypeAlignment } from './env-var-policy.ts';
import { writesTo } from './env-var-rows.ts';
import {
  grade,
  refuseSensitiveDevelopment,
  sensitiveEntry,
  valueRules,
  variableName,
  warnPublicSecret,
} from './env-var-rules.ts';
import {
  hasUnknownTargets,
  isInNoPlace,
  placesIn,
  targetsOf,
  toRow,
  toSharedUnits,
} from './env-var-units.ts';
import { outcomesOfWrite, sharedRows } from './shared-env-var-rows.ts';

const types = ['encrypted', 'sensitive'] as const;
/** Immutable once it is `sensitive`, because the platform does not change it back. */
const type = () =>
  withTraits(z.enum(types), { immutable: (before) => before === 'sensitive' })
    .optional()
    .describe(
      'How the value is kept: `encrypted` (readable again) or `sensitive` (never readable); `encrypted` by default, `sensitive` if the team requires it.',
    );
const text = () => z.string().optional();
const value = () =>
  withTraits(neededToCreate(secretUnlessWritten(z.string(), true, valueRules)), {
    takesSecret: sensitiveEntry,
  })
    .optional()
    .describe(
      'The value that builds and functions of the linked projects see. If omitted, the value is kept and the variable must already exist.',
    );
const projectId = () =>
  withTraits(setOf(refTo('project')), { mirrors: { kind: 'sharedEnvLink', own: { field: 'envVarId' } } })
    .optional()
    .describe('The complete list of linked projects; if omitted, links are left as they are.');

/**
 * Describes the place "all custom environments" of a team's variable. Source: answers of the public SDK (no body has
 * it) and the Terraform provider.
 */
const everyCustom = () =>
  z
    .boolean()
    .optional()
    .describe('Whether it is also available in every custom environment of the linked projects.');

/**
 * A team's environment variable, which projects are linked to. A unit of ownership is one key in one target; value, type, comment and
 * links are those of its row. See `env-var-rows.ts` for how units become rows.
 */
export const sharedEnvVar = defineKind({
  name: 'sharedEnvVar',
  doc: 'An environment variable shared by the projects linked to it.',
  example: `
projects: { web: {}, docs: {} }
sharedEnv:
  LOG_LEVEL: info # in every target, linked to no project yet
  API_URL:
    - { value: "https://api.example.com", target: [production], projectId: [web, docs] }
    - { value: "https://staging.example.com", target: [preview, development], projectId: [web] }
    - { value: "https://qa.example.com", target: [], applyToAllCustomEnvironments: true, projectId: [web] }
`,
  section: 'sharedEnv',
  otherWords: ['sharedEnvironmentVariable', 'sharedVariable'],
  key: ['key'],
  usual: { applyToAllCustomEnvironments: false },
  yaml: {
    manyPerKey: true,
    shorthand: (scalar) => ({ value: scalar }),
    names: ({ key, target }) => [`${escapeName(String(key))}@${target}`],
  },
  fields: () => ({
    key: variableName().describe('The name of the variable.'),
    value: value(),
    type: type(),
    target: emptyCounts(setOf(z.enum(['production', 'preview', 'development'])))
      .optional()
      .describe(
        'The targets; all three by default. `[]` requires `applyToAllCustomEnvironments: true`, and makes it available in those only.',
      ),
    projectId: projectId(),
    comment: text().describe('A note about the variable.'),
    applyToAllCustomEnvironments: everyCustom(),
  }),
  rules: {
    check: (fields, parent) => [
      ...refuseSensitiveDevelopment(fields, parent),
      ...warnPublicSecret(fields, parent),
      ...refuseNoPlace(fields),
    ],
    align: createTypeAlignment(sharedRows),
    grade,
  },
  shape: rows(
    {
      fields: () => ({
        key: z.string(),
        target: text(),
        value: value(),
        type: type(),
        projectId: projectId(),
        comment: text(),
        applyToAllCustomEnvironments: everyCustom(),
      }),
      addressFields: ['target'],
      rowPositionsOf: placesIn,
      widenedBy: ['applyToAllCustomEnvironments'],
      toUnits: toSharedUnits,
      toRow,
    },
    batch(writesTo(sharedRows), outcomesOfWrite),
  ),
  read: {
    endpoint: 'GET /v1/env',
    items: 'data',
    deletedMark: 'deletedAt',
    updatedAt: 'updatedAt',
    facts: ['updatedBy'],
    // Each readable value is read with a request of its own.
    byId: {
      endpoint: 'GET /v1/env/{id}',
      isNeededFor: (row) => row.type === 'encrypted' && row.decrypted !== true,
    },
  },
  decode,
  create: 'POST /v1/env',
  update: 'PATCH /v1/env',
  delete: 'DELETE /v1/env',
});

/** Reports a team's variable without any place, because it would not be available anywhere. */
const refuseNoPlace = ({ target, applyToAllCustomEnvironments }: Fields) =>
  Array.isArray(target) && target.length === 0 && applyToAllCustomEnvironments !== true
    ? [
        {
          path: ['target'],
          message: 'it would not be available anywhere',
          hint: 'name a target, or write `applyToAllCustomEnvironments: true` as well',
        },
      ]
    : [];

/**
 * The platform's own rows and plain ones are not managed. Plain ones cannot be written. The list may keep values
 * back or give ciphertext: only a value that it calls decrypted is a value.
 */
function decode(row: ApiObject): Fields | undefined | null {
  const targets = targetsOf(row);
  const isPlaceKnown = targets.length > 0 || row.applyToAllCustomEnvironments === true || isInNoPlace(row);
  if (['system', 'secret', 'plain'].includes(String(row.type))) return undefined;
  if (!isPlaceKnown || hasUnknownTargets(row) || !types.some((writable) => writable === row.type))
    return null;
  return {
    key: row.key,
    type: row.type,
    target: targets,
    // A member that is no list is of an unknown form, and must not look like an empty list.
    projectId: [...((row.projectId ?? []) as string[])],
    // An empty comment stands for none: it is how a comment is removed.
    comment: row.comment ?? '',
    applyToAllCustomEnvironments: row.applyToAllCustomEnvironments ?? false,
    ...(row.type === 'encrypted' && row.decrypted === true ? { value: row.value } : {}),
  } as unknown as Fields;
}
