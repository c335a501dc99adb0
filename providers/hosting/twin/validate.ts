import { isIP } from 'node:net';
import * as z from 'zod';
import { badRequest } from './errors.ts';
import { type Leniency, parseLeniently } from './outside.ts';

/** Returns a path as messages name it: `a.b[0]`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((segment, i) =>
      typeof segment === 'number' ? `[${segment}]` : (i > 0 ? '.' : '') + String(segment),
    )
    .join('');
}

/** Returns the value at a path of an input; undefined if there is none. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const segment of path) value = (value as Record<PropertyKey, unknown> | undefined | null)?.[segment];
  return value;
}

/** Returns the platform's wording for an issue that zod found. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const path = formatPath(issue.path);
  const name = path === '' ? 'body' : `\`${path}\``;
  if (issue.code === 'unrecognized_keys') {
    const where = path === '' ? '' : `${name} `;
    return `Invalid request: ${where}should NOT have additional property \`${issue.keys[0]}\`.`;
  }
  if (issue.path.length > 0 && valueAt(input, issue.path) === undefined) {
    return `Invalid request: missing required property ${name}.`;
  }
  if (issue.code === 'invalid_type') return `Invalid request: ${name} should be ${issue.expected}.`;
  if (issue.code === 'invalid_value') {
    return `Invalid request: ${name} should be equal to one of the allowed values ${issue.values.map((v) => JSON.stringify(v)).join(', ')}.`;
  }
  if (issue.code === 'too_big') return `Invalid request: ${name} should NOT be more than ${issue.maximum}.`;
  if (issue.code === 'too_small') return `Invalid request: ${name} should NOT be less than ${issue.minimum}.`;
  if (issue.code === 'invalid_union')
    return `Invalid request: ${name} should match one of the allowed shapes.`;
  return `Invalid request: ${name} ${issue.message}.`;
}

/**
 * Parses a request's body, or throws the platform's 400 about the first problem. What the schema does not know is taken, kept
 * and noted, or, without leniency, refused.
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown, leniency?: Leniency): T {
  const result = leniency === undefined ? schema.safeParse(body) : parseLeniently(schema, body, leniency);
  if (result.success) return result.data;
  throw badRequest(describeIssue(result.error.issues[0]!, body));
}

/** Only ASCII characters: unicode names must be sent as punycode. */
export function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** An absolute URL with the scheme http or https. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** True for a full domain name (two labels or more), with or without a trailing dot, in ASCII. */
export function isDomainName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 254 &&
    labels.length > 1 &&
    isIP(text) === 0 &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))
  );
}

/** True for an IP address, or a block in CIDR notation no wider than /16 (IPv4) or /48 (IPv6), the platform CLI's bounds. */
export function isIpBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  const [least, most] = version === 4 ? [16, 32] : [48, 128];
  return /^\d+$/.test(bits) && Number(bits) >= least && Number(bits) <= most;
}

/** A name in a URL path or body, compared as the platform does. */
export function lower(text: string): string {
  return text.toLowerCase();
}

/** Returns the registrable name above a host name. Two labels, or three under the usual second-level suffixes. */
export function apexOf(name: string): string {
  const labels = name.split('.');
  const long =
    /^(co|com|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? '') && (labels.at(-1) ?? '').length === 2;
  return labels.slice(long ? -3 : -2).join('.');
}

/** A team's or project's own string list. */
export const strings = z.array(z.string());

type Changing<Shape extends z.ZodRawShape> = {
  [name in keyof Shape]: z.ZodOptional<Shape[name] extends z.ZodDefault<infer Inner> ? Inner : Shape[name]>;
};

/** Returns the body of a change: the members of a new object, all optional and without defaults. */
export function changesOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const optional = Object.entries(shape).map(([name, member]) => {
    const inner = member instanceof z.ZodDefault ? (member.unwrap() as z.ZodType) : (member as z.ZodType);
    return [name, inner.optional()];
  });
  return z.strictObject(Object.fromEntries(optional) as Changing<Shape>);
}
