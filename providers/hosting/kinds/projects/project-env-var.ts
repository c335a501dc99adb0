import * as z from 'zod';
import {
  type ApiObject,
  defineKind,
  escapeName,
  type Fields,
  neededToCreate,
  optionalText,
  refTo,
  secretUnlessWritten,
  setOf,
  withTraits,
} from '#kind';
import { batch, createdWithParent, rows } from '#shapes';
import { checkEnvLimits } from '../env/env-var-limits.ts';
import { createTypeAlignment } from '../env/env-var-policy.ts';
import { writesTo } from '../env/env-var-rows.ts';
import {
  grade,
  isSharedId,
  refuseSensitiveDevelopment,
  sensitiveEntry,
  valueRules,
  variableName,
  warnPublicSecret,
} from '../env/env-var-rules.ts';
import {
  hasUnknownTargets,
  isInNoPlace,
  placesIn,
  suffixOf,
  targetsOf,
  toRow,
  toUnits,
} from '../env/env-var-units.ts';
import { createdOrFailed, inNewProject, projectRows } from './project-env-var-rows.ts';

/** Immutable once it is `sensitive`, because the platform does not change it back. */
const type = () =>
  withTraits(z.enum(['encrypted', 'plain', 'sensitive']), {
    immutable: (before) => before === 'sensitive',
  })
    .optional()
    .describe(
      'How the value is kept: `plain`, `encrypted` (readable again) or `sensitive` (never readable); `encrypted` by default, `sensitive` if the team requires it.',
    );
const text = () => z.string().optional();
const value = () =>
  withTraits(neededToCreate(secretUnlessWritten(z.string(), ({ type }) => type !== 'plain', valueRules)), {
    takesSecret: sensitiveEntry,
  })
    .optional()
    .describe(
      'The value that builds and functions see. If omitted, the value is kept and the variable must already exist.',
    );
/**
 * Describes whether a variable counts as a secret. Source: answers of the public SDK (no body has it) and the
 * platform's command line.
 */
const visibility = () =>
  z.enum(['config', 'secret']).optional().describe('Whether it counts as configuration or as a secret.');
const branch = () =>
  z.string().min(1).optional().describe('Limits the variable to one branch; only with the target preview.');

/**
 * An environment variable. A unit of ownership is one key in one place (a target, with a branch or not, or a custom environment);
 * the platform's rows may cover several places. See `env-var-rows.ts` for how units become rows.
 */
export const projectEnvVar = defineKind({
  name: 'projectEnvVar',
  doc: 'An environment variable of a project, in the targets and custom environments named.',
  example: `
projects:
  web:
    env:
      LOG_LEVEL: info # everywhere, encrypted
      API_URL:
        - { value: "https://api.example.com", target: [production], type: plain }
        - { value: "https://staging.example.com", target: [preview, development] }
`,
  section: 'env',
  otherWords: ['environment', 'environmentVariable', 'envVar', 'variable'],
  parent: 'project',
  key: ['key'],
  yaml: {
    manyPerKey: true,
    shorthand: (scalar) => ({ value: scalar }),
    names: (unit) => [
      `${escapeName(String(unit.key))}@${suffixOf(unit).split(':').map(escapeName).join(':')}`,
    ],
  },
  fields: () => ({
    key: variableName().describe('The name of the variable.'),
    value: value(),
    type: type(),
    target: withTraits(z.array(z.enum(['production', 'preview', 'development'])).min(1), {
      unordered: true,
    })
      .optional()
      .describe('The targets; everywhere if neither targets nor custom environments are given.'),
    gitBranch: branch(),
    customEnvironmentIds: setOf(refTo('customEnvironment'))
      .optional()
      .describe('The slugs of its custom environments.'),
    comment: text().describe('A note about the variable.'),
    visibility: visibility(),
  }),
  usual: { type: 'encrypted', target: ['production', 'preview', 'development'] },
  rules: {
    check: (fields, parent) => [
      ...refuseSensitiveDevelopment(fields, parent),
      ...warnPublicSecret(fields, parent),
      ...(fields.gitBranch &&
      (fields.customEnvironmentIds || (fields.target && String(fields.target) !== 'preview'))
        ? [{ path: ['gitBranch'], message: 'a branch can only be used with the target preview' }]
        : []),
    ],
    align: createTypeAlignment(projectRows),
    clashes: checkEnvLimits,
    grade,
  },
  shape: rows(
    {
      fields: () => ({
        key: z.string(),
        target: text(),
        customEnvironmentId: refTo('customEnvironment').optional(),
        gitBranch: branch(),
        value: value(),
        type: type(),
        comment: text(),
        visibility: visibility(),
      }),
      addressFields: ['target', 'customEnvironmentId', 'gitBranch'],
      rowPositionsOf: placesIn,
      toUnits,
      toRow,
    },
    createdWithParent(inNewProject, batch(writesTo(projectRows), createdOrFailed)),
  ),
  read: {
    endpoint: 'GET /v10/projects/{project}/env?decrypt=true',
    // Whether it has the shared ones that are linked to the project is not documented.
    items: { list: 'envs', without: 'sharedEnvVar', looksOther: ({ id }) => isSharedId(id) },
    byId: { endpoint: 'GET /v1/projects/{project}/env/{id}' },
    updatedAt: 'updatedAt',
    // A variable whose only custom environment was deleted is still listed.
    deletedMark: isInNoPlace,
    facts: ['updatedBy'],
  },
  decode,
  create: 'POST /v10/projects/{project}/env',
  update: 'PATCH /v9/projects/{project}/env/{id}',
  delete: ['DELETE /v9/projects/{project}/env/{id}', 'DELETE /v1/projects/{project}/env'],
});

/**
 * True for a variable of the platform or of an integration, or with one of the published types that cannot be written: users do not manage
 * them, and a declared variable of the same name in other places is another one.
 */
function isOfPlatform({ system, configurationId, type }: ApiObject): boolean {
  return (
    system === true ||
    !!optionalText(configurationId, 'configurationId') ||
    type === 'system' ||
    type === 'secret'
  );
}

/**
 * Reads a variable. Skips (undefined) variables of the platform and of integrations, because users do not manage
 * them. Null for rows of an unknown form.
 */
function decode(row: ApiObject): Fields | undefined | null {
  const targets = targetsOf(row);
  // An empty text says that there are none, too.
  const environments = row.customEnvironmentIds || [];
  if (isOfPlatform(row)) return undefined;
  if (!Array.isArray(environments) || hasUnknownTargets(row)) return null;
  const hasPlace = targets.length > 0 || environments.length > 0;
  if (!hasPlace || !['encrypted', 'plain', 'sensitive'].includes(String(row.type))) return null;
  const readable = row.type === 'plain' || (row.type === 'encrypted' && row.decrypted === true);
  return {
    key: row.key,
    type: row.type,
    target: targets,
    gitBranch: row.gitBranch,
    ...(environments.length > 0 ? { customEnvironmentIds: environments } : {}),
    // An empty comment stands for none: it is how a comment is removed.
    comment: row.comment ?? '',
    ...(row.visibility ? { visibility: row.visibility } : {}),
    ...(readable ? { value: row.value } : {}),
  } as unknown as Fields;
}
