import { isIP } from 'node:net';
import * as z from 'zod';
import { badRequest, publishedRule } from './errors.ts';
import { type Leniency, parseLeniently } from './outside.ts';

/** Returns the path of a value in a body as the platform's messages name it: `a.b[0]`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((segment, i) =>
      typeof segment === 'number' ? `[${segment}]` : (i > 0 ? '.' : '') + String(segment),
    )
    .join('');
}

/** Returns the value at a path in a body, to see if a required one is missing; undefined if there is none. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const segment of path) value = (value as Record<PropertyKey, unknown> | undefined | null)?.[segment];
  return value;
}

/**
 * Formats an issue that zod found in a body as a message in the platform's own words, so that clients that read these messages work with
 * the twin as well. Without `Invalid request: `, because problems with seeds and fault plans do not begin like that. `input`: the body.
 */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const path = formatPath(issue.path);
  const name = path === '' ? 'body' : `\`${path}\``;
  if (issue.code === 'unrecognized_keys') {
    const where = path === '' ? '' : `${name} `;
    return `${where}should NOT have additional property \`${issue.keys[0]}\`.`;
  }
  if (issue.path.length > 0 && valueAt(input, issue.path) === undefined) {
    return `missing required property ${name}.`;
  }
  if (issue.code === 'invalid_type') return `${name} should be ${issue.expected}.`;
  if (issue.code === 'invalid_value') {
    return `${name} should be equal to one of the allowed values ${issue.values.map((v) => JSON.stringify(v)).join(', ')}.`;
  }
  if (issue.code === 'too_big') return `${name} should NOT be more than ${issue.maximum}.`;
  if (issue.code === 'too_small') return `${name} should NOT be less than ${issue.minimum}.`;
  if (issue.code === 'invalid_union') return `${name} should match one of the allowed shapes.`;
  return `${name} ${issue.message}.`;
}

/** The facts behind refusals of a body, by the path of the member; `*` for any member that the schema does not know. */
export type FactsOfMembers = Readonly<Record<string, string>>;

/** Returns the rule that a member breaks: the fact about it if there is one, otherwise that the body does not have the published form. */
function ruleOfIssue(issue: z.core.$ZodIssue, facts: FactsOfMembers): string {
  if (issue.code === 'unrecognized_keys')
    return facts[formatPath([...issue.path, issue.keys[0]!])] ?? facts['*'] ?? publishedRule;
  return facts[formatPath(issue.path)] ?? publishedRule;
}

/**
 * Parses the body of a request to the twin by the schema of its operation. Throws the platform's 400 about the first problem. With
 * `leniency`, members that the schema does not know are accepted and noted; otherwise they are refused, as the platform does. `facts`:
 * those about refusals beyond the published form.
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
  leniency?: Leniency,
  facts: FactsOfMembers = {},
): T {
  const result = leniency === undefined ? schema.safeParse(body) : parseLeniently(schema, body, leniency);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw badRequest(`Invalid request: ${describeIssue(issue, body)}`).by(ruleOfIssue(issue, facts));
}

/** True for a text of visible ASCII characters without spaces. Names with other letters must be sent as punycode. */
export function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** True for an absolute URL with the scheme http or https. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/**
 * True for a full domain name (two labels or more) in ASCII, with or without a trailing dot. The twin refuses other names where the
 * platform does.
 */
export function isDomainName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 254 &&
    labels.length > 1 &&
    isIP(text) === 0 &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))
  );
}

/**
 * True for an IP address, or a block of them in CIDR notation (`10.0.0.0/16`) that is not too wide. The bounds /16 (IPv4) and /48 (IPv6)
 * are those of the platform's command line. The twin refuses firewall rules with other addresses.
 */
export function isIpBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  const [least, most] = version === 4 ? [16, 32] : [48, 128];
  return /^\d+$/.test(bits) && Number(bits) >= least && Number(bits) <= most;
}

/** Returns a host name as the platform compares and stores it: in lower case. */
export function lower(text: string): string {
  return text.toLowerCase();
}

/**
 * Returns the registrable domain of a host name: `example.com` for `www.example.com`, `example.co.uk` for `www.example.co.uk`. The platform
 * manages DNS and ownership by it. Knows only the usual suffixes with two labels.
 */
export function apexOf(name: string): string {
  const labels = name.split('.');
  const long =
    /^(co|com|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? '') && (labels.at(-1) ?? '').length === 2;
  return labels.slice(long ? -3 : -2).join('.');
}

/** The schema of a list of texts. */
export const strings = z.array(z.string());

/** The members of a change: those of a creation, optional and without defaults. */
type Changing<Shape extends z.ZodRawShape> = {
  [name in keyof Shape]: z.ZodOptional<Shape[name] extends z.ZodDefault<infer Inner> ? Inner : Shape[name]>;
};

/**
 * Returns the schema for the body of a change, made from that of a creation: the same members, all optional and without defaults, because a
 * change sends only some of them.
 */
export function changesOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const optional = Object.entries(shape).map(([name, member]) => {
    const inner = member instanceof z.ZodDefault ? (member.unwrap() as z.ZodType) : (member as z.ZodType);
    return [name, inner.optional()];
  });
  return z.strictObject(Object.fromEntries(optional) as Changing<Shape>);
}
