import * as z from 'zod';
import type { Fields, FieldTraits, Kind } from '#kind';

/** Describes the name of an environment variable. */
export const variableName = () =>
  z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      'a name can have letters, digits and underscores, and cannot start with a digit',
    );

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
