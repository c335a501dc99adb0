import { z } from 'zod';
import { type ApiObject, defineKind, escapeName, type Fields, refTo, secret, setOf, withTraits } from '#kind';
import { createdOrFailed } from './env-var-answer.ts';
import { align } from './env-var-policy.ts';
import { writes } from './env-var-rows.ts';
import { suffixOf, toRow, toUnits } from './env-var-units.ts';

// There is no way back from `sensitive`.
const type = withTraits(z.enum(['encrypted', 'plain', 'sensitive']), {
  immutable: (before) => before === 'sensitive',
}).optional();
const text = z.string().optional();
const value = secret(z.string(), ({ type }) => type !== 'plain');
const branch = z.string().min(1).optional();

/**
 * An environment variable. What is owned is one key in one place (a target, with a branch or not, or a custom environment);
 * the platform's rows may cover several places. See `env-var-rows.ts` for how the one becomes the other.
 */
export const projectEnvVar = defineKind({
  name: 'projectEnvVar',
  doc: 'An environment variable of a project, in the targets and custom environments named.',
  section: 'env',
  parent: 'project',
  key: ['key'],
  manyPerKey: true,
  fields: {
    key: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name has letters, digits and underscores, no digit in front'),
    value,
    type,
    target: withTraits(z.array(z.enum(['production', 'preview', 'development'])).min(1), {
      unordered: true,
    }).optional(),
    gitBranch: branch,
    customEnvironmentIds: setOf(refTo('customEnvironment')).optional(),
    comment: text,
  },
  shorthand: (scalar) => ({ value: scalar }),
  names: (unit) => [`${escapeName(String(unit.key))}@${suffixOf(unit).split(':').map(escapeName).join(':')}`],
  check: ({ type, target, gitBranch, customEnvironmentIds }) => [
    ...(type === 'sensitive' &&
    !gitBranch &&
    (target ? (target as string[]).includes('development') : !customEnvironmentIds)
      ? [
          {
            path: [target ? 'target' : 'type'],
            message: 'a sensitive variable cannot be available in development',
            hint: 'name its targets: `target: [production, preview]`',
          },
        ]
      : []),
    ...(gitBranch && (customEnvironmentIds || (target && String(target) !== 'preview'))
      ? [{ path: ['gitBranch'], message: 'a branch goes with the target preview only' }]
      : []),
  ],
  rows: {
    fields: {
      key: z.string(),
      target: text,
      customEnvironmentId: refTo('customEnvironment').optional(),
      gitBranch: branch,
      value,
      type,
      comment: text,
    },
    place: ['target', 'customEnvironmentId', 'gitBranch'],
    toUnits,
    toRow,
  },
  align,
  grade: ({ action, fields }) =>
    action === 'delete'
      ? { grade: 'irreversible', reason: 'its value cannot be brought back' }
      : fields.some(({ replaces }) => replaces)
        ? { grade: 'disruptive', reason: 'it is absent for a moment' }
        : undefined,
  api: {
    list: { endpoint: 'GET /v10/projects/{project}/env?decrypt=true', items: 'envs' },
    decode,
    batch: writes,
    outcome: createdOrFailed,
  },
});

// Rows of the platform and of integrations are none of the user's business; a single target may come back as a string.
function decode(row: ApiObject): Fields | undefined {
  if (
    row.system === true ||
    row.configurationId ||
    !['encrypted', 'plain', 'sensitive'].includes(String(row.type))
  )
    return undefined;
  const readable = row.type === 'plain' || (row.type === 'encrypted' && row.decrypted !== false);
  const environments = (row.customEnvironmentIds as string[] | undefined) ?? [];
  return {
    key: row.key,
    type: row.type,
    target: [row.target ?? []].flat(),
    ...(row.gitBranch ? { gitBranch: row.gitBranch } : {}),
    ...(environments.length > 0 ? { customEnvironmentIds: environments } : {}),
    // An empty one, which is how a comment is taken away, is none.
    comment: row.comment ?? '',
    ...(readable ? { value: row.value } : {}),
  } as unknown as Fields;
}
