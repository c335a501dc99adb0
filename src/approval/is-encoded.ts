import type { Encoded } from './encode.ts';

const isText = (value: unknown) => typeof value === 'string';
const isDigest = (value: unknown) => value === null || isText(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** The forms of an object with a `$` member, each with all that it holds. */
const holes: Record<string, Record<string, (value: unknown) => boolean>> = {
  $sealed: { $sealed: isDigest },
  $secret: { $secret: isText, digest: isDigest },
  $secrets: { $secrets: isTexts, digest: isDigest },
  $ref: { $ref: isText, attr: isText },
  $result: { $result: Number.isInteger, path: Array.isArray },
  $join: { $join: (value) => Array.isArray(value) && value.every(isEncoded) },
};

/** Whether JSON is a value as `encode` writes them: each `$` member belongs to a form, and each form is whole. */
export function isEncoded(value: unknown): value is Encoded {
  if (Array.isArray(value)) return value.every(isEncoded);
  if (typeof value !== 'object') return value !== undefined;
  if (value === null) return true;
  const hole = Object.keys(value).find((name) => /^\$(?!\$)/.test(name));
  if (hole === undefined) return Object.values(value).every(isEncoded);
  const members = Object.hasOwn(holes, hole) ? holes[hole]! : undefined;
  return (
    members !== undefined &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(([name, fits]) => fits((value as Record<string, unknown>)[name]))
  );
}
