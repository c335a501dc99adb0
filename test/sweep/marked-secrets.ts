import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Account } from '../../providers/hosting/twin/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyWithMarks, withMarks } from '../support/canary-marks.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { type Block, samples, withLeaf } from '../support/samples.ts';
import type { Scenario } from './crash.ts';

const canaryOf = (text: string) => `canary-${text}`;

/** The fields of a kind that are secrets, or hold some: a value of theirs can be told from all else once it is marked. */
const secretFields = (kind: Kind): string[] =>
  Object.entries(samples[kind.name]!.leaves)
    .filter(([path, [value]]) => {
      const block = withLeaf({}, path, value);
      return !isDeepStrictEqual(withMarks(kind, block, canaryOf), block);
    })
    .map(([path]) => path);

/** For each kind with secrets: that they are set and changed. */
export const secretScenarios: Scenario[] = kinds.flatMap((kind) => {
  const paths = Object.keys(samples[kind.name]!.leaves);
  const labels = secretFields(kind).map((path) => `${kind.name}${paths.indexOf(path)}`.toLowerCase());
  const cases = casesOf(kind).filter(({ label }) =>
    labels.some((one) => label.replace(/(made|set)$/, '') === one),
  );
  if (cases.length === 0) return [];
  const [first, next] = [bodyOf(kind, cases, 0), bodyOf(kind, cases, 1)];
  return [{ name: `${kind.name}: secrets change`, first, next }];
});

/** The scenario with secrets that can be told from all else; values of variables that stand in the clear are called otherwise. */
export function withCanaries({ first, next, ...rest }: Scenario): Scenario {
  return { ...rest, ...(first ? { first: marked(first) } : {}), next: marked(next) };
}

const marked = (block: Block) => mark(bodyWithMarks(block, canaryOf), []) as Block;

/** Values of variables: whether one is a secret is not said by its field alone. */
function mark(value: unknown, path: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => mark(one, path));
  if (typeof value !== 'object' || value === null) return value;
  const isVariable = path.includes('env') || path.includes('sharedEnv');
  const members = Object.entries(value).map(([name, inner]) => {
    if (!isVariable || name !== 'value') return [name, mark(inner, [...path, name])];
    return [name, `${isInClear(value as Block) ? 'open' : 'canary'}-${inner}`];
  });
  return Object.fromEntries(members);
}

/** A literal is a secret only where nobody is to read it again. */
const isInClear = ({ type, visibility }: Block): boolean => type !== 'sensitive' && visibility !== 'secret';

/** All secrets of an account. */
function secretsOf({ projects, sharedEnv, webhooks, drains, globalConfigs }: Account): string[] {
  const variables = [...projects.flatMap(({ env }) => env), ...sharedEnv];
  return [
    ...variables.filter(({ type }) => type !== 'plain').map(({ value }) => value),
    ...projects.flatMap(({ protectionBypass }) => Object.keys(protectionBypass ?? {})),
    ...webhooks.map(({ secret }) => secret),
    ...projects.map(({ passwordProtection }) => String((passwordProtection as Block | null)?.password ?? '')),
    ...drains.flatMap(({ delivery }) => ('secret' in delivery ? [String(delivery.secret)] : [])),
    ...drains.flatMap(({ delivery }) => ('headers' in delivery ? Object.values(delivery.headers ?? {}) : [])),
    ...globalConfigs.flatMap(({ tokens }) => tokens.map(({ token }) => token)),
  ].filter((secret) => secret.length > 8 && !secret.startsWith('open-'));
}

/** Nothing that is said or kept holds a secret: one of the account, of the configuration, or one that was shown once. */
export function expectNoCanary(account: Account, said: unknown, shown: Iterable<string> = []): void {
  const text = JSON.stringify(said, (_, value) => (value instanceof Error ? told(value) : value));
  const secrets = [...secretsOf(account), ...shown, canaryOf('')];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

/** An error with all that it holds. */
const told = (error: Error) => ({
  ...error,
  message: error.message,
  stack: error.stack,
  cause: error.cause,
});
