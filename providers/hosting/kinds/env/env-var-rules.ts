import * as z from 'zod';
import type { Fields, FieldTraits, Kind } from '#kind';

/** The names that the platform reserves for itself. Source: its documentation, Reserved environment variables. */
const reservedNames = new Set(
  'AWS_SECRET_KEY AWS_EXECUTION_ENV AWS_LAMBDA_LOG_GROUP_NAME AWS_LAMBDA_LOG_STREAM_NAME AWS_LAMBDA_FUNCTION_NAME AWS_LAMBDA_FUNCTION_MEMORY_SIZE AWS_LAMBDA_FUNCTION_VERSION NOW_REGION TZ LAMBDA_TASK_ROOT LAMBDA_RUNTIME_DIR'.split(
    ' ',
  ),
);

/** Describes the name of an environment variable. */
export const variableName = () =>
  z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      'a name can have letters, digits and underscores, and cannot start with a digit',
    )
    .refine(
      (name) => !reservedNames.has(name),
      'the platform reserves this name for itself; choose another name',
    );

/** The prefixes of variables that frameworks put into code for browsers. Source: the platform's command line. */
const publicPrefix =
  /^(NEXT_PUBLIC_|VITE_|REACT_APP_|GATSBY_|NUXT_ENV_|PUBLIC_|VUE_APP_|REDWOOD_ENV_|SANITY_STUDIO_)/i;

/**
 * Warns about a secret variable with a public prefix in production or preview. The platform's command line refuses it and says that the
 * platform does so, too. `validate` warns only, because no refusal by the platform itself was observed.
 */
export const warnPublicSecret: NonNullable<Kind['rules']['check']> = (fields) => {
  const { key, type, visibility, target, customEnvironmentIds } = fields;
  const isSecret = type === 'sensitive' || visibility === 'secret';
  // A unit has one target as a text.
  const isDeployed = target ? [target].flat().some((name) => name !== 'development') : !customEnvironmentIds;
  if (!isSecret || !isDeployed || !publicPrefix.test(String(key))) return [];
  return [
    {
      path: [type === 'sensitive' ? 'type' : 'visibility'],
      message: `${key} has a prefix of variables that browsers see, so the platform may refuse to keep it secret`,
      hint: 'rename the variable, or do not make it secret',
      severity: 'warning',
    },
  ];
};

/**
 * True for an id with the form that only shared variables have in published answers. Used to warn of a name in `sharedEnvLinks`, and to
 * leave variables alone that may be the team's.
 */
export const isSharedId = (id: unknown): boolean => String(id).startsWith('env_');

/** Reports a sensitive variable that is available in development, because the platform refuses that. */
export const refuseSensitiveDevelopment: NonNullable<Kind['rules']['check']> = ({
  type,
  target,
  gitBranch,
  customEnvironmentIds,
}: Fields) =>
  type === 'sensitive' &&
  !gitBranch &&
  (target ? (target as string[]).includes('development') : !customEnvironmentIds)
    ? [
        {
          path: [target ? 'target' : 'type'],
          message: 'a sensitive variable cannot be available in development',
          hint: 'name its targets: `target: [production, preview]`',
        },
      ]
    : [];

/** Makes a variable with a generated secret sensitive, and so puts it in production and preview unless its places are named. */
export const sensitiveEntry: NonNullable<FieldTraits['takesSecret']> = (names) => {
  const isPlaced = names.some((name) => ['target', 'customEnvironmentIds', 'gitBranch'].includes(name));
  return { type: 'sensitive', ...(isPlaced ? {} : { target: ['production', 'preview'] }) };
};

/** True if the platform never returns the value. */
const isSensitive = ({ type }: Fields): boolean => type === 'sensitive';

/** Text in the YAML is no secret to us, however the platform stores it. Under these settings it is meant to be one all the same. */
const isOpen = (fields: Fields): boolean => !isSensitive(fields) && fields.visibility !== 'secret';

/** Tells when the value of a variable in the YAML is no secret, and when it can never be read again. */
export const valueRules = { inClear: isOpen, neverReturned: isSensitive };

/** Grades the risk of a change of an environment variable: deletions are irreversible, replacements disruptive. */
export const grade: NonNullable<Kind['rules']['grade']> = ({ action, fields }) =>
  action === 'delete'
    ? { grade: 'irreversible', reason: 'its value cannot be restored' }
    : fields.some(({ replaces }) => replaces)
      ? { grade: 'disruptive', reason: 'it is briefly absent' }
      : undefined;
