import { expect } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Account } from '../../providers/hosting/twin/index.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { type Block, samples } from '../support/samples.ts';
import type { Scenario } from './crash.ts';

/** Fields that are secrets, beside those of the scenarios. */
const secretFields = [
  ['project', 'passwordProtection.password'],
  ['drain', 'delivery.headers'],
  ['drain', 'delivery.secret'],
];

/** That secrets are set and changed. */
export const secretScenarios: Scenario[] = secretFields.map(([name, path]) => {
  const kind = kinds.find((one) => one.name === name)!;
  const label = `${name}${Object.keys(samples[name!]!.leaves).indexOf(path!)}`;
  const cases = casesOf(kind).filter((one) => [`${label}made`, `${label}set`].includes(one.label));
  return { name: `${name} ${path} changes`, first: bodyOf(kind, cases, 0), next: bodyOf(kind, cases, 1) };
});

/** The scenario with secrets that can be told from all else; values of variables that stand in the clear are called otherwise. */
export function withCanaries({ first, next, ...rest }: Scenario): Scenario {
  return { ...rest, ...(first ? { first: marked(first) } : {}), next: marked(next) };
}

const marked = (block: Block) => mark(block, []) as Block;

function mark(value: unknown, path: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => mark(one, path));
  if (typeof value !== 'object' || value === null) {
    const isSecret = typeof value === 'string' && (path.at(-1) === 'password' || path.at(-2) === 'headers');
    return isSecret ? `canary-${value}` : value;
  }
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

/** Nothing that is said or kept holds a secret of the account. */
export function expectNoCanary(account: Account, said: unknown): void {
  const text = JSON.stringify(said, (_, value) => (value instanceof Error ? told(value) : value));
  expect(secretsOf(account).filter((secret) => text.includes(secret))).toEqual([]);
}

/** An error with all that it holds. */
const told = (error: Error) => ({
  ...error,
  message: error.message,
  stack: error.stack,
  cause: error.cause,
});
